import ByteStreams
import Diagnostics
import EntityModel
import Glibc
import Reporting
import SQLiteStore

/// Ends a load whose content is in the database already.
extension LoadJob {
  /// What each file holds, read for that alone; nil where an input is no file, and so can be read but once.
  private func contents() throws -> [(path: String, value: ContentDigest.Value)]? {
    let paths = try InputExpansion.expand(inputs)
    guard paths.allSatisfy({ $0 != "-" && isRegularFile($0) }) else { return nil }
    var contents: [(path: String, value: ContentDigest.Value)] = []
    for path in paths {
      guard let value = try ContentDigest.value(of: try FileByteSource(path: path)), value.byteCount > 0 else {
        return nil
      }
      contents.append((path, value))
    }
    return contents
  }

  /// Whether what is loaded is all in the inputs; else nobody knows whether it is the same.
  private var readsInputsAlone: Bool { !model.binaryFormats.contains { $0.spelling == .file } }

  /// The report of a run that has nothing to do, before anything is planned; nil where there is something, or pipes are
  /// among the inputs.
  func unchangedReport(_ cancellation: Cancellation) throws -> RunReport? {
    guard skipsUnchanged, readsInputsAlone, let contents = try contents() else { return nil }
    return try unchangedReport(of: contents, cancellation)
  }

  /// The same of inputs that have been opened; pipes are copied to a temporary file.
  func unchangedReport(of inputs: [InputPlan], _ cancellation: Cancellation) throws -> RunReport? {
    guard skipsUnchanged, readsInputsAlone,
      inputs.contains(where: { $0.content.path == "-" || !isRegularFile($0.content.path) })
    else {
      return nil
    }
    var contents: [(path: String, value: ContentDigest.Value)] = []
    for input in inputs {
      try input.content.makeRereadable()
      guard let value = try input.content.finishedDigest() else { return nil }
      contents.append((input.content.path, value))
    }
    return try unchangedReport(of: contents, cancellation)
  }

  private func unchangedReport(
    of contents: [(path: String, value: ContentDigest.Value)],
    _ cancellation: Cancellation
  ) throws -> RunReport? {
    let load = try LoadHistory.load(
      of: LoadFingerprint.of(self, contents: contents.map { ($0.path, $0.value.sha256) }),
      stillIn: database,
      acceptsRejects: acceptsRejects,
      lockWait: lockWait,
      interrupter: cancellation.interrupter
    )
    guard let load else { return nil }
    var report = RunReport(command: isCheck ? "check" : "load", database: database)
    let time = UTCTime(seconds: load.started).textWithSeconds
    report.outcome = .unchanged(because: "the same content was loaded on \(time) UTC, by run \(load.run)")
    for (index, content) in contents.enumerated() {
      let format = index < load.files.count ? load.files[index].format : ""
      var input = RunReport.Input(path: content.path, format: format)
      input.byteCount = content.value.byteCount
      input.sha256 = content.value.sha256
      report.inputs.append(input)
    }
    report.entities = load.counts.map { EntityCounts(name: $0.entity) }
    return report
  }

  /// Says that nothing can be skipped, where the database keeps no list of loads.
  func tellMissingHistory(_ diagnostics: any DiagnosticSink, _ cancellation: Cancellation) throws {
    guard skipsUnchanged,
      try LoadHistory.isMissing(fromDatabase: database, lockWait: lockWait, interrupter: cancellation.interrupter)
    else { return }
    diagnostics.note(
      Diagnostic(
        severity: .warning,
        code: .modelRemark,
        location: SourceLocation(file: database),
        message: "importer has not made the database, so that it keeps no list of loads: "
          + "--skip-unchanged skips nothing",
        remedy: "leave --skip-unchanged out, or load into a database that importer makes"
      )
    )
  }

  private func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
