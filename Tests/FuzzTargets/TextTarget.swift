import EntityModel
import Records
import TestSupport
import TextFormat

/// The readers and detectors of plain text; the first byte says which layout.
///
/// ```text
/// bits 0-1  1: small limits        bits 2-3  records or outline, fixed, lines, what is found
/// bit 4     outline, comments, or a name    bits 5-7  more of the layout
/// ```
enum TextTarget {
  static func run(_ bytes: [UInt8]) throws(LawBreach) {
    var input = FuzzInput(bytes)
    let settings = input.byte()
    let limits = settings & 3 == 1 ? ReadLimits(recordByteCount: 200, fieldByteCount: 30) : ReadLimits()
    let text = input.bytes
    _ = TextRecordsDetector.detect(sample: text.span, isWholeInput: text.count % 2 == 0)
    var told = FixedWidthLayout(columns: [])
    if settings & 16 != 0 { told.comment = "#" }
    if settings & 32 != 0 { told.skippedLineCount = 1 }
    let detected = FixedWidthDetector.detect(
      sample: text.span,
      isWholeInput: text.count % 2 == 0,
      settings: told,
      toldHeader: nil,
      knownNames: []
    )
    let format: ReadableFormat
    switch settings >> 2 & 3 {
    case 1:
      told.columns = [
        CharacterRange(first: 1, last: 3), CharacterRange(first: 4, last: 8),
        CharacterRange(first: 10, last: settings & 64 == 0 ? nil : 12),
      ]
      told.headerLineCount = settings & 128 == 0 ? 0 : 1
      told.isRepairing = settings & 192 == 192
      format = .fixed(told)
    case 2: format = .fixed(.lines(named: settings & 16 == 0 ? nil : "line"))
    case 3:
      guard let layout = detected.layout else { return }
      format = .fixed(layout)
    case _ where settings & 16 != 0: format = .outline(outline(settings, text))
    default: format = .records
    }
    var random = SplitMix64(seed: bytes.seed)
    try format.check(text, limits: limits, using: &random)
  }

  private static func outline(_ settings: UInt8, _ text: [UInt8]) -> OutlineLayout {
    let comment = settings & 32 != 0 ? "#" : nil
    var layout: OutlineLayout
    switch settings >> 6 {
    case 0: layout = OutlineLayout(style: .labels)
    case 1: layout = OutlineLayout(style: .cells(delimiter: "|"))
    case 2: layout = OutlineLayout(style: .cells(delimiter: nil))
    default:
      layout =
        OutlineDetector.detect(
          sample: text.span,
          isWholeInput: text.count % 2 == 0,
          comment: comment,
          skippedLineCount: 0,
          delimiter: nil
        ).layout
    }
    layout.comment = comment
    return layout
  }
}
