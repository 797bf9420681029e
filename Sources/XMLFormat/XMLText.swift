import Records

/// What XML 1.0 can hold, and how characters are written (sections 2.2 and 2.4).
enum XMLText {
  /// Appends text as the content of an element; false, and nothing appended, if XML cannot hold it.
  ///
  /// `<`, `>` and `&` become entities, CR becomes `&#13;`, since a reader would make LF of it.
  static func append(_ bytes: Span<UInt8>, to output: inout TextBuffer) -> Bool {
    let start = output.count
    let isPlain = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe append(source, to: &output)
    }
    if !isPlain { output.truncate(to: start) }
    return isPlain
  }

  private static func append(_ source: UnsafeBufferPointer<UInt8>, to output: inout TextBuffer) -> Bool {
    guard let base = source.baseAddress else { return true }
    let count = source.count
    var position = 0
    while position < count {
      let plain = unsafe plainByteCount(base + position, count - position)
      unsafe output.fill(plain) { room in
        unsafe room.update(from: base + position, count: plain)
        return plain
      }
      position += plain
      guard position < count else { break }
      let byte = unsafe base[position]
      switch byte {
      case UInt8(ascii: "<"): output.append("&lt;")
      case UInt8(ascii: ">"): output.append("&gt;")
      case UInt8(ascii: "&"): output.append("&amp;")
      case 0x0D: output.append("&#13;")
      case 0x09, 0x0A: output.append(byte)
      default:
        guard let length = unsafe characterByteCount(base + position, count - position) else { return false }
        unsafe output.fill(length) { room in
          unsafe room.update(from: base + position, count: length)
          return length
        }
        position += length
        continue
      }
      position += 1
    }
    return true
  }

  /// How many bytes from here on are ASCII that needs no second look; eight at a time.
  private static func plainByteCount(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
    var position = 0
    while position + 8 <= count {
      let word = unsafe UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self)
      var found = word & highs
      found |= (word &- ones &* 0x20) & ~word & highs
      found |= zeros(word ^ ones &* 0x3C) | zeros(word ^ ones &* 0x3E) | zeros(word ^ ones &* 0x26)
      guard found == 0 else { break }
      position += 8
    }
    while position < count {
      let byte = unsafe bytes[position]
      if byte < 0x20 || byte >= 0x80 || byte == 0x3C || byte == 0x3E || byte == 0x26 { break }
      position += 1
    }
    return position
  }

  /// The bytes of the UTF-8 character that begins here; nil if it is none, or none that XML allows.
  private static func characterByteCount(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    let lead = unsafe bytes[0]
    func isContinuation(_ position: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      position < count && range.contains(unsafe bytes[position])
    }
    switch lead {
    case 0xC2...0xDF: return isContinuation(1) ? 2 : nil
    case 0xE0: return isContinuation(1, 0xA0...0xBF) && isContinuation(2) ? 3 : nil
    case 0xED: return isContinuation(1, 0x80...0x9F) && isContinuation(2) ? 3 : nil
    case 0xEF:
      guard isContinuation(1), isContinuation(2) else { return nil }
      // U+FFFE and U+FFFF are no characters.
      return unsafe bytes[1] == 0xBF && bytes[2] >= 0xBE ? nil : 3
    case 0xE1...0xEE: return isContinuation(1) && isContinuation(2) ? 3 : nil
    case 0xF0: return isContinuation(1, 0x90...0xBF) && isContinuation(2) && isContinuation(3) ? 4 : nil
    case 0xF1...0xF3: return isContinuation(1) && isContinuation(2) && isContinuation(3) ? 4 : nil
    case 0xF4: return isContinuation(1, 0x80...0x8F) && isContinuation(2) && isContinuation(3) ? 4 : nil
    default: return nil
    }
  }
}
