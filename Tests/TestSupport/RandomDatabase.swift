/// A seeded database as SQL: tables of all types, linked in every way, with values that are hard to write.
package struct RandomDatabase {
  /// One column that is no foreign key.
  private struct Column {
    let name: String
    let type: String
    let isRequired: Bool
  }

  /// A table on its way into SQL.
  private struct Table {
    let name: String
    /// The columns that a foreign key may lead to, and their values by row.
    var key: [String] = []
    var keyValues: [[String]] = []
    var columns: [Column] = []
    var links: [(columns: [String], target: Int, rule: String, isRequired: Bool)] = []
    var hasRowid = true
    var rowCount = 0
  }

  private var random: SplitMix64
  private var tables: [Table] = []
  /// `CREATE TABLE` and `INSERT` for all of it.
  package private(set) var sql = ""
  /// Whether a column has a name that text records have no spelling for.
  package private(set) var hasColons = false

  /// Makes the database of a seed.
  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    makeTables()
    makeLinks()
    for index in tables.indices { writeTable(index) }
    for index in tables.indices { writeRows(index) }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func isOne(in count: Int) -> Bool { number(1...count) == 1 }
  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(0...choices.count - 1)] }

  // MARK: Tables

  private static let names = ["Label", "artist", "a b", "Città", "select", "x-y", "1st", "_x0020_", "T.U", "A_b"]
  private static let types = [
    "TEXT", "TEXT", "TEXT", "INTEGER", "INTEGER16", "INTEGER32", "REAL", "DECIMAL(10,3)", "DECIMAL_TEXT(20,4)",
    "NUMERIC", "BOOLEAN", "DATE", "DATETIME", "BLOB", "UUID_TEXT", "URI_TEXT",
  ]

  private mutating func makeTables() {
    var names = Self.names.shuffled(using: &random)
    for index in 0..<number(1...5) {
      var table = Table(name: names.removeLast())
      table.rowCount = isOne(in: 8) ? 0 : number(1...7)
      switch number(0...5) {
      case 0, 1:
        table.key = ["id"]
        table.keyValues = (0..<table.rowCount).map { ["\($0 * 7 - 3 + number(0...5))"] }
      case 2, 3:
        table.key = ["name"]
        table.keyValues = (0..<table.rowCount).map { [quoted(text() + "\($0)")] }
        table.hasRowid = !isOne(in: 4)
      case 4:
        table.key = ["k1", "k 2"]
        table.keyValues = (0..<table.rowCount).map { [quoted("k\($0 / 2)"), "\($0)"] }
      default: break
      }
      let places = ["u", "V w", "été", "d\"e", "z_1", "<n>", "from"].shuffled(using: &random)
      for place in 0..<number((table.key.isEmpty ? 1 : 0)...4) {
        table.columns.append(Column(name: places[place], type: pick(Self.types), isRequired: isOne(in: 6)))
      }
      if index == 0, isOne(in: 12) {
        hasColons = true
        table.columns.append(Column(name: "x:y", type: "TEXT", isRequired: false))
      }
      tables.append(table)
    }
  }

  private mutating func makeLinks() {
    for index in tables.indices {
      for number in 0..<number(0...2) {
        let target = self.number(0...tables.count - 1)
        guard !tables[target].key.isEmpty else { continue }
        let columns = tables[target].key.indices.map { "r\(number)" + (tables[target].key.count > 1 ? "_\($0)" : "") }
        let isRequired = isOne(in: 5) && tables[target].rowCount > 0
        let rules = ["CASCADE", "CASCADE", "CASCADE", "SET NULL", "RESTRICT", ""]
        tables[index].links.append((columns, target, pick(rules), isRequired))
      }
    }
  }

  private func quotedName(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  private mutating func writeTable(_ index: Int) {
    let table = tables[index]
    var parts: [String] = []
    for name in table.key {
      let type = name == "id" ? "INTEGER PRIMARY KEY" : name == "k 2" ? "INTEGER NOT NULL" : "TEXT NOT NULL"
      parts.append("\(quotedName(name)) \(type)")
    }
    for column in table.columns {
      parts.append("\(quotedName(column.name)) \(column.type)" + (column.isRequired ? " NOT NULL" : ""))
    }
    for link in table.links {
      for (name, key) in zip(link.columns, tables[link.target].key) {
        let type = key == "id" || key == "k 2" ? "INTEGER" : "TEXT"
        parts.append("\(quotedName(name)) \(type)" + (link.isRequired ? " NOT NULL" : ""))
      }
    }
    if !table.key.isEmpty, table.key != ["id"] {
      parts.append("PRIMARY KEY (\(table.key.map(quotedName).joined(separator: ", ")))")
    }
    for link in table.links {
      let target = tables[link.target]
      parts.append(
        "FOREIGN KEY (\(link.columns.map(quotedName).joined(separator: ", "))) REFERENCES \(quotedName(target.name))"
          + " (\(target.key.map(quotedName).joined(separator: ", ")))"
          + (link.rule.isEmpty ? "" : " ON DELETE \(link.rule)")
      )
    }
    let ending = table.hasRowid || table.key.isEmpty ? "" : " WITHOUT ROWID"
    sql += "CREATE TABLE \(quotedName(table.name)) (\(parts.joined(separator: ", ")))\(ending);\n"
    if let link = table.links.first, isOne(in: 2) {
      sql += "CREATE INDEX \"i\(index)\" ON \(quotedName(table.name)) (\(quotedName(link.columns[0])));\n"
    }
  }

  // MARK: Values

  private static let pieces = [
    "x", "é", "e\u{301}", "日本", " ", "\"", "'", ",", ";", "\n", "\r\n", "\r", "\t", "\u{1}", "\u{1F}", "\u{7F}", "]]>",
    "&amp;", "<b>", "#", ":", "+", "%", "\\", "|", "\u{FEFF}", "🎉", "=1+1", "NULL", "null", "true", "007", "{}", "[1]",
    "- ",
    "\u{FFFE}", "\u{2028}", "\u{85}", "%rec: x", "a: b",
  ]

  private mutating func text() -> String {
    if isOne(in: 6) { return "" }
    return (0..<number(1...5)).map { _ in pick(Self.pieces) }.joined()
  }

  private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

  private mutating func value(_ type: String) -> String {
    switch type {
    case "TEXT": return quoted(text())
    case "INTEGER": return pick(["0", "-1", "9223372036854775807", "-9223372036854775808", "\(number(-999...999))"])
    case "INTEGER16": return pick(["32767", "-32768", "\(number(-99...99))"])
    case "INTEGER32": return pick(["2147483647", "-2147483648", "\(number(-99...99))"])
    case "REAL":
      return pick([
        "1e308", "5e-324", "-0.0", "0.1", "1.0", "1e15", "123456789012345680.0", "-1.7976931348623157e308", "2.5e-7",
        "\(number(-999...999)).\(number(0...999))", "0.30000000000000004",
      ])
    case "DECIMAL(10,3)": return pick(["0", "1", "-1.5", "1234567.125", "0.001", "-9999999.999"])
    case "DECIMAL_TEXT(20,4)": return pick(["'1234567890123456.7890'", "'0.0001'", "'-1.0000'", "'12.5000'"])
    case "NUMERIC": return pick(["0", "1", "-1", "1.5", "1e300", "-0.25", "9007199254740992", "1e15", "0.1"])
    case "BOOLEAN": return pick(["0", "1"])
    case "DATE": return pick(["'2024-02-29'", "'0001-01-01'", "'9999-12-31'", "'1970-01-01'"])
    case "DATETIME":
      return pick([
        "'2024-02-29T23:59:59+02:00'", "'1999-12-31 00:00:00'", "'2024-01-01T00:00:00.123456789Z'",
        "'2013-02-11T09:30:00+0100'",
      ])
    case "BLOB": return pick(["x''", "x'00'", "x'00ff0a0d'", "x'\(String(repeating: "a5", count: number(1...40)))'"])
    case "UUID_TEXT": return pick(["'123E4567-E89B-12D3-A456-426614174000'", "'00000000-0000-0000-0000-000000000000'"])
    default: return pick(["'https://example.org/?a=1&b=é'", "'urn:x:y'", "'mailto:a@b.c'"])
    }
  }

  private mutating func writeRows(_ index: Int) {
    let table = tables[index]
    for row in 0..<table.rowCount {
      var values = table.keyValues.isEmpty ? [] : table.keyValues[row]
      for column in table.columns {
        if !column.isRequired, isOne(in: 4) {
          values.append("NULL")
        } else {
          var value = value(column.type)
          // A text that is required is not empty, since NULL and the empty text are one fault then.
          if column.isRequired, value == "''" { value = "'x'" }
          values.append(value)
        }
      }
      for link in table.links {
        let targets = tables[link.target].keyValues
        guard !targets.isEmpty, link.isRequired || !isOne(in: 4) else {
          values += link.columns.map { _ in "NULL" }
          continue
        }
        values += pick(targets)
      }
      let name = quotedName(table.name)
      sql +=
        values.isEmpty
        ? "INSERT INTO \(name) DEFAULT VALUES;\n" : "INSERT INTO \(name) VALUES (\(values.joined(separator: ", ")));\n"
    }
  }
}
