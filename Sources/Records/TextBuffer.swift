/// A growing run of bytes: what a batch's slices point into.
///
/// The storage is always initialised to its full length, so that `read(2)` can fill its tail in place.
public struct TextBuffer: ~Copyable, Sendable {
  @usableFromInline
  internal var storage: [UInt8]
  @usableFromInline
  internal var used: Int

  /// How many bytes are in use.
  @inlinable
  public var count: Int { used }

  /// Makes an empty buffer with room for `capacity` bytes.
  @inlinable
  public init(capacity: Int = 0) {
    storage = [UInt8](repeating: 0, count: max(capacity, 1))
    used = 0
  }

  /// The room in bytes before the storage must grow.
  @inlinable
  public var capacity: Int { storage.count }

  /// The bytes in use.
  @inlinable
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(0..<count) }
  }

  /// The bytes of one slice.
  @_lifetime(borrow self)
  @inlinable
  public func bytes(of slice: TextSlice) -> Span<UInt8> {
    storage.span.extracting(Int(slice.offset)..<Int(slice.offset) + Int(slice.count))
  }

  /// The address of the bytes in use, for a C call; valid during `body`.
  ///
  /// The storage is never empty.
  @inlinable
  public func withUnsafeBytes<Result>(_ body: (UnsafePointer<UInt8>, _ count: Int) -> Result) -> Result {
    let count = count
    return unsafe storage.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the storage has room for a byte at least") }
      return unsafe body(base, count)
    }
  }

  /// Forgets the bytes from `newCount` on; keeps the storage.
  @inlinable
  public mutating func truncate(to newCount: Int) {
    precondition(newCount <= count)
    used = newCount
  }

  /// Makes room for `byteCount` more bytes.
  @inlinable
  public mutating func reserve(_ byteCount: Int) {
    if count + byteCount > storage.count { grow(by: byteCount) }
  }

  @usableFromInline
  internal mutating func grow(by byteCount: Int) {
    let needed = count + byteCount
    grow(to: max(needed, storage.count * 2))
  }

  /// Makes room for `byteCount` more bytes and no more: for big buffers whose last size is known.
  package mutating func reserveExactly(_ byteCount: Int) {
    let needed = count + byteCount
    guard needed > storage.count else { return }
    grow(to: needed)
  }

  private mutating func grow(to size: Int) {
    // Appending zeros takes a call for each of them in a build without optimisation, and most of the time of the tests.
    var grown = [UInt8](repeating: 0, count: size)
    let count = count
    unsafe grown.withUnsafeMutableBufferPointer { room in
      unsafe storage.withUnsafeBufferPointer { used in
        guard let room = room.baseAddress, let used = used.baseAddress else { return }
        unsafe room.update(from: used, count: count)
      }
    }
    storage = grown
  }

  /// Adds one byte.
  @inlinable
  public mutating func append(_ byte: UInt8) {
    if count == storage.count { reserve(1) }
    storage[count] = byte
    used += 1
  }

  /// Adds some bytes.
  @inlinable
  public mutating func append(_ bytes: Span<UInt8>) {
    unsafe fill(bytes.count) { room in
      unsafe bytes.withUnsafeBufferPointer { source in
        if let base = source.baseAddress { unsafe room.update(from: base, count: source.count) }
      }
      return bytes.count
    }
  }

  /// Adds a text's UTF-8.
  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      guard let base = utf8.baseAddress else { return }
      let count = utf8.count
      unsafe fill(count) { room in
        unsafe room.update(from: base, count: count)
        return count
      }
    }
  }

  /// Adds bytes that are already in this buffer, such as a field without its doubled quotes.
  package mutating func append(copyOf slice: TextSlice) {
    reserve(Int(slice.count))
    let count = count
    unsafe storage.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe (base + count).update(from: base + Int(slice.offset), count: Int(slice.count))
    }
    used += Int(slice.count)
  }

  /// Moves slices together, so that they follow the first without a gap.
  ///
  /// - Parameter slices: In ascending order; what stands between them is lost.
  /// - Returns: Where they stand now, as one slice.
  package mutating func join(_ slices: some Collection<TextSlice>) -> TextSlice {
    guard let first = slices.first else { return TextSlice(offset: 0, count: 0) }
    var end = Int(first.offset)
    unsafe storage.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for slice in slices {
        unsafe (base + end).update(from: base + Int(slice.offset), count: Int(slice.count))
        end += Int(slice.count)
      }
    }
    return TextSlice(Int(first.offset)..<end)
  }

  /// Lets `body` write at the end, in room for `byteCount` bytes, and takes as many as it says it wrote.
  ///
  /// It throws nothing on purpose: with errors of any type each call would look up metadata, which cost half of an export.
  @inlinable
  public mutating func fill(_ byteCount: Int, with body: (UnsafeMutablePointer<UInt8>) -> Int) {
    guard byteCount > 0 else { return }
    reserve(byteCount)
    let count = count
    let written = unsafe storage.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe body(base + count)
    }
    precondition((0...byteCount).contains(written))
    used += written
  }

  /// Moves the bytes from `start` on to the front and forgets the ones before.
  package mutating func removePrefix(_ start: Int) {
    precondition((0...count).contains(start))
    let rest = count - start
    if start > 0, rest > 0 {
      unsafe storage.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe base.update(from: base + start, count: rest)
      }
    }
    used = rest
  }
}

/// A run of bytes in a batch's text.
public struct TextSlice: Sendable, Hashable {
  /// Offset of the first byte in the text.
  public var offset: UInt32
  /// How many bytes.
  public var count: UInt32

  /// Makes a slice; a batch's text stays below 4 GiB, since a record is at most 1 GiB.
  @inlinable
  public init(offset: UInt32, count: UInt32) {
    self.offset = offset
    self.count = count
  }

  /// Makes a slice of whole numbers that fit.
  @inlinable
  public init(_ range: Range<Int>) {
    offset = UInt32(truncatingIfNeeded: range.lowerBound)
    count = UInt32(truncatingIfNeeded: range.upperBound - range.lowerBound)
  }

  /// The slice as a range of offsets.
  @inlinable
  public var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

extension [UInt8] {
  /// Makes a copy of some bytes, all at once.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }
}
