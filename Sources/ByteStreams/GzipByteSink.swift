import CZlib
package import Diagnostics
package import Records

/// Compresses what it is given into one gzip member (RFC 1952) for another sink.
///
/// The member's header carries neither a name nor a time, so equal content gives equal bytes.
package struct GzipByteSink: ByteSink, ~Copyable {
  private var sink: any ByteSink & ~Copyable
  private let path: String
  private let deflater: Deflater
  private var output: TextBuffer
  private var isFinished = false

  private static let outputByteCount = 64 << 10

  /// Compresses for `sink`.
  ///
  /// - Parameters:
  ///   - path: The output's name, for messages.
  ///   - level: From 1, the fastest, to 9, the smallest.
  package init(_ sink: consuming any ByteSink & ~Copyable, path: String, level: Int = 6) throws(WriteError) {
    self.sink = sink
    self.path = path
    output = TextBuffer(capacity: Self.outputByteCount)
    deflater = Deflater(level: level)
    if deflater.handle.address == 0 { throw .failed(path: path, reason: "there is no memory to compress it") }
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(WriteError) {
    try compress(bytes, isLast: false)
  }

  package mutating func finish() throws(WriteError) {
    guard !isFinished else { return }
    isFinished = true
    try compress(Span(), isLast: true)
    try sink.finish()
  }

  private mutating func compress(_ bytes: Span<UInt8>, isLast: Bool) throws(WriteError) {
    // An empty span has no address, and C is promised one.
    let none: [UInt8] = [0]
    // The compiler takes a borrow of one property for one of the whole sink.
    var output = TextBuffer()
    swap(&output, &self.output)
    defer { swap(&output, &self.output) }
    var position = 0
    while true {
      var step = czlib_step()
      let rest = bytes.count > 0 ? bytes.extracting(position...) : none.span
      let count = bytes.count - position
      unsafe output.fill(Self.outputByteCount) { room in
        step = unsafe rest.withUnsafeBufferPointer { input in
          guard let base = input.baseAddress else { return step }
          return unsafe czlib_deflate(deflater.handle, base, count, room, Self.outputByteCount, isLast ? 1 : 0)
        }
        return step.made
      }
      position += step.taken
      if output.count > 0 { try sink.write(output.bytes) }
      output.truncate(to: 0)
      switch step.status {
      case CZLIB_END: return
      case CZLIB_MORE:
        // Room left over says that zlib holds all of the input.
        if !isLast, position == bytes.count, step.made < Self.outputByteCount { return }
      default: throw .failed(path: path, reason: "compressing failed")
      }
    }
  }
}

/// Owns zlib's state.
private struct Deflater: ~Copyable, Sendable {
  let handle: czlib_deflater
  init(level: Int) { handle = czlib_deflater_make(Int32(min(max(level, 1), 9))) }
  deinit { czlib_deflater_free(handle) }
}
