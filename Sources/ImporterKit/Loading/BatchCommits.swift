import ByteStreams
import Diagnostics
import Records
import SQLiteStore

/// How far a load has come that commits by batches, and whether it still passes over what an earlier run has committed.
struct BatchCommits {
  /// How many records are read until the next commit, at least.
  let interval: Int64
  /// The load as far as it has come.
  var load: UnfinishedLoad
  /// What an earlier run has left; nil for a load that begins.
  let unfinished: UnfinishedLoad?
  /// How many records are committed.
  private(set) var committedCount: Int64

  init(every interval: Int64, _ load: UnfinishedLoad, goingOnWith unfinished: UnfinishedLoad?) {
    self.interval = interval
    self.unfinished = unfinished
    committedCount = unfinished?.recordCount ?? 0
    self.load = load
    if let unfinished {
      self.load.started = unfinished.started
      self.load.firstNumbers = unfinished.firstNumbers
      self.load.rejectNumbers = unfinished.rejectNumbers
    }
  }

  /// Whether the next records are in the database already.
  var isPassingOver: Bool { unfinished.map { load.batchCount < $0.batchCount } ?? false }

  /// Whether enough records have been read for a commit.
  var isDue: Bool { load.recordCount - committedCount >= interval }

  /// Counts a batch of records.
  mutating func count(_ parcel: borrowing Parcel) {
    load.batchCount += 1
    load.recordCount += Int64(parcel.batch.count)
    load.input = parcel.input
    load.content = parcel.content
  }

  /// Notes that all records so far are committed.
  mutating func noteCommit() { committedCount = load.recordCount }

  /// Looks whether the records that were passed over are those that an earlier run has committed.
  ///
  /// - Throws: Where they are not, once all of them have been passed over.
  func checkPassedOver() throws(UnresumableLoad) {
    guard let unfinished, load.batchCount == unfinished.batchCount else { return }
    guard load.content == unfinished.content, load.recordCount == unfinished.recordCount,
      load.input == unfinished.input, load.counts == unfinished.counts
    else { throw UnresumableLoad(unfinished, .otherContent) }
  }

  /// Looks whether an input has ended, with the batch that is about to be counted, before all of it was passed over.
  func checkEnd(ofInput input: Int) throws(UnresumableLoad) {
    guard let unfinished, input >= unfinished.input, load.batchCount + 1 < unfinished.batchCount else { return }
    throw UnresumableLoad(unfinished, .otherContent)
  }

  /// Looks whether the inputs have ended before all was passed over.
  func checkEnd() throws(UnresumableLoad) {
    if let unfinished, isPassingOver { throw UnresumableLoad(unfinished, .otherContent) }
  }
}

extension RecordBatch {
  /// The digest of a batch behind those before it: of what its kinds of records are called, and of their bytes.
  func content(behind last: String) -> String {
    var sum = SHA256()
    sum.add(last)
    for shape in shapes {
      for name in [shape.name] + shape.columns {
        sum.add("\(name.utf8.count):")
        sum.add(name)
      }
    }
    sum.add("\(count)")
    // Records that stand one behind the other are one stretch of bytes.
    var stretch = 0..<0
    for record in records {
      let range = record.raw.range
      if range.lowerBound == stretch.upperBound {
        stretch = stretch.lowerBound..<range.upperBound
      } else if range.lowerBound < stretch.lowerBound || range.upperBound > stretch.upperBound {
        sum.add(text.bytes(of: TextSlice(stretch)))
        stretch = range
      }
    }
    sum.add(text.bytes(of: TextSlice(stretch)))
    return sum.hexadecimal
  }
}

extension ReadLimits {
  /// The same, but a batch holds few records where a commit is to come soon.
  func forBatches(of count: Int64) -> ReadLimits {
    var limits = self
    limits.chunkByteCount = min(chunkByteCount, Int(clamping: min(max(4, count), 1 << 20) * 16))
    return limits
  }
}

/// Reads as much at once as it is asked for, so that batches end at the same records however a pipe is filled.
struct EvenByteSource: ByteSource, ~Copyable {
  private var source: any ByteSource & ~Copyable

  init(_ source: consuming any ByteSource & ~Copyable) { self.source = source }

  mutating func read(_ byteCount: Int, into text: inout TextBuffer) throws(ReadError) -> Int {
    var count = 0
    while count < byteCount {
      let more = try source.read(byteCount - count, into: &text)
      guard more > 0 else { break }
      count += more
    }
    return count
  }
}
