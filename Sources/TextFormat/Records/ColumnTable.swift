import Glibc

/// The keys of one kind of record, each with the position of its column.
///
/// Fields mostly come in the order in which their columns were first met, so that order is tried first, then a hash.
struct ColumnTable: Sendable {
  private struct Key: Sendable {
    let offset: Int
    let count: Int
    /// The first eight bytes of the key with its colon, and which bits of them count.
    let word: UInt64
    let mask: UInt64
  }

  /// All keys, one behind the other, each with its colon.
  private var bytes: [UInt8] = []
  private var keys: [Key] = []
  /// Positions in `keys` by hash, -1 where free; a power of two, at most half full.
  private var slots: [Int32] = [Int32](repeating: -1, count: 16)

  var count: Int { keys.count }

  /// Whether the bytes begin with the key of a column and its colon; the offset after the colon if so.
  ///
  /// - Parameter text: Readable for eight bytes past `end`.
  @inline(__always)
  func matches(_ column: Int, in text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    guard column < keys.count else { return nil }
    let key = keys[column]
    let after = start &+ key.count &+ 1
    guard after <= end, unsafe (Self.word(at: text + start) ^ key.word) & key.mask == 0 else { return nil }
    if key.count < 8 { return after }
    return unsafe matchesRest(of: key, at: text + start) ? after : nil
  }

  /// Whether a key of eight bytes or more goes on as its first eight bytes promise.
  private func matchesRest(of key: Key, at text: UnsafePointer<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe memcmp(base + key.offset + 8, text + 8, key.count - 7) == 0
    }
  }

  /// The column of a key.
  func column(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    var slot = unsafe hash(key) & (slots.count - 1)
    while slots[slot] >= 0 {
      let candidate = Int(slots[slot])
      let entry = keys[candidate]
      if entry.count == key.count {
        let isSame = unsafe bytes.withUnsafeBufferPointer { buffer in
          guard let base = buffer.baseAddress, let other = key.baseAddress else { return false }
          return unsafe memcmp(base + entry.offset, other, entry.count) == 0
        }
        if isSame { return candidate }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a key that has no column yet; its column is the last.
  mutating func append(_ key: UnsafeBufferPointer<UInt8>) {
    let offset = bytes.count
    unsafe bytes.append(contentsOf: key)
    bytes.append(UInt8(ascii: ":"))
    var word: UInt64 = 0
    var mask: UInt64 = 0
    for (index, byte) in bytes[offset...].prefix(8).enumerated() {
      word |= UInt64(byte) << (8 * index)
      mask |= 0xFF << (8 * index)
    }
    keys.append(Key(offset: offset, count: key.count, word: word, mask: mask))
    if keys.count * 2 > slots.count {
      slots = [Int32](repeating: -1, count: slots.count * 2)
      for column in keys.indices { enter(column) }
    } else {
      enter(keys.count - 1)
    }
  }

  /// Forgets the last columns.
  mutating func removeLast(_ excess: Int) {
    keys.removeLast(excess)
    bytes.removeLast(bytes.count - (keys.last.map { $0.offset + $0.count + 1 } ?? 0))
    slots = [Int32](repeating: -1, count: slots.count)
    for column in keys.indices { enter(column) }
  }

  private mutating func enter(_ column: Int) {
    let key = keys[column]
    var slot = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe hash(UnsafeBufferPointer(rebasing: buffer[key.offset..<key.offset + key.count]))
    }
    slot &= slots.count - 1
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(column)
  }

  /// Seeded anew in each process, so that no input can be made to collide.
  private func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: UnsafeRawBufferPointer(key))
    return hasher.finalize()
  }

  @inline(__always)
  private static func word(at bytes: UnsafePointer<UInt8>) -> UInt64 {
    unsafe UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }
}
