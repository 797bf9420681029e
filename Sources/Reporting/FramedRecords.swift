package import Records

/// Puts records back into the framing of their input, so that they are read as they were there.
package struct FramedRecords: Sendable {
  /// What is missing of the separator behind the last record.
  private var gap: [UInt8] = []
  private var isEmpty = true
  /// The last byte so far.
  private var last: UInt8?
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Begins a file without records.
  package init() {}

  /// What stands before a record that is about to be written: the opening, or the separator.
  ///
  /// At the very head of a file, a record that begins with the bytes of a byte order mark would lose them; it gets a
  /// mark of its own, which readers drop instead.
  package mutating func bytes(before record: Span<UInt8>, in framing: RejectFraming) -> [UInt8] {
    var bytes = isEmpty ? framing.opening : gap
    defer { isEmpty = false }
    gap = Self.missing(after: record, in: framing)
    // Where characters are not bytes, a byte says nothing of a line end or a mark.
    guard framing.encoding == nil else { return bytes }
    if isEmpty, bytes.isEmpty, record.count >= 3, (0..<3).allSatisfy({ record[$0] == Self.byteOrderMark[$0] }) {
      bytes = Self.byteOrderMark
    }
    bytes = joined(bytes)
    let isJoined = (bytes.last ?? last) == Self.carriageReturn && record.count > 0 && record[0] == Self.lineFeed
    if isJoined { bytes.append(Self.lineFeed) }
    last = record.count > 0 ? record[record.count - 1] : bytes.last ?? last
    return bytes
  }

  /// Takes note of more of the record that was written last.
  mutating func continueRecord(_ more: Span<UInt8>, in framing: RejectFraming) {
    gap = Self.missing(after: more, in: framing)
    if framing.encoding == nil, more.count > 0 { last = more[more.count - 1] }
  }

  private static func missing(after record: Span<UInt8>, in framing: RejectFraming) -> [UInt8] {
    let separator = RecordSeparator(framing.separator)
    guard let coding = framing.encoding?.coding else { return Array(separator.missing(after: record)) }
    return coding.encode(Array(separator.missing(after: coding.text(of: record).span)).span)
  }

  /// What stands before something that is no record, such as the tags of other ancestors.
  mutating func interrupt(in framing: RejectFraming) -> [UInt8] {
    let bytes = isEmpty ? framing.opening : gap
    isEmpty = false
    gap = []
    last = nil
    return bytes
  }

  /// What stands behind the last record.
  package func ending(in framing: RejectFraming) -> [UInt8] {
    guard !framing.closing.isEmpty, RecordSeparator(framing.separator).isLineEnds else { return framing.closing }
    return joined(gap + framing.closing)
  }

  private static let carriageReturn: UInt8 = 0x0D
  private static let lineFeed: UInt8 = 0x0A

  /// Bytes behind the last one, with a line feed more if its carriage return and theirs would become one line end.
  private func joined(_ bytes: [UInt8]) -> [UInt8] {
    last == Self.carriageReturn && bytes.first == Self.lineFeed ? [Self.lineFeed] + bytes : bytes
  }
}
