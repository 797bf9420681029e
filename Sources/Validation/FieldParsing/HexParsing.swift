package import Records

/// Decodes two hexadecimal digits a byte at the end of a buffer; blanks, tabs and line ends between bytes are skipped, and
/// so are `0x` and `\x` at the beginning.
///
/// - Returns: nil when all was decoded, else the offset of the first byte at fault (the count when it ends too early);
///   the buffer is as it was then.
package func decodeHex(_ text: Span<UInt8>, into output: inout TextBuffer) -> Int? {
  let start = output.count
  var position = 0
  if text.count >= 2, text[1] | 0x20 == UInt8(ascii: "x"), text[0] == UInt8(ascii: "0") || text[0] == 0x5C {
    position = 2
  }
  var half: UInt8?
  while position < text.count {
    let byte = text[position]
    let digit: UInt8
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
    case 0x09 where half == nil, 0x0A where half == nil, 0x0D where half == nil, 0x20 where half == nil:
      position += 1
      continue
    default:
      output.truncate(to: start)
      return position
    }
    if let high = half {
      output.append(high << 4 | digit)
      half = nil
    } else {
      half = digit
    }
    position += 1
  }
  guard half == nil else {
    output.truncate(to: start)
    return text.count
  }
  return nil
}
