import EntityModel
import Records
import TestSupport
import TextFormat

/// The readers and detectors of plain text; the first byte says which layout.
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
    default: format = .records
    }
    var random = SplitMix64(seed: bytes.seed)
    try format.check(text, limits: limits, using: &random)
  }
}
