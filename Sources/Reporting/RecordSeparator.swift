/// Knows how much of a separator a record ends with already; see `RejectFraming.separator` for the rule.
struct RecordSeparator {
  private let bytes: [UInt8]
  private let units: [Unit]

  /// A line end of any kind, or another byte, with the place behind it.
  private struct Unit {
    static let lineEnd: UInt8 = 0x0A
    let value: UInt8
    let end: Int
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    units = Self.units(of: bytes)
  }

  /// Whether it only ends lines, and so may stand before the closing, too.
  var isLineEnds: Bool { units.allSatisfy { $0.value == Unit.lineEnd } }

  /// The part of the separator to be written after a record.
  func missing(after record: Span<UInt8>) -> ArraySlice<UInt8> {
    guard !units.isEmpty else { return [] }
    // A unit has two bytes at most; one more byte tells whether the first of them belongs to a CRLF.
    let start = max(record.count - 2 * units.count - 1, 0)
    var tail: [UInt8] = []
    for index in start..<record.count { tail.append(record[index]) }
    let ending = Self.units(of: tail)
    for count in stride(from: min(units.count, ending.count), to: 0, by: -1) {
      let isThere = zip(ending.suffix(count), units).allSatisfy { $0.value == $1.value }
      if isThere { return bytes[units[count - 1].end...] }
    }
    return bytes[...]
  }

  private static func units(of bytes: [UInt8]) -> [Unit] {
    var units: [Unit] = []
    var position = 0
    while position < bytes.count {
      let isCRLF = bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
      let value = bytes[position] == 0x0D ? Unit.lineEnd : bytes[position]
      position += isCRLF ? 2 : 1
      units.append(Unit(value: value, end: position))
    }
    return units
  }
}
