import CSVFormat
import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

/// What was written is read as the same table, in every dialect.
@Suite struct CSVRoundTrip {
  static let dialects: [CSVDialect] = [
    CSVDialect(),
    CSVDialect(delimiter: "\t"),
    CSVDialect(delimiter: ";", quote: "'"),
    CSVDialect(delimiter: "||"),
    CSVDialect(delimiter: "§", quote: "«"),
    CSVDialect(delimiter: "-"),
    .with { $0.escape = "\\" },
    .with { $0.comment = "#" },
    .with {
      $0.comment = "##"
      $0.escape = "\\"
      $0.delimiter = "|"
    },
    .with { $0.nullTokens = ["NA", "a"] },
    .with { $0.header = .none },
  ]

  static let pieces = [
    "\"", "\"\"", "'", "«", ",", ";", "|", "||", "\t", "§", "-", "\\", "\n", "\r", "\r\n", "\0", "\u{FEFF}", "#", "##",
    "a", "NA", " ", "é", "12", "\u{1F600}", String(repeating: "x", count: 63),
  ]

  static func value(_ random: inout SplitMix64) -> Written {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .null
    case 1: return ""
    case 2: return .integer(Int64.random(in: -99...99, using: &random))
    default:
      var text = ""
      for _ in 0..<Int.random(in: 1...5, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      return .text(Array(text.utf8))
    }
  }

  @Test(arguments: dialects, 0..<6 as Range<UInt64>)
  func `reading what was written gives the same table`(dialect: CSVDialect, group: UInt64) throws {
    for seed in group * 60..<(group + 1) * 60 {
      var random = SplitMix64(seed: seed)
      let width = Int.random(in: 1...4, using: &random)
      let rows = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        (0..<width).map { _ in Self.value(&random) }
      }
      let names = (0..<width).map { "\($0) \(Self.pieces.randomElement(using: &random) ?? "")".filter { $0 != "\0" } }
      let columns = textColumns(names)
      var dialect = dialect
      let bytes = try write(rows, columns: columns, dialect, header: dialect.header != .none)
      if dialect.header == .none { dialect.columns = names }
      let table = try read(bytes, dialect, chunkSize: chunkSizes[Int(seed % 7)])
      #expect(table.columns == names, "seed \(seed)")
      let expected = rows.map { $0.map(Self.cell) }
      #expect(table.cells == expected, "seed \(seed)")
      #expect(table.codes.joined().isEmpty, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `without quotes a table comes back or is refused`(group: UInt64) throws {
    var refusals = 0
    for seed in group * 60..<(group + 1) * 60 {
      var random = SplitMix64(seed: seed)
      let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in [Self.value(&random), Self.value(&random)] }
      let dialect = CSVDialect(delimiter: seed % 2 == 0 ? "||" : ",", quote: nil)
      guard let bytes = try? write(rows, columns: textColumns(["a", "b"]), dialect) else {
        refusals += 1
        continue
      }
      let table = try read(bytes, dialect)
      let expected = rows.map { $0.map(Self.cell) }
      #expect(table.cells == expected, "seed \(seed)")
    }
    #expect((1..<60).contains(refusals))
  }

  /// The cell that a value is read as.
  static func cell(_ value: Written) -> Cell {
    switch value {
    case .text(let bytes): Cell(bytes)
    case .integer(let number): .text("\(number)")
    case .null, .real, .blob: .null
    }
  }
}
