import Records

/// UTF-32 in either byte order; surrogates and what lies past U+10FFFF are invalid.
final class UTF32Decoder: TextDecoder {
  let isBigEndian: Bool
  var name: String { isBigEndian ? "UTF-32BE" : "UTF-32LE" }
  var isStateless: Bool { true }

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  func decode(
    _ input: UnsafeBufferPointer<UInt8>,
    isEnd: Bool,
    to room: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodeStep {
    var output = unsafe UTF8Room(room)
    var taken = 0
    while taken + 4 <= input.count {
      let scalar = unsafe self.unit(input, at: taken)
      let isValid = scalar < 0x11_0000 && scalar & 0xFFFF_F800 != 0xD800
      guard isValid ? output.append(scalar: scalar) : output.appendInvalid() else {
        return DecodeStep(taken: taken, made: output.count)
      }
      taken += 4
    }
    if isEnd, taken < input.count, output.appendInvalid() { taken = input.count }
    return DecodeStep(taken: taken, made: output.count)
  }

  @inline(__always)
  private func unit(_ input: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt32 {
    let word = unsafe UnsafeRawBufferPointer(input).loadUnaligned(fromByteOffset: position, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }

  func fault(in bytes: Span<UInt8>) -> SourceFault {
    guard bytes.count >= 4 else { return SourceFault(byteCount: bytes.count, reason: "a part of a code unit") }
    let unit = unsafe bytes.withUnsafeBufferPointer { unsafe self.unit($0, at: 0) }
    return SourceFault(
      byteCount: 4,
      reason: unit < 0x11_0000 ? "half of a surrogate pair" : "past the last code point, U+10FFFF"
    )
  }

  func encode(_ text: Span<UInt8>) -> [UInt8] {
    scalars(of: text).flatMap { scalar in
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
      return isBigEndian ? bytes : bytes.reversed()
    }
  }
}
