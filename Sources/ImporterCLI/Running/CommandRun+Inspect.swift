import Diagnostics
import Glibc
import ImporterKit
import Reporting

extension CommandRun {
  /// Shows what is in files: each when it has been read or, as JSON, all of them at the end.
  func inspect(_ job: InspectJob, _ presentation: Presentation, _ settings: [Setting]) throws -> Int32 {
    if job.inputs.contains("-"), isatty(STDIN_FILENO) == 1 {
      throw UsageError(
        "standard input is a terminal",
        remedy: "pipe something into it, or write '< FILE' after the command",
        command: "inspect"
      )
    }
    list(settings, presentation)
    let diagnostics = console.diagnosticSink(presentation)
    var isFirst = true
    let outcome = try job.run(diagnostics: diagnostics, cancellation: cancellation) { input in
      diagnostics.finish(isSuccess: input.failure == nil)
      if let failure = input.failure { console.say(error: failure.message, remedy: failure.remedy) }
      guard !presentation.isJSON, input.format != nil else { return }
      let text = input.text(isDetailed: presentation.verbosity > 0)
      try StandardStreams.write((isFirst ? "" : "\n") + text, to: STDOUT_FILENO)
      isFirst = false
    }
    if presentation.isJSON { try StandardStreams.write(outcome.json(), to: STDOUT_FILENO) }
    return outcome.exitStatus
  }
}
