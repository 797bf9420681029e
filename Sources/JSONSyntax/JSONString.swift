/// What JSON strings are made of: escapes, in both directions.
package enum JSONString {
  /// Appends what a string means, from the bytes between its quotes.
  ///
  /// - Parameters:
  ///   - raw: Bytes that a tokenizer has accepted.
  ///   - output: Receives the text; bytes that are not escapes are copied as they are.
  /// - Returns: Offset in `raw` of an escape that names half a surrogate pair without the other, where `output` then
  ///   ends; nil when all is well.
  package static func appendUnescaped(_ raw: Span<UInt8>, to output: inout [UInt8]) -> Int? {
    var offset = 0
    while offset < raw.count {
      let byte = raw[offset]
      guard byte == UInt8(ascii: "\\"), offset + 1 < raw.count else {
        output.append(byte)
        offset += 1
        continue
      }
      switch raw[offset + 1] {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"):
        guard let (scalar, length) = scalar(at: offset, in: raw) else { return offset }
        output.append(contentsOf: scalar.utf8)
        offset += length
        continue
      case let other: output.append(other)
      }
      offset += 2
    }
    return nil
  }

  /// Appends a string with its quotes, escaped so that it may also stand inside a script.
  ///
  /// Control characters, quotes, backslashes, DEL, U+2028 and U+2029 are escaped; everything else is copied.
  ///
  /// - Returns: Offset in `text` of the first byte that is not UTF-8, in which case `output` is as it was; nil when all is
  ///   well.
  package static func appendEscaped(_ text: Span<UInt8>, to output: inout [UInt8]) -> Int? {
    if let offset = firstInvalidByte(in: text) { return offset }
    output.append(UInt8(ascii: "\""))
    var start = 0
    var offset = 0
    func copyRun(_ output: inout [UInt8]) {
      guard start < offset else { return }
      unsafe text.extracting(start..<offset).withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
    while offset < text.count {
      let byte = text[offset]
      let isSeparator =
        byte == 0xE2 && offset + 2 < text.count && text[offset + 1] == 0x80 && text[offset + 2] & 0xFE == 0xA8
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || isSeparator
      else {
        offset += 1
        continue
      }
      copyRun(&output)
      output.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
      case 0x08: output.append(UInt8(ascii: "b"))
      case 0x0C: output.append(UInt8(ascii: "f"))
      case 0x0A: output.append(UInt8(ascii: "n"))
      case 0x0D: output.append(UInt8(ascii: "r"))
      case 0x09: output.append(UInt8(ascii: "t"))
      default: appendUnit(isSeparator ? 0x2000 | UInt16(text[offset + 2] & 0x3F) : UInt16(byte), to: &output)
      }
      offset += isSeparator ? 3 : 1
      start = offset
    }
    copyRun(&output)
    output.append(UInt8(ascii: "\""))
    return nil
  }

  /// Offset of the first byte that is not part of valid UTF-8; nil when all of it is.
  package static func firstInvalidByte(in text: Span<UInt8>) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: text)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x41 + 10
    case 0x61...0x66: UInt32(byte) - 0x61 + 10
    default: nil
    }
  }

  /// The scalar of a `\u` escape, or of two that make a surrogate pair, and how many bytes it took.
  private static func scalar(at offset: Int, in raw: Span<UInt8>) -> (Unicode.Scalar, length: Int)? {
    guard let first = unit(at: offset, in: raw) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    guard first < 0xDC00, let second = unit(at: offset + 6, in: raw), (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return nil }
    return (scalar, 12)
  }

  private static func unit(at offset: Int, in raw: Span<UInt8>) -> UInt32? {
    guard offset + 6 <= raw.count, raw[offset] == UInt8(ascii: "\\"), raw[offset + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var value: UInt32 = 0
    for position in offset + 2..<offset + 6 {
      guard let digit = hexDigit(raw[position]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func appendUnit(_ unit: UInt16, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
