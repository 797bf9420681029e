/// A 64-bit hash of some bytes, the same in every run.
///
/// Eight bytes a step are multiplied and folded, in the manner of wyhash; the last step may overlap the one before. It has
/// no secret: whatever is exact compares the bytes themselves, and nothing loops for long where hashes collide.
func valueHash(_ text: Span<UInt8>) -> UInt64 {
  let raw = unsafe text.bytes
  let count = raw.byteCount
  var hash = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15 ^ 0xA076_1D64_78BD_642F
  if count >= 8 {
    var position = 0
    while position + 8 < count {
      hash = fold(unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self), hash)
      position += 8
    }
    hash = fold(unsafe raw.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self), hash)
  } else if count >= 4 {
    let low = unsafe raw.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)
    let high = unsafe raw.unsafeLoadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
    hash = fold(UInt64(high) << 32 | UInt64(low), hash)
  } else if count > 0 {
    let word = UInt64(text[0]) << 16 | UInt64(text[count / 2]) << 8 | UInt64(text[count - 1])
    hash = fold(word, hash)
  }
  return fold(hash, 0x8EBC_6AF0_9C88_C6E3)
}

/// The halves of a 128-bit product, one upon the other.
@inline(__always)
func fold(_ word: UInt64, _ hash: UInt64) -> UInt64 {
  let product = (word ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: hash ^ 0x5899_65CC_7537_4CC3)
  return product.high ^ product.low
}

/// The first eight bytes as a number that orders as the bytes do; shorter texts are filled up with zeros.
func orderingPrefix(_ text: Span<UInt8>) -> UInt64 {
  if text.count >= 8 { return unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self).byteSwapped }
  var prefix: UInt64 = 0
  for index in text.indices { prefix = prefix << 8 | UInt64(text[index]) }
  return text.count == 0 ? 0 : prefix << UInt64(8 * (8 - text.count))
}

/// Whether two runs of bytes are the same.
func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  let first = unsafe left.bytes
  let second = unsafe right.bytes
  let count = first.byteCount
  guard count >= 8 else {
    for index in 0..<count where left[index] != right[index] { return false }
    return true
  }
  var position = 0
  while position + 8 < count {
    let isSame =
      unsafe first.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      == second.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
    guard isSame else { return false }
    position += 8
  }
  return unsafe first.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    == second.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
}

/// Whether the first run of bytes comes before the second, byte by byte.
func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  let count = min(left.count, right.count)
  var position = 0
  while position < count, left[position] == right[position] { position += 1 }
  return position < count ? left[position] < right[position] : left.count < right.count
}
