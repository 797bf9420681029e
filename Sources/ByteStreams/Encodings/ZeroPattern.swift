import Glibc

/// What zero bytes tell of an encoding: in UTF-16 and UTF-32 every ASCII character has some, and no other text has any.
enum ZeroPattern {
  /// How much of a sample is looked at.
  private static let byteCount = 64 << 10

  /// Whether there are zero bytes at all; without any it is neither UTF-16 nor UTF-32.
  static func hasZero(in sample: Span<UInt8>) -> Bool {
    let head = sample.extracting(first: min(sample.count, byteCount))
    return unsafe head.withUnsafeBufferPointer { bytes in
      unsafe bytes.baseAddress.map { unsafe memchr($0, 0, bytes.count) } ?? nil != nil
    }
  }

  /// The byte order of text in UTF-16; nil if it is something else.
  ///
  /// Its zero bytes stand on one side of the units, nearly all of them, at one unit in sixteen or more, beside ASCII characters that text
  /// has; and no line feed stands by itself, as one does in any other text.
  static func utf16Order(of sample: Span<UInt8>) -> Bool? {
    let count = min(sample.count, byteCount) & ~1
    guard count >= 2 else { return nil }
    var zeros = [0, 0]
    for position in 0..<count where sample[position] == 0 { zeros[position & 1] += 1 }
    let isBigEndian = zeros[0] > zeros[1]
    // Characters such as U+DE00 have theirs on the other side.
    guard max(zeros[0], zeros[1]) * 16 >= max(count / 2, 1), min(zeros[0], zeros[1]) * 2 <= max(zeros[0], zeros[1])
    else { return nil }
    if readsAsBytes(sample, count: count) { return nil }
    var unit = 0
    while unit < count {
      let (high, low) = isBigEndian ? (sample[unit], sample[unit + 1]) : (sample[unit + 1], sample[unit])
      let isControl = low < 0x20 && ![0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains(low) || low == 0x7F
      if high == 0, isControl { return nil }
      unit += 2
    }
    return lineFeedsArePaired(sample, count: count, isBigEndian: isBigEndian) ? isBigEndian : nil
  }

  /// Whether there are units without a zero, and both bytes of six in seven of them are ASCII that text has: a text
  /// with stray NULs.
  ///
  /// In UTF-16 such units are characters past Latin-1, of any two bytes.
  private static func readsAsBytes(_ sample: Span<UInt8>, count: Int) -> Bool {
    func isPlain(_ byte: UInt8) -> Bool {
      (0x20..<0x7F).contains(byte) || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
    var filled = 0
    var plain = 0
    for unit in stride(from: 0, to: count, by: 2) where sample[unit] != 0 && sample[unit + 1] != 0 {
      filled += 1
      if isPlain(sample[unit]), isPlain(sample[unit + 1]) { plain += 1 }
    }
    return filled > 0 && plain * 7 >= filled * 6
  }

  /// Whether most bytes that look like a line end are one; without any, whether most units are of small value.
  private static func lineFeedsArePaired(_ sample: Span<UInt8>, count: Int, isBigEndian: Bool) -> Bool {
    var paired = 0
    var single = 0
    var small = 0
    var unit = 0
    while unit < count {
      let (high, low) = isBigEndian ? (sample[unit], sample[unit + 1]) : (sample[unit + 1], sample[unit])
      if high == 0 { small += 1 }
      if low == 0x0A || low == 0x0D {
        if high == 0 { paired += 1 } else { single += 1 }
      } else if high == 0x0A || high == 0x0D {
        single += 1
      }
      unit += 2
    }
    return paired + single == 0 ? small * 4 >= count : single <= paired && paired > 0
  }

  /// The byte order of text in UTF-32; nil if it is something else.
  ///
  /// Seven in eight units are scalar values and not NUL, and half of all are below U+0100.
  static func utf32Order(of sample: Span<UInt8>, isWholeInput: Bool) -> Bool? {
    let count = min(sample.count, byteCount) & ~3
    guard count >= 8, !isWholeInput || sample.count > byteCount || sample.count % 4 == 0 else { return nil }
    for isBigEndian in [false, true] {
      var (low, invalid) = (0, 0)
      var position = 0
      while position < count {
        var unit: UInt32 = 0
        for place in 0..<4 { unit |= UInt32(sample[position + (isBigEndian ? 3 - place : place)]) << UInt32(8 * place) }
        if unit == 0 || unit >= 0x11_0000 { invalid += 1 }
        if unit > 0, unit < 0x100 { low += 1 }
        position += 4
      }
      if low * 8 >= count, invalid * 32 <= count { return isBigEndian }
    }
    return nil
  }
}
