import Diagnostics
import Records

/// How a run that commits by batches begins.
package struct BatchSettings: Sendable {
  /// The load as the database held it before it was planned; nil where it begins now.
  package var unfinished: UnfinishedLoad?
  /// What it is told apart by, if it begins now.
  package var load: UnfinishedLoad

  /// Makes settings; see the properties.
  package init(_ load: UnfinishedLoad, goingOnWith unfinished: UnfinishedLoad?) {
    self.load = load
    self.unfinished = unfinished
  }
}

/// What a run that commits by batches keeps in the database from batch to batch.
final class LoadBatches {
  /// As it was written last.
  private(set) var load: UnfinishedLoad
  /// Whether the run goes on with a load that was begun by another.
  let isResumed: Bool
  /// How many batches of records have been written, or passed over.
  var batchNumber: Int64 = 0
  /// What became of the records that are passed over; nil once they have all been.
  var replay: ReplayedFates?
  private var written: UnfinishedLoad?
  private let table: ProgressTable
  private let connection: Connection
  private let insertFault: Statement
  private let insertRow: Statement

  /// Begins a load, or goes on with one.
  ///
  /// - Throws: `.locked` if another run has been there since the load was planned.
  init(_ settings: BatchSettings, session: WriteSession) throws(StoreError) {
    connection = session.connection
    table = ProgressTable(of: connection)
    guard try table.read() == settings.unfinished else { throw .locked(path: connection.path) }
    isResumed = settings.unfinished != nil
    load = settings.unfinished ?? settings.load
    written = settings.unfinished
    if !isResumed {
      load.madeDatabase = session.madeDatabase
      try table.create()
    }
    insertFault = try Statement(
      """
      INSERT INTO main.\(ProgressTable.faultsName) (batch, position, continues, severity, code, file, record, line, "column",
      byte, length, entity, field, value, expected, message, hint)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """,
      on: connection
    )
    insertRow = try Statement("INSERT OR IGNORE INTO main.\(ProgressTable.rowsName) VALUES (?1, ?2)", on: connection)
  }

  /// Notes which tables the load has made, and the greatest rowid that others have.
  func begin(madeTables: [String], greatestRowids: [Int64?]) {
    guard !isResumed else { return }
    load.tables = madeTables
    for (position, rowid) in greatestRowids.enumerated() { load.writerCounts["greatest.\(position)"] = rowid }
  }

  /// The greatest rowid of a table before the load; nil for none.
  func greatestRowid(at position: Int) -> Int64? { load.writerCounts["greatest.\(position)"] }

  /// Notes a row of the load that might be taken for one of before.
  func note(_ rowid: Int64, at position: Int) throws(StoreError) {
    guard let greatest = greatestRowid(at: position), rowid <= greatest else { return }
    try insertRow.bind(Int64(position), at: 1)
    try insertRow.bind(rowid, at: 2)
    _ = try insertRow.step()
  }

  /// Notes why records of the batch were refused when they were written.
  func note(_ rejections: some Sequence<Rejection>) throws(StoreError) {
    for rejection in rejections {
      if rejection.diagnostics.isEmpty {
        try note(Self.nothing, of: rejection.record, continues: ReplayedFates.hasNoReason)
      }
      for (index, fault) in rejection.diagnostics.enumerated() {
        try note(fault, of: rejection.record, continues: index == 0 ? 0 : 1)
      }
    }
  }

  /// Stands for the reasons of a rejection without any.
  private static let nothing = Diagnostic(
    code: .databaseConstraint,
    location: SourceLocation(file: ""),
    message: "",
    remedy: ""
  )

  private func note(_ fault: Diagnostic, of record: Int, continues: Int64) throws(StoreError) {
    let place = fault.location
    let numbers: [(Int, Int64)] = [
      (1, batchNumber), (2, Int64(record)), (3, continues), (7, place.record),
      (8, Int64(place.line)), (10, place.byteOffset), (11, Int64(place.byteCount)),
    ]
    let texts: [(Int, String?)] = [
      (4, fault.severity.rawValue), (5, fault.code.rawValue), (6, place.file), (12, fault.entity),
      (13, fault.field),
      (14, fault.value), (15, fault.expected), (16, fault.message), (17, fault.remedy),
    ]
    for (position, number) in numbers { try insertFault.bind(number, at: position) }
    for (position, text) in texts { try insertFault.bind(text, at: position) }
    if let column = place.column {
      try insertFault.bind(Int64(column), at: 9)
    } else {
      try insertFault.bind(nil, at: 9)
    }
    _ = try insertFault.step()
  }

  /// Writes how far the load has come.
  ///
  /// - Parameter writerCounts: What the writer has counted.
  func write(_ load: UnfinishedLoad, writerCounts: [String: Int64]) throws(StoreError) {
    var load = load
    load.tables = self.load.tables
    load.madeDatabase = self.load.madeDatabase
    load.writerCounts = self.load.writerCounts.merging(writerCounts) { _, new in new }
    try table.write(load, over: written)
    self.load = load
    written = load
  }

  /// Forgets the load, which has come to its end.
  func drop() throws(StoreError) { try table.drop() }
}
