package import Records

/// Decodes base64 (RFC 4648, section 4) at the end of a buffer; line ends, blanks and tabs in it are skipped.
///
/// - Returns: nil when all was decoded, else the offset of the first byte at fault (the count when it ends too early);
///   the buffer is as it was then.
package func decodeBase64(_ text: Span<UInt8>, into output: inout TextBuffer) -> Int? {
  let start = output.count
  var bits: UInt32 = 0
  var sextets = 0
  var padding = 0
  for position in text.indices {
    let byte = text[position]
    let sextet: UInt32
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x20: continue
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): sextet = UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): sextet = UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): sextet = UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): sextet = 62
    case UInt8(ascii: "/"): sextet = 63
    case UInt8(ascii: "=") where sextets % 4 >= 2 && padding < 4 - sextets % 4:
      padding += 1
      continue
    default:
      output.truncate(to: start)
      return position
    }
    guard padding == 0 else {
      output.truncate(to: start)
      return position
    }
    bits = bits << 6 | sextet
    sextets += 1
    if sextets % 4 == 0 {
      output.append(UInt8(truncatingIfNeeded: bits >> 16))
      output.append(UInt8(truncatingIfNeeded: bits >> 8))
      output.append(UInt8(truncatingIfNeeded: bits))
    }
  }
  switch (sextets % 4, padding) {
  case (0, 0): return nil
  case (2, 2) where bits & 0xF == 0:
    output.append(UInt8(truncatingIfNeeded: bits >> 4))
    return nil
  case (3, 1) where bits & 0x3 == 0:
    output.append(UInt8(truncatingIfNeeded: bits >> 10))
    output.append(UInt8(truncatingIfNeeded: bits >> 2))
    return nil
  default:
    output.truncate(to: start)
    return text.count
  }
}
