/// Whether values come in strictly ascending order, so that no two are the same, however many there are.
///
/// The order is by length and then by bytes: that of the whole numbers as they are printed, of numbers filled up with zeros,
/// and of ISO dates.
struct AscendingSequence {
  private(set) var isAscending = true
  private var previous: [UInt8] = []
  private var previousCount = -1
  private var previousPrefix: UInt64 = 0

  /// Past this length values are not kept whole, and the order is given up.
  private static let longestValue = 256

  /// Takes the next value.
  mutating func take(_ text: Span<UInt8>) {
    guard isAscending else { return }
    let prefix = orderingPrefix(text)
    let isGreater =
      text.count != previousCount
      ? text.count > previousCount
      : prefix != previousPrefix ? prefix > previousPrefix : text.count > 8 && precedes(previous.span, text)
    guard isGreater, text.count <= Self.longestValue else {
      end()
      return
    }
    previousCount = text.count
    previousPrefix = prefix
    guard text.count > 8 else { return }
    previous.removeAll(keepingCapacity: true)
    unsafe text.withUnsafeBufferPointer { unsafe previous.append(contentsOf: $0) }
  }

  /// Gives the order up.
  mutating func end() {
    isAscending = false
    previous = []
  }
}
