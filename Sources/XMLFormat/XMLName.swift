/// Writes any name as an XML name and reads it back, by the `_xHHHH_` escapes of ISO/IEC 9075-14, section 9.1.
///
/// `First name` is `First_x0020_name`; an underscore that would read as the start of an escape is `_x005F_`.
package enum XMLName {
  /// The XML name that stands for a name; names that are XML names already stay as they are.
  package static func encoding(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      let isAllowed = index == 0 ? isStart(scalar) : isPart(scalar)
      let opensEscape = scalar == "_" && escape(at: index, of: scalars) != nil
      if isAllowed && !opensEscape {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let width = digits.count > 4 ? 8 : 4
        result += "_x" + String(repeating: "0", count: width - digits.count) + digits + "_"
      }
    }
    return result.isEmpty ? "_x_" : result
  }

  /// The name that an XML name stands for.
  package static func decoding(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
    let scalars = Array(name.unicodeScalars)
    var result = ""
    var index = 0
    while index < scalars.count {
      if scalars[index] == "_", let (scalar, count) = escape(at: index, of: scalars) {
        if let scalar { result.unicodeScalars.append(scalar) }
        index += count
      } else {
        result.unicodeScalars.append(scalars[index])
        index += 1
      }
    }
    return result
  }

  /// The escape that begins at an underscore: what it stands for, nil for the empty name, and how long it is.
  private static func escape(at index: Int, of scalars: [Unicode.Scalar]) -> (scalar: Unicode.Scalar?, count: Int)? {
    guard index + 2 < scalars.count, scalars[index + 1] == "x" else { return nil }
    if index == 0, scalars.count == 3, scalars[2] == "_" { return (nil, 3) }
    for digitCount in [4, 8] where index + digitCount + 2 < scalars.count {
      guard scalars[index + digitCount + 2] == "_" else { continue }
      var value: UInt32 = 0
      var isHexadecimal = true
      for digit in scalars[index + 2..<index + 2 + digitCount] {
        guard digit.properties.isASCIIHexDigit, let number = UInt32(String(digit), radix: 16) else {
          isHexadecimal = false
          break
        }
        value = value << 4 | number
      }
      if isHexadecimal, let scalar = Unicode.Scalar(value) { return (scalar, digitCount + 3) }
    }
    return nil
  }

  /// Whether a name may begin with it; a colon would be read as the end of a prefix.
  private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
      0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: isStart(scalar)
    }
  }
}
