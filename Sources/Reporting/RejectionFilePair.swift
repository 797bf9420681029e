import Diagnostics
import Records

/// The open files of one input's rejects: the records in its own form, and the faults as a table.
struct RejectionFilePair: ~Copyable {
  var records: KeptFile
  var faults: KeptFile
  /// The latest; its end is written last.
  var framing: RejectFraming

  /// What is left of a pair while its files are closed.
  struct Suspended {
    let number: Int
    let records: KeptFile.Place
    let faults: KeptFile.Place
    let framing: RejectFraming
    let framed: FramedRecords
    let kind: Int?
  }

  /// The number in their names.
  let number: Int

  private var framed = FramedRecords()
  private var line: [UInt8] = []
  /// The kind of the last record, by its position in the framing's kinds.
  private var kind: Int?

  private init(number: Int, records: consuming KeptFile, faults: consuming KeptFile, framing: RejectFraming) {
    self.number = number
    self.records = records
    self.faults = faults
    self.framing = framing
  }

  /// Creates both files under the first number that is free for both, and writes the head of the table.
  static func create(_ names: RejectionNames, framing: RejectFraming) throws(WriteError) -> RejectionFilePair {
    var number = 1
    while true {
      if let records = try KeptFile.create(names.rejected(number: number)) {
        if let faults = try createSecond(names.faults(number: number), after: records) {
          var pair = RejectionFilePair(number: number, records: records, faults: faults, framing: framing)
          try pair.faults.append(Array(FaultTable.header.utf8))
          return pair
        }
      }
      number += 1
    }
  }

  /// Opens the files that an earlier run has begun, or creates them, to write all of them anew.
  ///
  /// - Parameter isHeld: Whether nothing is written behind what is there until they are released.
  static func goOn(
    _ names: RejectionNames,
    number: Int,
    framing: RejectFraming,
    isHeld: Bool
  ) throws(WriteError) -> RejectionFilePair {
    var pair = RejectionFilePair(
      number: number,
      records: try KeptFile.goOn(names.rejected(number: number), isHeld: isHeld),
      faults: try KeptFile.goOn(names.faults(number: number), isHeld: isHeld),
      framing: framing
    )
    try pair.faults.append(Array(FaultTable.header.utf8))
    return pair
  }

  /// Takes away the end that an earlier run has given its file, where more is to come.
  private mutating func dropEnd() throws(WriteError) {
    guard records.isRepeating else { return }
    try records.drop(framed.ending(in: framing))
  }

  /// Creates the second file of a pair; if that fails, the first goes away again.
  private static func createSecond(_ path: String, after first: borrowing KeptFile) throws(WriteError) -> KeptFile? {
    var created: KeptFile?
    do throws(WriteError) {
      created = try KeptFile.create(path)
    } catch {
      first.unlinkName()
      throw error
    }
    if created == nil { first.unlinkName() }
    return created
  }

  /// Goes on inside the elements of another framing: closes those that differ and opens others.
  mutating func turn(to next: RejectFraming) throws(WriteError) {
    defer { framing = next }
    let levels = framing.levels
    guard levels != next.levels else { return }
    var shared = 0
    while shared < min(levels.count, next.levels.count), levels[shared] == next.levels[shared] { shared += 1 }
    // Nothing can close the root and open another.
    guard shared > 0 else { return }
    try dropEnd()
    try records.append(framed.interrupt(in: framing))
    for level in levels[shared...].reversed() { try records.append(level.closing) }
    for level in next.levels[shared...] { try records.append(level.opening) }
  }

  /// Adds a record, whose bytes stay as they stand in the input, behind what must stand before its kind.
  mutating func append(_ record: Span<UInt8>, kind: Int?) throws(WriteError) {
    try dropEnd()
    try records.append(framed.bytes(before: record, in: framing))
    if let kind, kind != self.kind, kind < framing.kinds.count {
      self.kind = kind
      try records.append(framing.kinds[kind].opening)
    }
    try records.append(record)
  }

  /// Appends more of the record that was appended last.
  mutating func continueRecord(_ bytes: Span<UInt8>) throws(WriteError) {
    try records.append(bytes)
    framed.continueRecord(bytes, in: framing)
  }

  mutating func append(_ fault: Diagnostic) throws(WriteError) {
    line.removeAll(keepingCapacity: true)
    FaultTable.append(fault, to: &line)
    try faults.append(line)
  }

  /// Closes both files without an end.
  consuming func suspend() throws(WriteError) -> Suspended {
    try records.suspend()
    try faults.suspend()
    return Suspended(
      number: number,
      records: records.place,
      faults: faults.place,
      framing: framing,
      framed: framed,
      kind: kind
    )
  }

  /// Opens the files of a pair again, to go on where it was.
  static func resume(_ suspended: Suspended) throws(WriteError) -> RejectionFilePair {
    var pair = RejectionFilePair(
      number: suspended.number,
      records: try KeptFile.reopen(suspended.records),
      faults: try KeptFile.reopen(suspended.faults),
      framing: suspended.framing
    )
    pair.framed = suspended.framed
    pair.kind = suspended.kind
    return pair
  }

  consuming func finish() throws(WriteError) {
    try dropEnd()
    try records.append(framed.ending(in: framing))
    try records.finish()
    try faults.finish()
  }
}
