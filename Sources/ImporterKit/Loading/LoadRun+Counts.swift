import EntityModel
import Records
import Reporting
import SQLiteStore
import Validation

/// What is counted of a run, and told of it.
extension LoadRun {
  /// Counts a parcel's records once each, for their own entity.
  mutating func count(_ parcel: borrowing Parcel) {
    recordCounts[parcel.input] += Int64(parcel.batch.count)
    if parcel.batch.shapes.count != recordNames[parcel.input].count {
      recordNames[parcel.input] = parcel.batch.shapes.map(\.name)
    }
    let validation = plan.inputs[parcel.input].validation
    let entities = validation.entityIndexes(of: parcel.batch.shapes)
    var isRejected = [Bool](repeating: false, count: parcel.batch.count)
    for rejection in parcel.rows.rejections { isRejected[rejection.record] = true }
    rejectedCounts[parcel.input] += Int64(isRejected.count { $0 })
    for index in parcel.filtered {
      guard let entity = entities[Int(parcel.batch.records[index].kind)] else { continue }
      counts[entity].filtered += 1
      filteredCounts[parcel.input] += 1
    }
    for (index, record) in parcel.batch.records.enumerated() {
      let kind = Int(record.kind)
      if let entity = entities[kind] {
        counts[entity].read += 1
        if isRejected[index] { counts[entity].rejected += 1 }
      } else {
        let own = parcel.batch.shapes[kind].name
        let name = own.isEmpty ? FilePath.subject(of: plan.inputs[parcel.input].content.path) : own
        strangers[name, default: EntityCounts(name: name)].read += 1
        strangers[name, default: EntityCounts(name: name)].rejected += 1
      }
    }
  }

  /// Says how far the run has come.
  mutating func tellProgress(_ parcel: borrowing Parcel) {
    guard let progress else { return }
    let content = plan.inputs[parcel.input].content
    let read = parcel.batch.byteOffset + Int64(parcel.batch.text.count)
    progress(
      LoadProgress(
        input: content.path,
        readByteCount: passedByteCount + read,
        byteCount: plan.byteCount,
        recordCount: recordCounts.reduce(0, +),
        rejectedCount: log.rejectedCount
      )
    )
    if parcel.endsInput { passedByteCount += content.byteCount ?? read }
  }

  /// What the database is to remember of the run.
  func entry(of report: RunReport) throws -> LoadEntry {
    var entry = LoadEntry(command: "load", mode: job.mode.rawValue, started: started)
    entry.seconds = start.duration(to: .now) / .seconds(1)
    let contents = report.inputs.compactMap { input in input.sha256.map { (path: input.path, sha256: $0) } }
    if contents.count == report.inputs.count { entry.fingerprint = try LoadFingerprint.of(job, contents: contents) }
    entry.files = report.inputs.enumerated().map { index, input in
      LoadEntry.File(
        path: input.path,
        byteCount: input.sha256 == nil ? nil : input.byteCount,
        sha256: input.sha256,
        format: input.format,
        recordCount: input.recordCount,
        rejectedCount: rejectedCounts[index],
        filteredCount: filteredCounts[index]
      )
    }
    entry.counts = report.entities.map { LoadEntry.Count(entity: $0.name, numbers: $0.namedCounts.map(\.count)) }
    return entry
  }
}
