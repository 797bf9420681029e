import Records
import TestSupport
import XMLFormat

/// Our own parser of plain XML, the guard before libxml2, and the reader behind both.
enum XMLTarget {
  static func run(_ bytes: [UInt8]) throws(LawBreach) {
    var input = FuzzInput(bytes)
    let settings = input.byte()
    let path = [nil, nil, "a", "/r/a"][Int(settings & 3)]
    let format =
      settings & 32 == 0
      ? ReadableFormat.xml(recordPath: path, knownNames: settings & 4 == 0 ? [] : ["a", "b"])
      : ReadableFormat.plist(recordPath: path)
    let limits =
      settings & 24 == 24 ? ReadLimits(recordByteCount: 200, fieldByteCount: 30, columnCount: 5) : ReadLimits()
    let text = input.bytes
    _ = XMLDetector.detect(sample: text.span)
    var random = SplitMix64(seed: bytes.seed)
    try format.check(text, limits: limits, using: &random)
    let pieces = Pieces(for: text.count, using: &random)
    let plain = format.read(text, pieces, limits: limits)
    var other = format.read(text, pieces, limits: limits, usesLibXML2Alone: true)
    // Where libxml2 ends for want of a look ahead, its words depend on how the input is cut; and so may the column.
    if let failure = plain.failure, failure.codes == other.failure?.codes { other.failure = failure }
    try ReaderLaws.checkSame(other, plain, "without libxml2, \(pieces)")
  }
}
