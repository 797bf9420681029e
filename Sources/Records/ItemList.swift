/// A list of values as one text: a JSON array of strings and whole numbers, which SQLite takes apart itself.
///
/// ```text
/// ["rock","a \"b\"",12,null]
/// ```
package enum ItemList {
  /// Appends one item, and the bracket or comma before it.
  ///
  /// - Parameters:
  ///   - value: Bytes have no place in a list, and are NULL there.
  ///   - bytes: What a text is.
  ///   - isFirst: Whether it begins the list.
  ///   - list: Ended by `end(_:)`.
  package static func append(_ value: Value, bytes: Span<UInt8>, isFirst: Bool, to list: inout TextBuffer) {
    list.append(isFirst ? UInt8(ascii: "[") : UInt8(ascii: ","))
    switch value {
    case .null, .absent, .blob: list.append("null")
    case .integer(let number): ValueSpelling.append(number, to: &list)
    case .real(let number):
      // A string, since SQLite would print a number with fewer digits; the column makes one of it again.
      list.append(UInt8(ascii: "\""))
      list.append(number.description)
      list.append(UInt8(ascii: "\""))
    case .text: appendString(bytes, to: &list)
    }
  }

  /// Ends a list that has an item.
  package static func end(_ list: inout TextBuffer) { list.append(UInt8(ascii: "]")) }

  private static func appendString(_ bytes: Span<UInt8>, to list: inout TextBuffer) {
    list.append(UInt8(ascii: "\""))
    var start = 0
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      list.append(bytes.extracting(start..<index))
      start = index + 1
      if byte < 0x20 {
        list.append("\\u00\(byte < 16 ? "0" : "1")")
        list.append(hexDigit(byte & 15))
      } else {
        list.append(UInt8(ascii: "\\"))
        list.append(byte)
      }
    }
    list.append(bytes.extracting(start..<bytes.count))
    list.append(UInt8(ascii: "\""))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  /// Finds the next item of a list.
  ///
  /// - Parameters:
  ///   - list: As `append` or SQLite's `json_group_array` writes it.
  ///   - position: Where to go on, 0 at first; behind the item afterwards.
  /// - Returns: Where the item stands; nil at the end.
  package static func next(in list: Span<UInt8>, at position: inout Int) -> Range<Int>? {
    // Past the bracket or the comma.
    var start = position + 1
    while start < list.count, list[start] == 0x20 { start += 1 }
    guard start < list.count, list[start] != UInt8(ascii: "]") else { return nil }
    var end = start
    if list[start] == UInt8(ascii: "\"") {
      end += 1
      while end < list.count, list[end] != UInt8(ascii: "\"") { end += list[end] == UInt8(ascii: "\\") ? 2 : 1 }
      end = min(end + 1, list.count)
    } else {
      while end < list.count, list[end] != UInt8(ascii: ","), list[end] != UInt8(ascii: "]") { end += 1 }
    }
    position = end
    return start..<end
  }

  /// What an item means; a text is appended to `text`.
  package static func value(of item: Span<UInt8>, into text: inout TextBuffer) -> Value {
    guard item.count > 0 else { return .null }
    switch item[0] {
    case UInt8(ascii: "\""):
      let start = text.count
      appendUnescaped(item.extracting(1..<max(1, item.count - 1)), to: &text)
      return .text(TextSlice(start..<text.count))
    case UInt8(ascii: "n"): return .null
    default:
      var bytes: [UInt8] = []
      for index in item.indices { bytes.append(item[index]) }
      let spelling = String(decoding: bytes, as: UTF8.self)
      return Int64(spelling).map(Value.integer) ?? Double(spelling).map(Value.real) ?? .null
    }
  }

  private static func appendUnescaped(_ bytes: Span<UInt8>, to text: inout TextBuffer) {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        text.append(bytes[index])
        index += 1
        continue
      }
      let kind = bytes[index + 1]
      index += 2
      switch kind {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "u"):
        // SQLite and `append` write control characters alone so.
        var code: UInt8 = 0
        for offset in 0..<4 where index + offset < bytes.count {
          let digit = bytes[index + offset]
          code = code &* 16 &+ (digit < 0x3A ? digit &- 0x30 : (digit | 0x20) &- 0x57)
        }
        text.append(code)
        index += 4
      default: text.append(kind)
      }
    }
  }
}
