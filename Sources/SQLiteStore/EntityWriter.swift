import CSQLite
package import Diagnostics
package import EntityModel
package import Records

/// One run's writing: opens or builds the database, one transaction, all or nothing.
///
/// A database that does not exist yet is built beside its place and renamed into it by `commit`; one that exists is
/// written in one transaction in its own journal mode. Without `commit` everything stays as it was.
///
/// Rows go in by one `INSERT OR FAIL … SELECT` over each run of rows of the same entity. A row that a constraint
/// refuses ends that statement and keeps the rows before it; the next statement goes on after it.
package struct EntityWriter: ~Copyable {
  /// What becomes of the rows.
  package enum Purpose: Sendable {
    /// They are stored.
    case load
    /// They are judged as `load` would, and thrown away; the database and its lock are not touched.
    case check
  }

  /// What to write, and where.
  package struct Settings: Sendable {
    /// The database's path.
    package var database: String
    /// What becomes of the rows.
    package var purpose: Purpose
    /// The entities this run writes, in the order of `ValueBatch.Row.entity`.
    package var model: EntityModel
    /// How long to wait for another process.
    package var lockWait: Duration
    /// Who may end the waiting and the work.
    package var interrupter: StoreInterrupter
    /// What becomes of keys that exist, or do not.
    package var mode: WriteMode
    /// What new rows get for attributes that have no value, by entity; nil if the validator has filled them in.
    ///
    /// Needed where values may be absent: then the writer also refuses new rows without what is required.
    package var defaults: [[ConstantValue?]]?
    /// Whether a new row without a value gets the default of a stored column that only SQLite can work out.
    ///
    /// A column that refuses NULL gets it in any case.
    package var usesColumnDefaults: Bool
    /// The entities that no input is meant for; they need no key until a record of theirs comes.
    package var targets: Set<Int>
    /// The entities that no input holds: `replace` and `sync` leave them alone.
    package var outsiders: Set<Int>
    /// What new rows on the way to others get for attributes that have no value, by entity.
    package var wayDefaults: [[ConstantValue?]] = []
    /// How the run commits by batches; nil if it is one transaction.
    package var batches: BatchSettings?
    /// Whether a load that is unfinished in the database is forgotten.
    package var startsOver = false

    /// Makes settings; see the properties.
    package init(
      database: String,
      purpose: Purpose = .load,
      model: EntityModel,
      lockWait: Duration = .seconds(10),
      interrupter: StoreInterrupter = StoreInterrupter(),
      mode: WriteMode = .insert
    ) {
      self.database = database
      self.purpose = purpose
      self.model = model
      self.lockWait = lockWait
      self.interrupter = interrupter
      self.mode = mode
      defaults = nil
      usesColumnDefaults = true
      targets = []
      outsiders = []
    }
  }

  let session: WriteSession
  let feed: RowFeed
  /// Finds rows by their keys.
  let keys: KeySQL
  let mode: WriteMode
  var tables: [WrittenTable]
  /// The entities whose keys have been collected for references that give a part of one.
  var hasCandidates: Set<Int> = []
  /// The entities of which rows have been made for objects that refer to them.
  var hasMadeOfObjects: Set<Int> = []
  /// What records are told apart by in this run alone.
  private(set) var linkKeys: [LinkKeys]
  /// Rows on the way to others.
  let ways = KnownWays()
  /// What new ones of them get for attributes without a value, by entity.
  let wayDefaults: [[ConstantValue?]]
  /// Whether records were rejected that lead to such rows.
  var hasRefusedCarriers = false
  /// What SQLite said when it last refused such a row.
  var refusedWords: (code: CInt, words: String) = (0, "")
  /// The records of the batch at hand whose rows wait because a row on their way does.
  var heldRecords: Set<Int> = []
  /// The inputs so far, by the number that `LineLog` keeps of them.
  private(set) var files: [String]
  /// Relationships whose counts are bounded.
  let bounds: [CountBound]
  /// The waiting row that is written, if it may have to be taken back.
  var heldNumber: Int64?
  /// The rowid of the row that was inserted or changed last.
  var changedRowid: Int64?
  /// One-to-manies whose rows records may list by their keys, and whether one has.
  let childLists: [ChildList]
  var givesChildren = false
  /// Rows without keys that were there before the run, by entity, once they have been asked for; nil for none.
  var twins: [Int: EarlierTwins?] = [:]
  /// Whether lists are kept until all rows are there.
  var keepsLists = false
  /// The records of the batch that was written last whose rows wait.
  var waitingRecords: Set<Int> = []
  /// The format of the input that is written.
  var format: FileFormat?
  /// Rejected records that stand in ones that wait; made when there is the first.
  var kept: KeptRecords?
  /// Rejected records whose keys cannot be read.
  var unreadableCount: Int64 = 0
  /// What is kept from batch to batch; nil in a run that is one transaction.
  let batches: LoadBatches?
  /// The tables that this run has made.
  let newTables: [String]

  /// Opens or begins the database, makes the tables that are missing and judges those that are there.
  ///
  /// - Throws: `.locked` after `lockWait`; `.schema` for a table that cannot take the rows.
  package init(_ settings: Settings) throws(StoreError) {
    for entity in settings.model.entities {
      if let obstacle = TableDefinition.obstacle(to: entity) {
        throw .schema(path: settings.database, message: obstacle.message, remedy: obstacle.remedy)
      }
    }
    let session = try WriteSession.open(settings)
    guard let feed = RowFeed() else { throw .unexpected(path: settings.database, reason: "out of memory") }
    session.connection.feed = feed
    if settings.startsOver, settings.purpose == .load { try session.forgetUnfinished() }
    let batches = try settings.batches.map { (batches) throws(StoreError) in
      session.connection.workSchema = "main"
      return try LoadBatches(batches, session: session)
    }
    if settings.model.entities.contains(where: \.hasLists) { try session.connection.addItems() }
    let madeTables = batches?.load.tables ?? []
    var (tables, keys, bounds, newTables) = try Self.prepare(settings, in: session, feed: feed, madeBefore: madeTables)
    let linkKeys = try Self.addLinks(to: &tables, in: session)
    let childLists = try Self.childLists(of: &tables, keys: keys, mode: settings.mode, on: session.connection)
    self.session = session
    self.feed = feed
    mode = settings.mode
    wayDefaults = settings.wayDefaults
    self.tables = tables
    self.keys = keys
    self.bounds = bounds
    self.linkKeys = linkKeys
    self.childLists = childLists
    files = []
    self.batches = batches
    self.newTables = newTables
  }

  /// How many rows were inserted for records of their own, by entity.
  package var insertedCounts: [Int64] { tables.map(\.insertedCount) }

  /// How many rows were made only to be referred to, by entity.
  package var madeCounts: [Int64] { tables.map(\.madeCount) }

  /// How many rows wait for what they refer to.
  package var parkedCount: Int64 { tables.reduce(0) { $0 + ($1.parked?.waitingCount ?? 0) } }

  /// Ends the work from another thread.
  package var interrupter: StoreInterrupter { session.connection.interrupter }

  /// Writes the rows; rows that a constraint refuses are added to `rows.rejections` and are not in the database.
  ///
  /// Rows whose targets are not there yet are parked until `settleParked`.
  ///
  /// - Parameters:
  ///   - rows: Their slices point into `batch.text`; `rejections` are put in the order of the batch.
  ///   - batch: The records that they came from.
  ///   - format: The input's: in the records around one that waits, the numbers of their rows are spelled in it.
  package mutating func write(
    _ rows: inout ValueBatch,
    of batch: borrowing RecordBatch,
    in format: FileFormat? = nil
  ) throws(StoreError) {
    guard !interrupter.isInterrupted else { throw .interrupted }
    waitingRecords.removeAll(keepingCapacity: true)
    heldRecords.removeAll(keepingCapacity: true)
    if !rows.ways.isEmpty { ways.names = rows.ways }
    self.format = format
    let knownCount = rows.rejections.count
    let file = number(of: batch.file)
    try see(rows, of: batch)
    var start = 0
    while start < rows.rows.count {
      let entity = rows.rows[start].entity
      var end = start + 1
      let isOnWay = rows.rows[start].way > 0
      while end < rows.rows.count, rows.rows[end].entity == entity, (rows.rows[end].way > 0) == isOnWay { end += 1 }
      try tables[Int(entity)].unseen?.see(start..<end, of: rows, text: batch.text, feed: feed)
      for keys in linkKeys where keys.position == Int(entity) {
        try keys.add(start..<end, of: rows, from: batch, file: file, feed: feed, areLost: false)
      }
      if rows.rejections.count > knownCount {
        end -= try takeOutRowsOfRefused(start..<end, of: &rows, from: batch, file: file)
        end -= try takeOutRowsWithinRefused(start..<end, of: &rows, from: batch, file: file)
      }
      precondition(Int(entity) < tables.count, "a row's entity is one of the run's")
      if isOnWay {
        try writeOrParkWays(start..<end, of: &rows, from: batch, file: file, to: Int(entity))
      } else {
        try writeOrPark(start..<end, of: &rows, from: batch, file: file, to: Int(entity))
      }
      start = end
    }
    for position in rows.lost.indices where !rows.lost[position].isLeftOut {
      let table = tables[Int(rows.lost[position].entity)]
      for keys in linkKeys where keys.position == Int(rows.lost[position].entity) {
        try keys.add(position..<position + 1, of: rows, from: batch, file: file, feed: feed, areLost: true)
      }
      try table.lost?.add(row: position, of: rows, from: batch, file: file, feed: feed, isLost: true)
    }
    if rows.rejections.count > knownCount, !rows.carriers.isEmpty { hasRefusedCarriers = true }
    if let batches {
      try batches.note(rows.rejections[knownCount...])
      batches.batchNumber += 1
    }
    if rows.rejections.count > knownCount { rows.rejections.sort { $0.record < $1.record } }
  }

  /// Ends the run: a load is made durable, a check thrown away.
  package consuming func commit() throws(StoreError) {
    precondition(parkedCount == 0, "parked rows are settled before the commit")
    // A database is closed, and so complete, only when its statements have gone.
    tables = []
    ways.tables = [:]
    twins = [:]
    linkKeys = []
    kept = nil
    try batches?.drop()
    do throws(StoreError) { try session.finish() } catch {
      guard mode.deletesRows, case .dangling(let path, let message) = error else { throw error }
      throw .referredTo(
        path: path,
        message: message,
        remedy: "load the records of those rows too, or delete the rows first that refer to them; or give the "
          + "relationship a delete rule that takes them along (cascade) or clears the reference (nullify)"
      )
    }
  }

  /// Ends the run and leaves the database as it was; so does losing the writer.
  package consuming func rollBack() {
    tables = []
    ways.tables = [:]
    twins = [:]
    linkKeys = []
    kept = nil
    session.undo()
  }

  mutating func number(of file: String) -> UInt16 {
    if let last = files.last, last == file { return UInt16(files.count - 1) }
    if let position = files.firstIndex(of: file) { return UInt16(position) }
    guard files.count < Int(UInt16.max) else { return .max }
    files.append(file)
    return UInt16(files.count - 1)
  }
}
