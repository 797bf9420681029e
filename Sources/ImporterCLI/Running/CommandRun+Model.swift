import Diagnostics
import Glibc
import ImporterKit
import Reporting

extension CommandRun {
  /// Shows a model, or writes it in another form.
  func model(_ job: ModelJob, _ presentation: Presentation, _ settings: [Setting]) throws -> Int32 {
    if job.source == "-", isatty(STDIN_FILENO) == 1 {
      throw UsageError(
        "standard input is a terminal",
        remedy: "pipe something into it, or write '< FILE' after the command",
        command: "model"
      )
    }
    list(settings, presentation)
    let diagnostics = console.diagnosticSink(presentation)
    let outcome: ModelOutcome
    do {
      defer { diagnostics.finish() }
      outcome = try job.run(diagnostics: diagnostics, cancellation: cancellation)
    } catch ReadError.refused(let faults) {
      let refusal = console.diagnosticSink(presentation)
      for fault in faults { refusal.note(fault) }
      refusal.finish()
      throw ReadError.refused(faults)
    }
    if let form = job.form {
      if !presentation.isQuiet, let output = job.output {
        console.say("wrote the model to '\(excerpt(of: output))' as \(form.rawValue)")
      }
    } else if presentation.isJSON {
      try StandardStreams.write(outcome.json(), to: STDOUT_FILENO)
    } else {
      try StandardStreams.write(outcome.text(isDetailed: presentation.verbosity > 0), to: STDOUT_FILENO)
    }
    return 0
  }
}
