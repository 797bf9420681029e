import Diagnostics
import Records

/// What became of records that an earlier run has written, while they are read again: two cursors that go along with them.
final class ReplayedFates {
  private struct Fault {
    let batch: Int64
    let position: Int
    let continues: Int64
    let diagnostic: Diagnostic
  }

  /// Says in place of `continues` that there is no reason.
  static let hasNoReason: Int64 = 2

  private let faults: Statement
  private let waiting: Statement?
  private var nextFault: Fault?
  private var nextWaiting: (file: Int64, record: Int64)?
  private let isOfLoad: Statement

  /// - Parameter parked: The tables of rows that wait.
  init(parked: [String], on connection: Connection) throws(StoreError) {
    faults = try Statement("SELECT * FROM main.\(ProgressTable.faultsName) ORDER BY n", on: connection)
    let places = parked.map { "SELECT file, record FROM \($0)" }.joined(separator: " UNION ")
    waiting = places.isEmpty ? nil : try Statement("\(places) ORDER BY 1, 2", on: connection)
    isOfLoad = try Statement(
      "SELECT 1 FROM main.\(ProgressTable.rowsName) WHERE entity = ?1 AND row = ?2",
      on: connection
    )
    try advanceFaults()
    try advanceWaiting()
  }

  /// Why records of a batch were refused when they were written, in that order.
  func rejections(ofBatch batch: Int64) throws(StoreError) -> [Rejection] {
    var found: [Rejection] = []
    while let fault = nextFault, fault.batch <= batch {
      if fault.continues == 1, found.last?.record == fault.position {
        found[found.count - 1].diagnostics.append(fault.diagnostic)
      } else if fault.batch == batch {
        found.append(
          Rejection(record: fault.position, diagnostics: fault.continues == Self.hasNoReason ? [] : [fault.diagnostic])
        )
      }
      try advanceFaults()
    }
    return found
  }

  /// The positions of a batch's records whose rows wait.
  func waitingRecords(of file: UInt16, records: Range<Int64>) throws(StoreError) -> Set<Int> {
    var found: Set<Int> = []
    while let place = nextWaiting, (place.file, place.record) < (Int64(file), records.upperBound) {
      if place.file == file, place.record >= records.lowerBound { found.insert(Int(place.record - records.lowerBound)) }
      try advanceWaiting()
    }
    return found
  }

  /// Whether a row is noted as one of the load's.
  func holds(_ rowid: Int64, at position: Int) throws(StoreError) -> Bool {
    defer { isOfLoad.reset() }
    try isOfLoad.bind(Int64(position), at: 1)
    try isOfLoad.bind(rowid, at: 2)
    return try isOfLoad.step()
  }

  private func advanceWaiting() throws(StoreError) {
    guard let waiting, try waiting.step() else {
      nextWaiting = nil
      return
    }
    nextWaiting = (waiting.integer(0), waiting.integer(1))
  }

  private func advanceFaults() throws(StoreError) {
    guard try faults.step() else {
      nextFault = nil
      return
    }
    let place = SourceLocation(
      file: faults.text(6) ?? "",
      record: faults.integer(7),
      line: Int(faults.integer(8)),
      column: faults.isNull(9) ? nil : Int(faults.integer(9)),
      byteOffset: faults.integer(10),
      byteCount: Int(faults.integer(11))
    )
    nextFault = Fault(
      batch: faults.integer(1),
      position: Int(faults.integer(2)),
      continues: faults.integer(3),
      diagnostic: Diagnostic(
        severity: faults.text(4).flatMap(Diagnostic.Severity.init) ?? .error,
        code: faults.text(5).flatMap(DiagnosticCode.init) ?? .databaseConstraint,
        location: place,
        entity: faults.text(12),
        field: faults.text(13),
        value: faults.text(14),
        expected: faults.text(15),
        message: faults.text(16) ?? "",
        remedy: faults.text(17) ?? ""
      )
    )
  }
}
