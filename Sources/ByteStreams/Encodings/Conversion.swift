import CIconv

/// Owns one of the C library's conversions.
struct Conversion: ~Copyable, Sendable {
  let handle: ciconv_conversion

  /// Opens a conversion; nil if the C library does not know one of the names.
  init?(to: String, from: String) {
    // A slash begins the C library's own options; an empty name is the locale's encoding.
    guard !from.isEmpty, !to.isEmpty, !from.contains("/"), !to.contains("/") else { return nil }
    let opened = unsafe ciconv_open(to, from)
    guard opened.address != 0 else { return nil }
    handle = opened
  }

  deinit { ciconv_close(handle) }

  /// What some bytes become from the initial state on, with what is held back; nil if they are not whole and valid.
  func converted(_ bytes: [UInt8]) -> [UInt8]? {
    let (outcome, output) = convert(bytes)
    return outcome == .whole ? output : nil
  }

  /// How a whole conversion of few bytes ends.
  enum Outcome { case whole, invalid, incomplete }

  /// Converts few bytes from the initial state on.
  func convert(_ bytes: [UInt8]) -> (Outcome, [UInt8]) {
    ciconv_reset(handle)
    var outcome = Outcome.whole
    let output = unsafe [UInt8](unsafeUninitializedCapacity: 16 * bytes.count + 64) { room, count in
      count = 0
      guard let target = room.baseAddress else { return }
      unsafe bytes.withUnsafeBufferPointer { input in
        guard let source = input.baseAddress else { return }
        let step = unsafe ciconv_convert(handle, source, input.count, target, room.count)
        count = step.made
        switch step.status {
        case CICONV_DONE: count += unsafe ciconv_flush(handle, target + count, room.count - count).made
        case CICONV_INCOMPLETE: outcome = .incomplete
        default: outcome = .invalid
        }
      }
    }
    return (outcome, output)
  }
}
