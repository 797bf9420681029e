import CSQLite
import Diagnostics
import EntityModel
import Records

/// What a refused row's diagnostic says.
extension WrittenTable {
  /// What is said of a row that a trigger ignores.
  static let leftOut = "a trigger left the row out"

  /// The row that a refused one collides with.
  enum FirstPlace {
    case thisRun(LineLog.Entry)
    case database
    case unknown
  }

  /// Finds the row that holds the values already.
  func firstPlace(
    of row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    sharing uniqueness: Uniqueness
  ) throws(StoreError) -> FirstPlace {
    guard let lines, let lookup = uniqueness.lookup else { return .unknown }
    defer { lookup.reset() }
    let start = Int(rows.rows[row].valueStart)
    for (position, attribute) in uniqueness.attributes.flatMap({ $0 ?? [] }).enumerated() {
      try lookup.bind(rows.values[start + attribute], from: text, at: position + 1)
    }
    guard try lookup.step() else { return .unknown }
    return try lines.entry(ofRow: lookup.integer(0)).map(FirstPlace.thisRun) ?? .database
  }

  /// A row whose key, or another unique set, stands in an earlier one.
  func collision(
    of row: Int,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    in uniqueness: Uniqueness,
    with first: FirstPlace,
    files: [String]
  ) -> Diagnostic {
    let start = Int(rows.rows[row].valueStart)
    var names: [String] = []
    var values: [String] = []
    for (column, attributes) in zip(uniqueness.set.columns, uniqueness.attributes) {
      guard let attributes else {
        names.append(column)
        values.append("its default")
        continue
      }
      names += attributes.map { entity.attributes[$0].name }
      for attribute in attributes { values.append(Self.shown(rows.values[start + attribute], of: batch.text)) }
    }
    let pairs = zip(names, values).map { "\(excerpt(of: $0))='\($1)'" }.joined(separator: ", ")
    let place =
      switch first {
      case .database: "in the database"
      case .unknown: "in this run or in the database"
      case .thisRun(let entry) where Int(entry.file) < files.count && files[Int(entry.file)] != batch.file:
        "in line \(entry.line) of '\(excerpt(of: files[Int(entry.file)]))' (record \(entry.record))"
      case .thisRun(let entry): "in line \(entry.line) (record \(entry.record))"
      }
    return Diagnostic(
      code: uniqueness.isKey ? .duplicateKey : .uniqueError,
      location: batch.location(of: Int(rows.rows[row].record)),
      entity: entity.name,
      field: names.joined(separator: ", "),
      value: values.joined(separator: ", "),
      expected: uniqueness.isKey ? "a key that no other record has" : "a value that no other record has",
      message: "the \(uniqueness.isKey ? "key" : "unique value") \(pairs) is already \(place)",
      remedy: uniqueness.isKey
        ? "remove one of the two records, or give this one another key"
        : "give this record another value, or make '\(excerpt(of: names.joined(separator: ", ")))' not unique"
    )
  }

  /// A row that a rule of the database itself refuses, in SQLite's words.
  func violation(
    of row: Int,
    of rows: borrowing ValueBatch,
    from batch: borrowing RecordBatch,
    code: CInt,
    words: String
  ) -> Diagnostic {
    let position = entity.attributes.indices.first { index in
      guard let column = stored.column(named: entity.attributes[index].name) else { return false }
      return words == "NOT NULL constraint failed: \(stored.name).\(column.name)"
    }
    let isUniqueness = words.hasPrefix("UNIQUE constraint failed")
    return Diagnostic(
      code: isUniqueness ? .uniqueError : .databaseConstraint,
      location: batch.location(of: Int(rows.rows[row].record)),
      entity: entity.name,
      field: position.map { entity.attributes[$0].name },
      value: position.map { Self.shown(rows.values[Int(rows.rows[row].valueStart) + $0], of: batch.text) },
      message: "the database refuses the row: \(excerpt(of: words))",
      remedy: code == csqlite_foreign_key_violation
        ? "load the rows that this one refers to first, or correct the reference"
        : "correct the record, or change the rule of the table '\(excerpt(of: stored.name))'"
    )
  }

  /// The first attribute of a row whose text its column would turn into another text's number.
  func wouldChange(row: Int, of rows: borrowing ValueBatch, text: borrowing TextBuffer) -> Int? {
    let start = Int(rows.rows[row].valueStart)
    return guardedAttributes.first { attribute in
      guard case .text(let slice) = rows.values[start + attribute] else { return false }
      return wouldChangeAsNumber(text.bytes(of: slice))
    }
  }

  /// The first attribute that a new row must have, and that this one lacks.
  func missing(row: Int, of rows: borrowing ValueBatch) -> Int? {
    let start = Int(rows.rows[row].valueStart)
    return requiredAttributes.first { rows.values[start + $0].isMissing }
  }

  /// A row that SQLite is not asked to write: it lacks a value, or has a text that its column would store as a number.
  func rejectionOfValue(row: Int, of rows: borrowing ValueBatch, from batch: borrowing RecordBatch) -> Rejection {
    let record = Int(rows.rows[row].record)
    let missing = requiredAttributes.filter { rows.values[Int(rows.rows[row].valueStart) + $0].isMissing }
    let diagnostics = missing.map { lack(of: $0, at: batch.location(of: record)) }
    return diagnostics.isEmpty
      ? rejectionOfNumber(row: row, of: rows, from: batch) : Rejection(record: record, diagnostics: diagnostics)
  }

  /// The fault of a row without a value for an attribute that needs one.
  func lack(of attribute: Int, at location: SourceLocation) -> Diagnostic {
    var diagnostic = Diagnostic.required(entity.attributes[attribute], at: location, value: nil)
    diagnostic.entity = entity.name
    return diagnostic
  }

  func rejectionOfNumber(row: Int, of rows: borrowing ValueBatch, from batch: borrowing RecordBatch) -> Rejection {
    let attribute = wouldChange(row: row, of: rows, text: batch.text) ?? 0
    let name = entity.attributes[attribute].name
    let value = Self.shown(rows.values[Int(rows.rows[row].valueStart) + attribute], of: batch.text)
    let declared = stored.column(named: name)?.declaredType ?? ""
    let diagnostic = Diagnostic(
      code: .databaseConstraint,
      location: batch.location(of: Int(rows.rows[row].record)),
      entity: entity.name,
      field: name,
      value: value,
      message: "the column's type '\(excerpt(of: declared))' would turn '\(value)' into a number",
      remedy: "declare the column as TEXT"
    )
    return Rejection(record: Int(rows.rows[row].record), diagnostics: [diagnostic])
  }

  /// A value as messages show it.
  static func shown(_ value: Value, of text: borrowing TextBuffer) -> String {
    switch value {
    case .null: "NULL"
    case .absent: "no value"
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .text(let slice): excerpt(of: text.bytes(of: slice))
    case .blob(let slice): "\(slice.count) bytes"
    }
  }
}
