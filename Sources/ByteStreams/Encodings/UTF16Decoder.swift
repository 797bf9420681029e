import Records

/// UTF-16 (RFC 2781) in either byte order; half of a surrogate pair is invalid.
final class UTF16Decoder: TextDecoder {
  let isBigEndian: Bool
  var name: String { isBigEndian ? "UTF-16BE" : "UTF-16LE" }
  var isStateless: Bool { true }

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  func decode(
    _ input: UnsafeBufferPointer<UInt8>,
    isEnd: Bool,
    to room: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodeStep {
    var output = unsafe UTF8Room(room)
    var taken = 0
    let count = input.count
    let raw = UnsafeRawBufferPointer(input)
    // The bits that none of four ASCII units has set.
    let notASCII: UInt64 = isBigEndian ? 0x80FF_80FF_80FF_80FF : 0xFF80_FF80_FF80_FF80
    let lowShift: UInt64 = isBigEndian ? 8 : 0
    while taken + 2 <= count {
      while taken + 8 <= count, output.left >= 4 {
        let word = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: taken, as: UInt64.self))
        guard word & notASCII == 0 else { break }
        let units = word >> lowShift
        output.append(UInt8(truncatingIfNeeded: units))
        output.append(UInt8(truncatingIfNeeded: units >> 16))
        output.append(UInt8(truncatingIfNeeded: units >> 32))
        output.append(UInt8(truncatingIfNeeded: units >> 48))
        taken += 8
      }
      guard taken + 2 <= count else { break }
      let unit = unsafe self.unit(input, at: taken)
      guard unit & 0xF800 == 0xD800 else {
        guard output.append(scalar: unit) else { return DecodeStep(taken: taken, made: output.count) }
        taken += 2
        continue
      }
      if unit < 0xDC00, taken + 4 > count, !isEnd { break }
      let next = unit < 0xDC00 && taken + 4 <= count ? unsafe self.unit(input, at: taken + 2) : 0
      if next & 0xFC00 == 0xDC00 {
        let scalar = 0x1_0000 + (unit & 0x3FF) << 10 + next & 0x3FF
        guard output.append(scalar: scalar) else { break }
        taken += 4
      } else {
        guard output.appendInvalid() else { break }
        taken += 2
      }
    }
    if isEnd, count - taken == 1, output.appendInvalid() { taken = count }
    return DecodeStep(taken: taken, made: output.count)
  }

  @inline(__always)
  private func unit(_ input: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt32 {
    let (first, second) = unsafe (UInt32(input[position]), UInt32(input[position + 1]))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  func fault(in bytes: Span<UInt8>) -> SourceFault {
    bytes.count < 2
      ? SourceFault(byteCount: bytes.count, reason: "half of a code unit")
      : SourceFault(byteCount: 2, reason: "half of a surrogate pair")
  }

  func encode(_ text: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in scalars(of: text) {
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        bytes += isBigEndian ? [high, low] : [low, high]
      }
    }
    return bytes
  }
}
