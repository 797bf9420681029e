import Glibc

/// The keys of one kind of record, each with the position of its column.
///
/// Fields mostly come in the order in which their columns were first met, so that order is tried first, then a hash.
struct ColumnTable: Sendable {
  private struct Key: Sendable {
    let offset: Int
    let count: Int
  }

  /// All keys, one behind the other, each with its colon.
  private var bytes: [UInt8] = []
  private var keys: [Key] = []
  /// Positions in `keys` by hash, -1 where free; a power of two, at most half full.
  private var slots: [Int32] = [Int32](repeating: -1, count: 16)

  var count: Int { keys.count }

  /// Whether the bytes begin with the key of a column and its colon; the offset after the colon if so.
  @inline(__always)
  func matches(_ column: Int, in text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    guard column < keys.count else { return nil }
    let key = keys[column]
    let after = start &+ key.count &+ 1
    guard after <= end, unsafe text[after &- 1] == UInt8(ascii: ":") else { return nil }
    let isSame = unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe Self.isEqual(base + key.offset, text + start, count: key.count)
    }
    return isSame ? after : nil
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
          return unsafe Self.isEqual(base + entry.offset, other, count: entry.count)
        }
        if isSame { return candidate }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a key that has no column yet; its column is the last.
  mutating func append(_ key: UnsafeBufferPointer<UInt8>) {
    keys.append(Key(offset: bytes.count, count: key.count))
    unsafe bytes.append(contentsOf: key)
    bytes.append(UInt8(ascii: ":"))
    if keys.count * 2 > slots.count {
      slots = [Int32](repeating: -1, count: slots.count * 2)
      for column in keys.indices { enter(column) }
    } else {
      enter(keys.count - 1)
    }
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

  /// Keys are short: a loop costs less than a call.
  @inline(__always)
  private static func isEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
    if count > 32 { return unsafe memcmp(left, right, count) == 0 }
    var position = 0
    while position &+ 8 <= count {
      let one = unsafe UnsafeRawPointer(left + position).loadUnaligned(as: UInt64.self)
      let other = unsafe UnsafeRawPointer(right + position).loadUnaligned(as: UInt64.self)
      if one != other { return false }
      position &+= 8
    }
    while position < count {
      if unsafe left[position] != right[position] { return false }
      position &+= 1
    }
    return true
  }
}
