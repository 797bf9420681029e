import Diagnostics
import Glibc
import ImporterKit
import Reporting

/// One run of a command: jobs in, exit status out.
struct CommandRun {
  let console: Console
  let cancellation: Cancellation
  let environment: [String: String]

  /// Runs what was asked for.
  ///
  /// - Returns: The exit status.
  func run(_ invocation: Invocation) throws -> Int32 {
    switch invocation {
    case .version:
      try StandardStreams.write("importer \(importerVersion)\n", to: STDOUT_FILENO)
      return 0
    case .help(let page):
      try StandardStreams.write(page, to: STDOUT_FILENO)
      return 0
    case .load(let job, let presentation, let settings):
      return try load(job, presentation, settings)
    case .inspect(let job, let presentation, let settings):
      return try inspect(job, presentation, settings)
    case .model(let job, let presentation, let settings):
      return try model(job, presentation, settings)
    case .history(let job, let presentation, let settings):
      list(settings, presentation)
      let outcome = try job.run(cancellation: cancellation)
      let text = presentation.isJSON ? outcome.json() : outcome.text(isDetailed: presentation.verbosity > 0)
      try StandardStreams.write(text, to: STDOUT_FILENO)
      return 0
    case .delete(let job, let presentation, let settings): return try delete(job, presentation, settings)
    case .export(let job, let presentation, let settings):
      list(settings, presentation)
      let rowCount = try job.run(cancellation: cancellation)
      if !presentation.isQuiet, job.output != nil || presentation.verbosity > 0 {
        let rows = rowCount == 1 ? "1 row" : "\(rowCount) rows"
        console.say("wrote \(rows) to " + (job.output.map { "'\(excerpt(of: $0))'" } ?? "standard output"))
      }
      return 0
    }
  }

  private func load(_ job: LoadJob, _ presentation: Presentation, _ settings: [Setting]) throws -> Int32 {
    if job.inputs.contains("-"), isatty(STDIN_FILENO) == 1 {
      throw UsageError(
        "standard input is a terminal",
        remedy: "pipe something into it, or write '< FILE' after the command",
        command: job.isCheck ? "check" : "load"
      )
    }
    list(settings, presentation)
    var job = job
    job.settings = settings.compactMap(\.reported)
    let progress = presentation.isQuiet ? nil : ProgressLine(on: console, environment: environment)
    let diagnostics = console.diagnosticSink(presentation, over: progress)
    let outcome: LoadOutcome
    do {
      outcome = try job.run(diagnostics: diagnostics, cancellation: cancellation) { progress?.show($0) }
      progress?.clear()
    } catch {
      progress?.clear()
      // What is said last of the faults comes before the error that stopped the run.
      diagnostics.finish(after: (error as? StoppedLoad)?.cause ?? error)
      if presentation.isJSON { try? StandardStreams.write(job.report(of: error), to: STDOUT_FILENO) }
      throw error
    }
    diagnostics.finish(isSuccess: outcome.exitStatus == 0)
    if presentation.isJSON {
      let lineEnd = outcome.json.hasSuffix("\n") ? "" : "\n"
      try StandardStreams.write(outcome.json + lineEnd, to: STDOUT_FILENO)
    } else if !presentation.isQuiet || outcome.exitStatus != 0 {
      // Rejects are no success: where they are kept belongs into the mail.
      for line in outcome.summary { console.say(line) }
    }
    if let failure = outcome.reportFailure { throw failure }
    return outcome.exitStatus
  }

  /// Says where settings come from: the told ones with `-v`, defaults too with `-vv`.
  func list(_ settings: [Setting], _ presentation: Presentation) {
    guard presentation.verbosity > 0 else { return }
    for setting in settings {
      guard let value = setting.value, setting.origin != .byDefault || presentation.verbosity > 1 else { continue }
      console.say(
        "setting: \(setting.name.rawValue) = '\(excerpt(of: value))' (\(excerpt(of: setting.origin.description)))"
      )
    }
  }
}

extension Setting {
  /// The setting as a report lists it; nil for one that is off or absent.
  fileprivate var reported: RunReport.Setting? {
    guard let value else { return nil }
    let origin: RunReport.Origin =
      switch origin {
      case .byDefault, .implied: .default
      case .environment: .environment
      case .optionsFile: .optionsFile
      case .option: .option
      }
    return .init(name.rawValue, value, origin)
  }
}
