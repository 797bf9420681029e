import Diagnostics
import EntityModel
import Records
import Reporting
import SQLiteStore
import Validation

/// Deletes the rows whose keys stand in a file, in any format that can be read.
///
/// Keys are read as the key's attributes are in a load, and all else of the file is passed over.
struct KeyedDeleteRun {
  private let job: DeleteJob
  private let path: String
  private let started: Int64
  private let cancellation: Cancellation

  init(_ job: DeleteJob, path: String, started: Int64, cancellation: Cancellation) {
    self.job = job
    self.path = path
    self.started = started
    self.cancellation = cancellation
  }

  func run(_ diagnostics: any DiagnosticSink) throws -> DeleteOutcome {
    let model = try SchemaReader.readModel(ofDatabase: job.database, lockWait: job.lockWait)
    let entity = try model.chosenEntity(job.entity, of: job.database, to: "delete from")
    let input = try plan(of: keyEntity(of: entity, in: model), diagnostics)
    var deletion = try KeyedDeletion(
      database: job.database,
      entity: entity,
      model: model,
      lockWait: job.lockWait,
      interrupter: cancellation.interrupter
    )
    var log = RejectionLog(folder: job.rejectsFolder, sink: diagnostics)
    log.begin(file: path, format: input.format.format)
    let readCount: Int64
    do {
      readCount = try read(input, into: &deletion, &log, diagnostics)
      try log.end()
    } catch {
      try? log.end()
      throw error
    }
    var keys = DeleteOutcome.Keys(path: path)
    keys.read = readCount
    keys.found = deletion.foundCount
    keys.missing = deletion.missingCount
    keys.rejected = log.rejectedCount
    keys.rejectedFile = log.files.first?.rejected
    keys.faultsFile = log.files.first?.faults
    guard keys.read == keys.found + keys.missing + keys.rejected else {
      throw InternalFault(description: "\(keys.read) keys were read, but other counts make another sum")
    }
    let isUndone = job.isStrict && keys.rejected > 0
    try cancellation.check()
    let counts = try deletion.finish(
      isTrial: job.isTrial || isUndone,
      started: started,
      files: [try file(input, keys)]
    )
    var outcome = DeleteOutcome(counts: counts.map(DeleteOutcome.Count.init), keys: keys, isUndone: isUndone)
    if keys.rejected > 0, !job.acceptsRejects { outcome.exitStatus = isUndone ? FailureKind.data.exitStatus : 2 }
    return outcome
  }

  /// An entity with nothing but the parts of another's key.
  private func keyEntity(of entity: Entity, in model: EntityModel) throws(UsageFailure) -> Entity {
    let paths = model.keyPaths(of: entity) ?? []
    let attributes = paths.compactMap { path in
      entity.attributes.first { path.count == 1 ? $0.name == path[0] : $0.keyPath == path }
    }
    guard !paths.isEmpty, attributes.count == paths.count else {
      throw UsageFailure(
        "'\(excerpt(of: entity.name))' has no key, so that none of its rows can be named",
        remedy: "tell which rows to delete with --where"
      )
    }
    var result = Entity(name: entity.name, key: attributes.map(\.name))
    result.attributes = attributes.map { attribute in
      var part = attribute
      part.keyPath = []
      part.positionWithin = nil
      part.defaultValue = nil
      return part
    }
    return result
  }

  private func plan(of entity: Entity, _ diagnostics: any DiagnosticSink) throws -> InputPlan {
    var load = LoadJob(inputs: [path], database: job.database)
    load.reading = job.reading
    load.model = job.model
    load.model.entity = entity.name
    // What a record lacks is told from what it says to be NULL.
    load.mode = .update
    let plan = try RunPlanner.plan(load, under: EntityModel(entities: [entity]), diagnostics: diagnostics)
    guard plan.inputs.count == 1, let input = plan.inputs.first else {
      throw UsageFailure("--keys: '\(excerpt(of: path))' is not one file", remedy: "name one file, or '-'")
    }
    return input
  }

  /// - Returns: How many records there were.
  private func read(
    _ input: InputPlan,
    into deletion: inout KeyedDeletion,
    _ log: inout RejectionLog,
    _ diagnostics: any DiagnosticSink
  ) throws -> Int64 {
    var validator = try RecordValidator.compiling(input.validation)
    var reader = try input.makeReader(isDigested: true)
    try reader.open()
    try input.checkHeader(reader.shapes)
    try checkParts(of: input, reader.shapes)
    var batch = RecordBatch()
    var rows = ValueBatch()
    var count: Int64 = 0
    var hasMore = true
    while hasMore {
      try cancellation.check()
      hasMore = try reader.fill(&batch)
      validator.validate(&batch, into: &rows)
      rejectUnnamed(in: &rows, of: batch, input)
      count += Int64(batch.count)
      // What is no part of the key is nobody's concern.
      for note in batch.notes where note.code != .extraLabel { diagnostics.note(note) }
      try log.record(rows.rejections, of: batch, framing: input.content.framing(of: reader.framing))
      try deletion.note(rows, text: batch.text)
    }
    return count
  }

  /// Refuses a header without a column for some part of the key: the rows that it names would be others.
  private func checkParts(of input: InputPlan, _ shapes: [RecordShape]) throws(ReadError) {
    guard input.format.hasHeader, let shape = shapes.first, let entity = input.validation.entities.first else { return }
    let columns = input.validation.columns(of: entity, among: shape.columns)
    let missing = zip(entity.attributes, columns).filter(\.1.isEmpty).map(\.0)
    guard !missing.isEmpty else { return }
    throw .refused(
      missing.map { attribute in
        Diagnostic(
          code: .missingLabel,
          location: SourceLocation(file: path),
          entity: entity.name,
          field: attribute.name,
          expected: attribute.name,
          message: "the header has no column for '\(excerpt(of: attribute.name))', a part of the key",
          remedy: "add the column, or name the one that is meant with --map"
        )
      }
    )
  }

  /// Rejects records that say nothing of some part of the key.
  private func rejectUnnamed(in rows: inout ValueBatch, of batch: borrowing RecordBatch, _ input: InputPlan) {
    guard let entity = input.validation.entities.first else { return }
    var rejections: [Rejection] = []
    rows.rows.removeAll { row in
      let start = Int(row.valueStart)
      let lacking = entity.attributes.indices.filter { rows.values[start + $0] == .absent }
      guard !lacking.isEmpty else { return false }
      let location = batch.location(of: Int(row.record))
      rejections.append(
        Rejection(
          record: Int(row.record),
          diagnostics: lacking.map { position in
            var fault = Diagnostic.required(entity.attributes[position], at: location, value: nil)
            fault.entity = entity.name
            fault.message = "the record does not say which row it means"
            fault.remedy = "give '\(excerpt(of: entity.attributes[position].name))', a part of the key, a value"
            return fault
          }
        )
      )
      return true
    }
    guard !rejections.isEmpty else { return }
    rows.rejections = (rows.rejections + rejections).sorted { $0.record < $1.record }
  }

  private func file(_ input: InputPlan, _ keys: DeleteOutcome.Keys) throws(ReadError) -> LoadEntry.File {
    let report = try input.reportInput(recordCount: keys.read, recordNames: [], isCut: false)
    return LoadEntry.File(
      path: path,
      byteCount: report.sha256 == nil ? nil : report.byteCount,
      sha256: report.sha256,
      format: report.format,
      recordCount: keys.read,
      rejectedCount: keys.rejected,
      filteredCount: 0
    )
  }
}
