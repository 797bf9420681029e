import Records
import TestSupport
import XMLFormat

/// The guard before libxml2, and the reader behind it.
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
  }
}
