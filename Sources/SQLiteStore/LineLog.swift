import CSQLite
import Diagnostics
import Glibc

/// Where the rows of this run came from, so that a second row with a key can name the line of the first.
///
/// Memory stays flat: 24 bytes a row, gathered in segments of 65,536 that go, sorted by rowid, to a temporary file
/// without a name. A look-up reads a few entries of each segment that may hold the row.
final class LineLog {
  /// Where a row came from.
  struct Entry: Equatable {
    var rowid: Int64
    var file: UInt16
    var line: Int64
    var record: Int64
  }

  /// An entry as it is kept; file and line share 64 bits.
  private struct Packed {
    var rowid: Int64
    var fileAndLine: UInt64
    var record: Int64
  }

  private struct Segment {
    let first: Int64
    let last: Int64
    let count: Int
  }

  static let segmentCount = 65_536

  private let path: String
  private var tail: [Packed] = []
  /// How many entries at the tail's start are in order.
  private var sortedCount = 0
  private var segments: [Segment] = []
  private var file: FileDescriptor?

  /// Makes an empty log.
  ///
  /// - Parameter path: The database, for the message when the temporary disk is full.
  init(path: String) { self.path = path }

  /// Keeps where a row came from.
  func append(_ entry: Entry) throws(StoreError) {
    let packed = Packed(
      rowid: entry.rowid,
      fileAndLine: UInt64(entry.file) << 48 | UInt64(entry.line) & 0xFFFF_FFFF_FFFF,
      record: entry.record
    )
    if sortedCount == tail.count, tail.last.map({ $0.rowid < entry.rowid }) ?? true { sortedCount += 1 }
    tail.append(packed)
    if tail.count == Self.segmentCount { try flush() }
  }

  /// Where a row of this run came from; nil for one that was in the database before.
  func entry(ofRow rowid: Int64) throws(StoreError) -> Entry? {
    if tail.count - sortedCount > 1024 { sortTail() }
    if let found = try find(rowid, count: sortedCount, at: { (index) throws(StoreError) in tail[index] }) {
      return found
    }
    if let found = tail[sortedCount...].last(where: { $0.rowid == rowid }) { return unpacked(found) }
    for (position, segment) in segments.enumerated().reversed() where (segment.first...segment.last).contains(rowid) {
      let found = try find(rowid, count: segment.count) { (index) throws(StoreError) in
        try read(position * Self.segmentCount + index)
      }
      if let found { return found }
    }
    return nil
  }

  private func sortTail() {
    tail.sort { $0.rowid < $1.rowid }
    sortedCount = tail.count
  }

  private func find(
    _ rowid: Int64,
    count: Int,
    at entry: (Int) throws(StoreError) -> Packed
  ) throws(StoreError) -> Entry? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let packed = try entry(middle)
      if packed.rowid == rowid { return unpacked(packed) }
      if packed.rowid < rowid { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func unpacked(_ packed: Packed) -> Entry {
    Entry(
      rowid: packed.rowid,
      file: UInt16(truncatingIfNeeded: packed.fileAndLine >> 48),
      line: Int64(packed.fileAndLine & 0xFFFF_FFFF_FFFF),
      record: packed.record
    )
  }

  private func flush() throws(StoreError) {
    if sortedCount < tail.count { sortTail() }
    guard let first = tail.first, let last = tail.last else { return }
    let number = try openFile()
    let failure: CInt? = unsafe tail.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = unsafe Glibc.write(number, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno }
        written += count
      }
      return nil
    }
    if let failure { throw .inputOutput(path: path, reason: "the temporary file of lines: " + systemMessage(failure)) }
    segments.append(Segment(first: first.rowid, last: last.rowid, count: tail.count))
    tail.removeAll(keepingCapacity: true)
    sortedCount = 0
  }

  private func read(_ index: Int) throws(StoreError) -> Packed {
    var packed = Packed(rowid: 0, fileAndLine: 0, record: 0)
    let size = MemoryLayout<Packed>.size
    let number = try openFile()
    let count = unsafe withUnsafeMutableBytes(of: &packed) { bytes in
      unsafe pread(number, bytes.baseAddress, size, off_t(index * size))
    }
    guard count == size else {
      throw .inputOutput(path: path, reason: "the temporary file of lines: " + systemMessage(errno))
    }
    return packed
  }

  /// The temporary file; made when the first segment is full, and gone with the process.
  private func openFile() throws(StoreError) -> CInt {
    if let number = file?.number { return number }
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let number = unsafe csqlite_open_unnamed(folder)
    guard number >= 0 else {
      throw .cannotCreate(path: path, reason: "a temporary file in '\(excerpt(of: folder))': \(systemMessage(errno))")
    }
    file = FileDescriptor(number)
    return number
  }
}
