import CSVFormat
import Diagnostics
package import EntityModel
import JSONFormat
package import Records
package import TestSupport
package import TextFormat
import XMLFormat

/// A format with a reader, in one of its dialects, and what holds of it beyond the laws of all.
package enum ReadableFormat: Sendable, Hashable {
  case csv(CSVDialect)
  case records
  case fixed(FixedWidthLayout)
  case outline(OutlineLayout)
  case plist(recordPath: String?)
  case xml(recordPath: String?, knownNames: [String])
  case json
  case ndjson

  /// Reads an input that comes in pieces.
  ///
  /// - Parameter usesLibXML2Alone: Whether even plain XML is left to libxml2.
  package func read(
    _ text: [UInt8],
    _ pieces: Pieces = .whole,
    limits: ReadLimits = ReadLimits(),
    usesLibXML2Alone alone: Bool = false
  ) -> Reading {
    var limits = limits
    limits.chunkByteCount = pieces.chunkByteCount
    let source = PiecedSource(text, pieces)
    switch self {
    case .csv(let dialect): return Reading(CSVReader(source, file: "in", dialect: dialect, limits: limits))
    case .records: return Reading(TextRecordsReader(source, file: "in", limits: limits))
    case .fixed(let layout): return Reading(FixedWidthReader(source, file: "in", layout: layout, limits: limits))
    case .outline(let layout): return Reading(OutlineReader(source, file: "in", layout: layout, limits: limits))
    case .plist(let path):
      return Reading(
        XMLReader(
          source,
          file: "in",
          recordPath: path,
          isPropertyList: true,
          usesLibXML2Alone: alone,
          limits: limits
        )
      )
    case .xml(let path, let names):
      return Reading(
        XMLReader(
          source,
          file: "in",
          recordPath: path,
          knownNames: names,
          usesLibXML2Alone: alone,
          limits: limits
        )
      )
    case .json: return Reading(JSONRecordReader(source, file: "in", format: .json, limits: limits))
    case .ndjson: return Reading(JSONRecordReader(source, file: "in", format: .ndjson, limits: limits))
    }
  }

  /// Checks every law on one input.
  ///
  /// - Parameter random: Says how the input is split.
  /// - Returns: The records, of the input as a whole.
  @discardableResult
  package func check(
    _ text: [UInt8],
    limits: ReadLimits = ReadLimits(),
    using random: inout SplitMix64
  ) throws(LawBreach) -> Reading {
    let reading = read(text, limits: limits)
    let pieces = Pieces(for: text.count, using: &random)
    var split = read(text, pieces, limits: limits)
    if wordsItsRefusalByChunk, let failure = reading.failure, let other = split.failure, failure.codes == other.codes {
      split.failure = failure
    }
    try ReaderLaws.checkSame(reading, split, pieces)
    guard reading.failure == nil else { return reading }
    try ReaderLaws.checkPlaces(reading, in: text, countsLines: countsLines)
    try checkRefiled(reading, limits)
    return reading
  }

  /// Checks that sound records in a file of their own are read as the same.
  private func checkRefiled(_ reading: Reading, _ limits: ReadLimits) throws(LawBreach) {
    switch self {
    case .csv(var dialect):
      // Repaired records have no fault and are not sound; a footer would take a record away.
      guard dialect.badRows == .reject, dialect.skippedFooterLines == 0 else { return }
      if dialect.header == .none, dialect.columns == nil { dialect.columns = reading.shapes[0].columns }
      // A CR before a record that begins with an LF, which is NULL in one column, becomes a CRLF.
      var limits = limits
      limits.recordByteCount += 1
      try ReaderLaws.checkRefiled(reading) { ReadableFormat.csv(dialect).read($0, limits: limits) }
    case .fixed(let layout) where layout.isRepairing || layout.hasRulers || layout.isFound || layout.isCutShort: break
    case .records where reading.shapes.count != 1: break  // Each kind would need its descriptor.
    case .xml, .plist: break  // Records may have different ancestors.
    case .outline(let layout):
      // The directives may be longer than a record of the test.
      var limits = limits
      limits.recordByteCount += 10_000
      try ReaderLaws.checkRefiled(reading, nested: true) { ReadableFormat.outline(layout).read($0, limits: limits) }
    default: try ReaderLaws.checkRefiled(reading) { read($0, limits: limits) }
    }
  }

  /// Whether lines are those of the input's bytes; XML may be in another encoding.
  private var countsLines: Bool { !isXML }

  /// Whether the words of a refusal depend on how much of the input is there, as those of libxml2 do.
  private var wordsItsRefusalByChunk: Bool { isXML }

  private var isXML: Bool {
    switch self {
    case .xml, .plist: true
    default: false
    }
  }
}

extension ReadError {
  /// The codes of a refusal.
  var codes: [DiagnosticCode] {
    guard case .refused(let diagnostics) = self else { return [] }
    return diagnostics.map(\.code)
  }
}
