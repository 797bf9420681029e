import Diagnostics
import EntityModel
import Glibc
import Records
import Reporting
import SQLiteStore
import Validation

/// One load under way: parcels come from the ring, rows go to the writer, rejects to the log, and all are counted.
struct LoadRun: ~Copyable {
  let job: LoadJob
  var plan: RunPlan
  private let diagnostics: any DiagnosticSink
  private let cancellation: Cancellation
  /// Told after every parcel how far the run has come.
  var progress: ((LoadProgress) -> Void)?
  /// How many bytes the inputs before this one have.
  var passedByteCount: Int64 = 0
  /// Without `commit` it undoes everything when it goes.
  var writer: EntityWriter?
  var log: RejectionLog
  var counts: [EntityCounts]
  /// Counts of records that no entity takes, by the name they give themselves.
  var strangers: [String: EntityCounts] = [:]
  var recordCounts: [Int64]
  /// How many records of each input were rejected, and how many left out by `--where`.
  var rejectedCounts: [Int64]
  var filteredCounts: [Int64]
  /// What the records of each input call themselves.
  var recordNames: [[String]]
  /// The framing of each input's rejects, for those that are known at the end only.
  private var framings: [RejectFraming]
  private var warningCounts: [DiagnosticCode: Int64] = [:]
  private var currentInput = -1
  private var encodingFaults = EncodingFaults()
  /// What is committed by batches; nil in a run that is one transaction.
  var commits: BatchCommits?
  let started: Int64
  let start = ContinuousClock.now

  /// Opens the database, or builds a new one beside its place.
  init(
    _ job: LoadJob,
    plan: RunPlan,
    commits: BatchCommits? = nil,
    diagnostics: any DiagnosticSink,
    cancellation: Cancellation
  ) throws {
    self.commits = commits
    started = commits?.load.started ?? Int64(time(nil))
    self.job = job
    self.plan = plan
    self.diagnostics = diagnostics
    self.cancellation = cancellation
    var settings = EntityWriter.Settings(
      database: job.database,
      purpose: job.isCheck ? .check : .load,
      model: EntityModel(entities: plan.entities),
      lockWait: job.lockWait,
      interrupter: cancellation.interrupter,
      mode: WriteMode(job.mode)
    )
    settings.defaults = try plan.defaults()
    settings.wayDefaults = try plan.wayDefaults()
    settings.usesColumnDefaults = job.usesDefaults
    settings.targets = plan.targets
    settings.outsiders = plan.outsiders
    settings.startsOver = job.startsOver
    settings.batches = commits.map { BatchSettings($0.load, goingOnWith: $0.unfinished) }
    writer = try EntityWriter(settings)
    try writer?.beginBatches()
    let knownNumbers = commits?.unfinished?.firstNumbers
    // A row that is to be found by its number cannot be given one.
    for entity in plan.entities.indices where plan.entities[entity].numbersRows && !settings.mode.findsRows {
      var next = knownNumbers?[entity]
      if knownNumbers == nil { next = try writer?.nextNumber(of: entity) }
      guard let number = next else { continue }
      self.commits?.load.firstNumbers[entity] = number
      let isNeeded = plan.entities[entity].hasLists || plan.linkTargets.contains(entity)
      for input in plan.inputs.indices where plan.inputs[input].validation.isNested || isNeeded {
        self.plan.inputs[input].validation.firstNumbers[entity] = number
      }
    }
    log = RejectionLog(folder: job.rejectsFolder, sink: diagnostics)
    if let unfinished = commits?.unfinished {
      for (input, number) in zip(plan.inputs, unfinished.rejectNumbers) { log.goOn(input.content.path, number: number) }
    }
    counts = plan.entities.map { EntityCounts(name: $0.name) }
    recordCounts = [Int64](repeating: 0, count: plan.inputs.count)
    rejectedCounts = recordCounts
    filteredCounts = recordCounts
    recordNames = [[String]](repeating: [], count: plan.inputs.count)
    framings = [RejectFraming](repeating: RejectFraming(), count: plan.inputs.count)
  }

  /// Reads everything, and commits or undoes it.
  ///
  /// - Throws: A `RunFailure`; the database is as it was, the rejects so far are kept.
  consuming func run() throws -> RunReport {
    let ring = BatchRing()
    let (inputs, filter, entities, isSync) = (plan.inputs, plan.filter, plan.entities, job.mode == .sync)
    let isByBatches = commits != nil
    ring.startReading { ring in
      let filter = try filter.map { try RowFilter($0, entities: entities, keepsRows: isSync) }
      try Self.read(inputs, through: filter, into: ring, isByBatches: isByBatches)
    }
    do {
      let cancellation = cancellation
      var position = 0
      while !isPastRejectLimit,
        try ring.take(
          position,
          checkCancellation: { try cancellation.check() },
          { parcel in try self.write(&parcel) }
        )
      {
        position += 1
      }
      if isPastRejectLimit { ring.stop(isPatient: true) }
      try log.end()
      // Of what waits nobody knows what it is, once reading has ended early.
      if !isPastRejectLimit { try settleParked() }
      try log.endSuspended()
    } catch {
      ring.stop(isPatient: !(error is Interruption))
      try? log.end()
      try? log.endSuspended()
      throw stopped(by: error)
    }
    // What is thrown has no use for the run any more.
    let committedCount = commits?.committedCount ?? 0
    do { return try finish() } catch { throw Self.stopped(by: error, committedCount: committedCount) }
  }

  /// The reading side: every input in turn, batch by batch, validated on the way.
  private static func read(_ inputs: [InputPlan], through filter: RowFilter?, into ring: BatchRing, isByBatches: Bool)
    throws
  {
    var content = ""
    var numbers = inputs.first?.validation.firstNumbers ?? [:]
    for (index, input) in inputs.enumerated() {
      var input = input
      input.validation.firstNumbers = numbers
      var filter = filter
      var validator = try RecordValidator.compiling(input.validation)
      var reader = try input.makeReader(isDigested: true)
      try reader.open()
      try input.checkHeader(reader.shapes)
      try input.checkLinks(reader.shapes)
      var hasMore = true
      while hasMore {
        let isWanted = try ring.fill { parcel in
          hasMore = try reader.fill(&parcel.batch)
          validator.validate(&parcel.batch, into: &parcel.rows)
          parcel.filtered = filter?.apply(to: &parcel.rows, of: parcel.batch) ?? []
          parcel.input = index
          parcel.framing = input.content.framing(of: reader.framing)
          parcel.endsInput = !hasMore
          if isByBatches {
            content = parcel.batch.content(behind: content)
            parcel.content = content
          }
        }
        guard isWanted else { return }
      }
      numbers = validator.nextNumbers
    }
  }

  /// The writing side of one parcel.
  private mutating func write(_ parcel: inout Parcel) throws {
    if parcel.input != currentInput {
      currentInput = parcel.input
      let input = plan.inputs[currentInput]
      encodingFaults = EncodingFaults()
      log.begin(file: input.content.path, format: input.format.format)
    }
    let isPassedOver = commits?.isPassingOver ?? false
    let kept = isPassedOver ? try passOver(&parcel) : try writeRows(of: &parcel)
    for note in parcel.batch.notes {
      warningCounts[note.code, default: 0] += 1
      diagnostics.note(note)
    }
    try log.record(
      parcel.rows.rejections,
      of: parcel.batch,
      framing: parcel.framing,
      numbers: numbers(in: parcel),
      kept: kept
    )
    count(parcel)
    encodingFaults.add(parcel.rows.rejections)
    framings[parcel.input] = parcel.framing
    tellProgress(parcel)
    guard parcel.endsInput else { return try endBatch(parcel) }
    if let remark = encodingFaults.remark(of: plan.inputs[currentInput], recordCount: recordCounts[currentInput]) {
      warningCounts[remark.code, default: 0] += 1
      diagnostics.note(remark)
    }
    try commits?.checkEnd(ofInput: parcel.input)
    try log.release()
    // Records that wait for what they refer to may still be rejected.
    if (writer?.parkedCount ?? 0) > 0 { try log.suspend() } else { try log.end() }
    if recordCounts[currentInput] == 0, let failure = plan.inputs[currentInput].recordPathFailure { throw failure }
    try endBatch(parcel)
  }

  /// Writes a parcel's rows.
  ///
  /// - Returns: The rejected records whose bytes the writer keeps.
  private mutating func writeRows(of parcel: inout Parcel) throws -> Set<Int> {
    try writer?.write(&parcel.rows, of: parcel.batch, in: plan.inputs[parcel.input].format.format)
    return try writer?.keepWithinWaiting(of: parcel.rows, from: parcel.batch) ?? []
  }

  /// The numbers that rows of a parcel have got, where rejected records may stand within theirs.
  private func numbers(in parcel: borrowing Parcel) -> [Int: (name: String, number: Int64)] {
    let validation = plan.inputs[parcel.input].validation
    guard validation.isNested, !validation.firstNumbers.isEmpty, !parcel.rows.rejections.isEmpty else { return [:] }
    var numbers: [Int: (name: String, number: Int64)] = [:]
    for row in parcel.rows.rows {
      let entity = plan.entities[Int(row.entity)]
      guard validation.firstNumbers[Int(row.entity)] != nil, let name = entity.key.first,
        let column = entity.attributes.firstIndex(where: { $0.name == name }),
        case .integer(let number) = parcel.rows.values[Int(row.valueStart) + column],
        !parcel.batch.hasField(named: name, in: Int(row.record))
      else { continue }
      numbers[Int(row.record)] = (name, number)
    }
    return numbers
  }

  /// Writes, or rejects, the records that waited for what they refer to.
  private mutating func settleParked() throws {
    guard var writer = writer.take() else { return }
    let policy = OrphanPolicy(rawValue: job.orphans.rawValue) ?? .reject
    var current: String?
    var input = 0
    func turn(to path: String) throws {
      guard path != current else { return }
      try log.suspend()
      current = path
      input = plan.inputs.firstIndex { $0.content.path == path } ?? 0
      try log.resume(file: path, format: plan.inputs[input].format.format, framing: framings[input])
    }
    try writer.settleParked(policy) { rejection in
      guard let path = rejection.diagnostics.first?.location.file else { return }
      try turn(to: path)
      try log.record(rejection.raw, faults: rejection.diagnostics)
      counts[rejection.entity].rejected += 1
      rejectedCounts[input] += 1
    }
    try writer.visitKept { path, raw in
      try turn(to: path)
      try log.record(raw, faults: [])
    }
    self.writer = consume writer
    try log.end()
  }

  /// Says which pairs the list at one end has and the list at the other end lacks.
  private mutating func tellContradictions() throws {
    for contradiction in try writer?.contradictions() ?? [] {
      let warning = Diagnostic.contradictoryLists(contradiction, file: plan.inputs.first?.content.path ?? "")
      warningCounts[warning.code, default: 0] += 1
      diagnostics.note(warning)
    }
  }

  /// Deletes what the inputs no longer have, as `sync` asks.
  ///
  /// - Returns: Why the run must be undone; nil if it need not.
  private mutating func deleteUnseen() throws -> String? {
    guard job.mode == .sync, var writer = writer.take() else { return nil }
    let entities = plan.ownEntities.union(counts.indices.filter { counts[$0].read > 0 }).subtracting(plan.outsiders)
    let deletion = try writer.deleteUnseen(of: entities, limit: DeleteLimit(job.deleteLimit))
    let wrongCount = try writer.wrongCountByDeletion()
    self.writer = consume writer
    switch deletion {
    case .done: return wrongCount.map { "\($0) once the rows are deleted that no record has" }
    case .withheld(let count, let unreadable):
      let file = plan.inputs.first?.content.path ?? ""
      let warning = Diagnostic.deletionWithheld(count, unreadable: unreadable, file: file)
      warningCounts[warning.code, default: 0] += 1
      diagnostics.note(warning)
      return nil
    case .pastLimit(let entity, let count, let total, let limit):
      return
        "\(count) of \(total) rows of '\(excerpt(of: entity))' would be deleted, and --delete-limit allows \(limit)"
    }
  }

  /// The options that tell the links of an input's records, ready for a shell.
  private func linkOptions(of input: InputPlan) -> [String] {
    let own = input.validation.defaultEntity.map { plan.entities[$0] }
    let isLinked = own.map { own in own.attributes.contains { $0.runUse != nil } } ?? !plan.linkTargets.isEmpty
    return isLinked ? job.model.links.flatMap { ["--link", quotedForShell("\($0.source)=\($0.target)")] } : []
  }

  private consuming func finish() throws -> RunReport {
    var report = RunReport(command: job.isCheck ? "check" : "load", database: job.database)
    report.model = plan.modelOrigin
    let isCut = isPastRejectLimit
    if !isCut { try commits?.checkEnd() }
    try refuseIdleFilter()
    try refuseIdleLinks()
    for (index, input) in plan.inputs.enumerated() {
      report.inputs.append(
        try input.reportInput(recordCount: recordCounts[index], recordNames: recordNames[index], isCut: isCut)
      )
    }
    if !isCut { try writer?.dropUnusedWays() }
    if !isCut { try tellContradictions() }
    let refusal = isCut ? nil : try deleteUnseen()
    func take(_ written: [Int64]?, as count: WritableKeyPath<EntityCounts, Int64>) {
      for (index, number) in (written ?? []).enumerated() { counts[index][keyPath: count] = number }
    }
    take(writer?.insertedCounts, as: \.inserted)
    take(writer?.madeCounts, as: \.made)
    take(writer?.updatedCounts, as: \.updated)
    take(writer?.unchangedCounts, as: \.unchanged)
    take(writer?.skippedCounts, as: \.skipped)
    take(writer?.deletedCounts, as: \.deleted)
    let shown = counts.indices.filter { index in
      !plan.targets.contains(index) || counts[index].made + counts[index].read + counts[index].deleted > 0
    }
    report.entities = shown.map { counts[$0] } + strangers.keys.sorted().compactMap { strangers[$0] }
    if isCut {
      for index in report.entities.indices { report.entities[index].read = report.entities[index].accountedFor }
    }
    report.faultCounts = log.faultCounts
    report.census = log.census
    report.warningCounts = warningCounts
    report.rejectionFiles = log.files.map { files in
      var files = files
      if let input = plan.inputs.first(where: { $0.content.path == files.input }) {
        files.options = RejectReading(input, told: job.reading).options(for: files.rejected) + linkOptions(of: input)
      }
      return files
    }
    let rejectedCount = log.rejectedCount
    if !isCut, let imbalance = report.imbalance {
      throw InternalFault(description: imbalance)
    }
    if let refusal = self.refusal(of: rejectedCount, among: report.total.read) ?? refusal {
      let committedCount = commits?.committedCount ?? 0
      report.outcome =
        committedCount > 0
        ? .stopped(because: refusal, committedCount: committedCount) : .undone(because: refusal)
      report.exitStatus = FailureKind.data.exitStatus
      return report
    }
    try cancellation.check()
    if !job.isCheck { try writer?.remember(try entry(of: report)) }
    try writer.take()?.commit()
    report.outcome = job.isCheck ? .checked : .committed
    report.exitStatus = rejectedCount > 0 && !job.acceptsRejects ? 2 : 0
    return report
  }
}
