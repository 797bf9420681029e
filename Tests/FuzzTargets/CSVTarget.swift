import CSVFormat
import EntityModel
import Records
import TestSupport

/// The reader of delimited text in a dialect of the input's first four bytes, or in the one that is detected.
enum CSVTarget {
  static func run(_ bytes: [UInt8]) throws(LawBreach) {
    var input = FuzzInput(bytes)
    let isDetected = input.byte() == UInt8(ascii: "?")
    var dialect = isDetected ? CSVDialect() : Self.dialect(&input)
    let limits = isDetected ? ReadLimits() : Self.limits(&input)
    let text = input.bytes
    if isDetected {
      dialect = detect(text)
      try expect(dialect.contradiction == nil, "the detected dialect \(dialect) contradicts itself")
    }
    var random = SplitMix64(seed: bytes.seed)
    let reading = try ReadableFormat.csv(dialect).check(text, limits: limits, using: &random)
    if reading.failure == nil { try checkCovers(reading, text, dialect) }
  }

  /// Checks that what is in no record is the head, the footer, an empty line or a comment.
  private static func checkCovers(_ reading: Reading, _ text: [UInt8], _ dialect: CSVDialect) throws(LawBreach) {
    let comment = Array((dialect.comment ?? "").utf8)
    let end = text.count - reading.framing.closing.count
    try expect(
      text.starts(with: reading.framing.opening),
      "the opening \(shown(reading.framing.opening)) does not lead"
    )
    try expect(
      text[end...].elementsEqual(reading.framing.closing),
      "the closing \(shown(reading.framing.closing)) is not"
    )
    var position = reading.framing.opening.count
    for record in reading.records.map({ (start: Int($0.offset), end: Int($0.end)) }) + [(start: end, end: end)] {
      try expect(record.start >= position, "a record begins at \(record.start), before the head ends at \(position)")
      let skipped = text[position..<record.start]
      for line in skipped.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
        try expect(
          !comment.isEmpty && line.starts(with: comment),
          "\(shown(line)) was passed over in \(shown(skipped))"
        )
      }
      position = record.end
    }
    if dialect.badRows == .repair {
      for record in reading.records where record.faults.isEmpty {
        try expect(
          record.cells.count <= reading.shapes[0].columns.count,
          "the repaired record \(shown(record.raw)) is too wide"
        )
      }
    }
  }

  private static func dialect(_ input: inout FuzzInput) -> CSVDialect {
    var dialect = CSVDialect(delimiter: input.pick([",", ";", "\t", "|", "::", " ", "ab", "¦"]))
    let bits = input.byte()
    dialect.quote = ["\"", "'", nil, "“"][Int(bits & 3)]
    dialect.escape = [nil, nil, "\\", dialect.quote][Int(bits >> 2 & 3)]
    if dialect.quote == nil { dialect.escape = nil }
    dialect.comment = bits & 16 == 0 ? nil : bits & 32 == 0 ? "#" : "//"
    dialect.badRows = bits & 64 == 0 ? .reject : .repair
    let head = input.byte()
    dialect.header = [.lines(1), .none, .lines(2), .none][Int(head & 3)]
    if head & 4 != 0 { dialect.columns = ["a", "b", "c"] }
    dialect.skippedLines = Int(head >> 3 & 3)
    dialect.skippedFooterLines = Int(head >> 5 & 3) == 3 ? 1 : 0
    return dialect
  }

  private static func limits(_ input: inout FuzzInput) -> ReadLimits {
    switch input.byte() & 7 {
    case 1: ReadLimits(recordByteCount: 40)
    case 2: ReadLimits(fieldByteCount: 20)
    case 3: ReadLimits(columnCount: 5)
    default: ReadLimits()
    }
  }

  private static func detect(_ text: [UInt8]) -> CSVDialect {
    CSVDetector.detect(
      sample: text.span,
      isWholeInput: true,
      told: CSVSettings(),
      knownNames: text.count % 2 == 0 ? [] : ["id", "name"],
      defaultDelimiter: ",",
      assumesHeader: text.count % 3 != 0
    ).dialect
  }
}
