import CZlib
package import Diagnostics
package import Records

/// How far compressed input may expand, so that a small file cannot fill a disk.
package struct ExpansionLimits: Sendable, Hashable {
  /// The most bytes of content for one byte of input.
  package var ratio: Int64
  /// The content up to which the ratio is not looked at, in bytes.
  package var freeByteCount: Int64
  /// The most content, in bytes.
  package var byteCount: Int64

  /// The documented defaults: 1,000 times once there are more than 10 MiB, and 1 TiB.
  package init(ratio: Int64 = 1000, freeByteCount: Int64 = 10 << 20, byteCount: Int64 = 1 << 40) {
    self.ratio = ratio
    self.freeByteCount = freeByteCount
    self.byteCount = byteCount
  }
}

/// The content of a gzip stream of one or more members (RFC 1952).
///
/// The end of the input within a member, a wrong checksum, and anything but zero bytes (the padding of tapes and block
/// devices) after the last member are failures, so that a cut transfer is never taken for a whole file.
package struct GzipByteSource: ByteSource, ~Copyable {
  private enum Place { case betweenMembers, inMember, padding, ended }

  private var source: any ByteSource & ~Copyable
  private let path: String
  private let limits: ExpansionLimits
  private let inflater: Inflater
  private var input: TextBuffer
  private var position = 0
  private var place = Place.betweenMembers
  private var memberCount = 0
  private var bytesIn: Int64 = 0
  private var bytesOut: Int64 = 0

  private static let inputByteCount = 64 << 10

  /// Decompresses a source; whether it is gzip at all is the caller's to know (`isGzip`).
  ///
  /// - Parameter path: The input's name, for messages.
  package init(
    _ source: consuming any ByteSource & ~Copyable,
    path: String,
    limits: ExpansionLimits = ExpansionLimits()
  ) throws(ReadError) {
    self.source = source
    self.path = path
    self.limits = limits
    input = TextBuffer(capacity: Self.inputByteCount)
    inflater = Inflater()
    if inflater.handle.address == 0 { throw .failed(path: path, reason: "there is no memory to decompress it") }
  }

  package mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    guard byteCount > 0 else { return 0 }
    while place != .ended {
      if position == input.count {
        input.truncate(to: 0)
        position = 0
        if try source.read(Self.inputByteCount, into: &input) == 0 {
          try end()
          break
        }
      }
      switch place {
      case .inMember:
        let count = try inflate(byteCount, into: &text)
        if count > 0 { return count }
      case .betweenMembers, .padding: try beginMember()
      case .ended: break
      }
    }
    return 0
  }

  /// The input has ended; that is right only where no member is open.
  private mutating func end() throws(ReadError) {
    if place == .inMember || memberCount == 0 {
      throw .failed(path: path, reason: "the gzip data breaks off after \(bytesIn) bytes; it was cut short")
    }
    place = .ended
  }

  /// Looks at the first byte of whatever comes next.
  private mutating func beginMember() throws(ReadError) {
    let first = input.bytes[position]
    switch first {
    case 0x1F where place == .betweenMembers:
      if memberCount > 0, czlib_inflater_reset(inflater.handle) == 0 { throw damaged() }
      place = .inMember
      memberCount += 1
    case 0 where memberCount > 0:
      place = .padding
      position += 1
      bytesIn += 1
    default:
      throw memberCount == 0 ? damaged() : trailing()
    }
  }

  private mutating func inflate(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    var step = czlib_step()
    unsafe text.fill(byteCount) { room in
      step = unsafe input.withUnsafeBytes { bytes, count in
        unsafe czlib_inflate(inflater.handle, bytes + position, count - position, room, byteCount)
      }
      return step.made
    }
    position += step.taken
    bytesIn += Int64(step.taken)
    bytesOut += Int64(step.made)
    switch step.status {
    case CZLIB_MORE: break
    case CZLIB_END: place = .betweenMembers
    case CZLIB_NO_MEMORY: throw .failed(path: path, reason: "there is no memory to decompress it")
    default: throw damaged()
    }
    try checkExpansion()
    return step.made
  }

  private func checkExpansion() throws(ReadError) {
    let isBomb = bytesOut > limits.freeByteCount && bytesOut / limits.ratio >= bytesIn
    guard isBomb || bytesOut > limits.byteCount else { return }
    let what =
      isBomb
      ? "to more than \(limits.ratio) times its size" : "to more than \(limits.byteCount) bytes"
    throw .refused([
      Diagnostic(
        code: .expansionLimit,
        location: SourceLocation(file: path, byteCount: Int(bytesIn)),
        message: "the compressed input expands \(what)",
        remedy: "if it is meant to, decompress it first and load the result"
      )
    ])
  }

  private func damaged() -> ReadError {
    .failed(path: path, reason: "the gzip data is damaged near byte \(bytesIn)")
  }

  private func trailing() -> ReadError {
    .failed(path: path, reason: "bytes that are no gzip data follow its end, from byte \(bytesIn) on")
  }
}

/// Owns zlib's state.
private struct Inflater: ~Copyable, Sendable {
  let handle = czlib_inflater_make()
  deinit { czlib_inflater_free(handle) }
}
