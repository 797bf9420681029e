package import Diagnostics
package import EntityModel
package import Records

/// Keeps what was rejected: every record byte for byte, and every fault with its place, its reason and the remedy.
///
/// An input gets two files at its first rejected record, none without one; see `RejectionNames`. They are new, never
/// over older ones, and readable by their owner alone. Inputs come one after the other:
///
/// ```swift
/// var log = RejectionLog(folder: nil, sink: diagnostics)
/// log.begin(file: "contacts.txt", format: .text)
/// try log.record(rows.rejections, of: batch, framing: reader.framing)
/// try log.end()
/// ```
///
/// A log that goes without `end` leaves what it has kept so far.
package struct RejectionLog: ~Copyable {
  /// The two files of one input.
  package struct Files: Sendable, Hashable {
    /// The input as it was named.
    package var input: String
    /// Where its rejected records are.
    package var rejected: String
    /// Where their faults are.
    package var faults: String
    /// What a load of them needs to be told, ready for a shell; none where the file tells it all.
    package var options: [String] = []

    /// Names the files of an input.
    package init(input: String, rejected: String, faults: String) {
      self.input = input
      self.rejected = rejected
      self.faults = faults
    }
  }

  /// How many records were rejected, in all inputs.
  package private(set) var rejectedCount: Int64 = 0
  /// How many faults there were of each code, in all inputs; a record may have several.
  package private(set) var faultCounts: [DiagnosticCode: Int64] = [:]
  /// Where they are.
  package private(set) var census = FaultCensus()
  /// The files that were made, in the order of the inputs.
  package private(set) var files: [Files] = []

  /// The numbers of the files that were made, or are gone on with, by the path of their input.
  package private(set) var numbers: [String: Int] = [:]
  /// The inputs whose files an earlier run may have begun.
  private var continued: Set<String> = []
  /// Whether nothing is written yet behind what that run has left.
  private var isHolding = true
  private let folder: String?
  private let sink: any DiagnosticSink
  private var input: Input?
  /// The framing of the input's rejects where no batch brings it.
  private var framing = RejectFraming()
  private var pair: RejectionFilePair?
  /// The files of inputs that ended before all of their rejects were known.
  private var suspended: [String: RejectionFilePair.Suspended] = [:]

  private struct Input {
    let path: String
    let format: FileFormat
  }

  /// Makes an empty log.
  ///
  /// - Parameters:
  ///   - folder: Where the files go; nil means beside their inputs. It is created at the first rejected record.
  ///   - sink: Is told every fault once its record is kept.
  package init(folder: String?, sink: any DiagnosticSink) {
    self.folder = folder
    self.sink = sink
  }

  /// Lets the files of an input be those that an earlier run of the same load has begun: what they hold must be what comes
  /// again, and they are gone on with behind it.
  package mutating func goOn(_ file: String, number: Int) {
    numbers[file] = number
    continued.insert(file)
  }

  /// Lets what comes again be written behind what an earlier run has left, once it is sure that it comes from the same records.
  ///
  /// Until then that stays as it is.
  ///
  /// - Parameter isForAll: Whether that goes for the inputs to come as well.
  /// - Throws: Where it is not what the earlier run has left.
  package mutating func release(forAll isForAll: Bool = false) throws(WriteError) {
    if isForAll { isHolding = false }
    guard var pair = pair.take() else { return }
    try pair.records.release()
    try pair.faults.release()
    self.pair = consume pair
  }

  /// Turns to the next input, after the one before has ended; creates nothing yet.
  ///
  /// - Parameters:
  ///   - file: Its path, or `-`.
  ///   - format: Names the rejects of standard input, which has no extension of its own.
  package mutating func begin(file: String, format: FileFormat) {
    pair = nil
    input = Input(path: file, format: format)
  }

  /// Keeps the rejected records of a batch and their faults.
  ///
  /// A record inside another rejected one is in that one's bytes, and is not written a second time; one inside a record
  /// that was not rejected is written within that one's own fields. What a batch begins
  /// with of a record that is too long goes behind what has been kept of it.
  ///
  /// - Parameters:
  ///   - rejections: In any order; two of one record are taken as one. All of the batch belong in one call.
  ///   - batch: The records themselves; their bytes are still as they were read.
  ///   - framing: The reader's, as it is now.
  ///   - numbers: The numbers that rows have got which no record gives, with the names of their attributes, by record:
  ///     what is around a rejected record is found again by them.
  ///   - kept: The rejected records whose bytes come later, or with another one's.
  /// - Throws: When a file cannot be created or written.
  package mutating func record(
    _ rejections: [Rejection],
    of batch: borrowing RecordBatch,
    framing: RejectFraming,
    numbers: [Int: (name: String, number: Int64)] = [:],
    kept: Set<Int> = []
  ) throws(WriteError) {
    if batch.continuedByteCount > 0, var pair = pair.take() {
      try pair.continueRecord(batch.continuedRaw())
      self.pair = consume pair
    }
    guard !rejections.isEmpty else { return }
    guard let input else { preconditionFailure("records are rejected after their input has begun") }
    let first = inputOrder(of: rejections, in: batch).first.map { batch.framing(of: rejections[$0].record) ?? framing }
    var pair = try takePair(for: input, framing: first ?? framing)
    // How far the bytes of the batch have been kept.
    var keptEnd = -1
    var last = -1
    for index in inputOrder(of: rejections, in: batch) {
      let rejection = rejections[index]
      let raw = batch.records[rejection.record].raw.range
      if raw.upperBound > keptEnd, !kept.contains(rejection.record) {
        let outermost = batch.outermost(of: rejection.record)
        try pair.turn(to: batch.framing(of: outermost) ?? framing)
        if outermost == rejection.record {
          try pair.append(batch.raw(outermost), kind: Int(batch.records[outermost].kind))
          keptEnd = raw.upperBound
        } else {
          let within = batch.enclosed(by: outermost)
          let wanted = rejections.map(\.record).filter { within.contains($0) && !kept.contains($0) }
          let bytes = batch.raw(outermost, keeping: wanted) { record in
            numbers[record].flatMap { number in
              batch.insertion(of: number, into: record, format: input.format)
            }
          }
          try pair.append(bytes.span, kind: Int(batch.records[outermost].kind))
          keptEnd = batch.records[outermost].raw.range.upperBound
        }
      }
      if rejection.record != last {
        countRecord(with: rejection.diagnostics)
        last = rejection.record
      }
      for fault in rejection.diagnostics { try keep(fault, in: &pair) }
    }
    self.pair = consume pair
  }

  /// Keeps a rejected record that came out of its batch long ago.
  ///
  /// - Parameters:
  ///   - raw: Its untouched bytes; none where another record's hold them.
  ///   - faults: Why, with their places; none where they have been told.
  package mutating func record(_ raw: [UInt8], faults: [Diagnostic]) throws(WriteError) {
    guard let input else { preconditionFailure("records are rejected after their input has begun") }
    var pair = try takePair(for: input, framing: framing)
    let entity = faults.first?.entity
    if !raw.isEmpty {
      try pair.append(raw.span, kind: framing.kinds.firstIndex { $0.name.lowercased() == entity?.lowercased() })
    }
    if !faults.isEmpty { countRecord(with: faults) }
    for fault in faults { try keep(fault, in: &pair) }
    self.pair = consume pair
  }

  private mutating func countRecord(with faults: [Diagnostic]) {
    rejectedCount += 1
    if let location = faults.first?.location { census.addRecord(at: location) }
  }

  private mutating func keep(_ fault: Diagnostic, in pair: inout RejectionFilePair) throws(WriteError) {
    try pair.append(fault)
    faultCounts[fault.code, default: 0] += 1
    census.add(fault)
    sink.note(fault)
  }

  /// Turns away from the input, some of whose rejects will only be known later; they go to the same files then.
  package mutating func suspend() throws(WriteError) {
    guard let input else { return }
    self.input = nil
    guard let pair = pair.take() else { return }
    suspended[input.path] = try pair.suspend()
  }

  /// Turns to an input again, or to one that has had no rejects yet.
  package mutating func resume(file: String, format: FileFormat, framing: RejectFraming) throws(WriteError) {
    begin(file: file, format: format)
    self.framing = framing
    if let known = suspended.removeValue(forKey: file) { pair = try RejectionFilePair.resume(known) }
  }

  /// Completes the files of all inputs that were suspended.
  package mutating func endSuspended() throws(WriteError) {
    for name in suspended.keys.sorted() {
      guard let known = suspended.removeValue(forKey: name) else { continue }
      try RejectionFilePair.resume(known).finish()
    }
  }

  /// Completes the files of the input, down to the disk.
  package mutating func end() throws(WriteError) {
    input = nil
    guard let pair = pair.take() else { return }
    try pair.finish()
  }

  /// The positions of rejections in the order in which their records begin in the input, an enclosing record first.
  ///
  /// Of one record's rejections the earlier stays first, so that a reader's faults stand before a validator's.
  private func inputOrder(of rejections: [Rejection], in batch: borrowing RecordBatch) -> [Int] {
    var keys: [(offset: UInt32, reversedCount: UInt32, record: Int, index: Int)] = []
    keys.reserveCapacity(rejections.count)
    for (index, rejection) in rejections.enumerated() {
      let raw = batch.records[rejection.record].raw
      keys.append((raw.offset, .max - raw.count, rejection.record, index))
    }
    keys.sort { $0 < $1 }
    return keys.map(\.index)
  }

  /// The files of the input, created now if need be.
  private mutating func takePair(for input: Input, framing: RejectFraming) throws(WriteError) -> RejectionFilePair {
    if let pair = pair.take() { return pair }
    let names = RejectionNames(input: input.path, format: input.format, folder: folder)
    if folder != nil { try createFolder(names.folder) }
    let created: RejectionFilePair
    if continued.contains(input.path), let number = numbers[input.path] {
      created = try RejectionFilePair.goOn(names, number: number, framing: framing, isHeld: isHolding)
    } else {
      created = try RejectionFilePair.create(names, framing: framing)
    }
    numbers[input.path] = created.number
    files.append(Files(input: input.path, rejected: created.records.path, faults: created.faults.path))
    return created
  }
}
