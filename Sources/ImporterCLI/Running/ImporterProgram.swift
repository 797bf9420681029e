import Diagnostics
import Glibc
import ImporterKit

/// The `importer` command.
package enum ImporterProgram {
  /// How a run ends.
  private enum Ending {
    case status(Int32)
    case signal(Int32)
  }

  /// Runs the command with the process's arguments, and ends the process.
  package static func main() -> Never {
    StandardStreams.openClosedOnes()
    Signals.makeWriteErrorsOrdinary()
    var ending = run()
    do throws(WriteError) {
      try StandardStreams.closeOutput()
    } catch {
      Console(color: .auto, environment: [:]).say(error: error.description, remedy: nil)
      if case .status = ending { ending = .status(error.kind.exitStatus) }
    }
    switch ending {
    case .status(let status): exit(status)
    case .signal(let number): Signals.end(by: number)
    }
  }

  private static func run() -> Ending {
    var console = Console(color: .auto, environment: [:])
    let cancellation = Cancellation()
    do {
      let surroundings = try Surroundings()
      console = Console(color: .auto, environment: surroundings.environment)
      let invocation = try parseInvocation(
        arguments: surroundings.arguments,
        environment: surroundings.environment,
        readingOptionsFilesWith: { path in Result { () throws(ReadError) in try readOptionsFile(path) } }
      )
      if let presentation = invocation.presentation {
        console = Console(color: presentation.color, environment: surroundings.environment)
        Signals.watch(for: cancellation)
      }
      return .status(
        try CommandRun(console: console, cancellation: cancellation, environment: surroundings.environment).run(
          invocation
        )
      )
    } catch {
      return tell(error, cancellation, console)
    }
  }

  /// Says what stopped the run.
  private static func tell(_ error: any Error, _ cancellation: Cancellation, _ console: Console) -> Ending {
    switch error {
    case let error as UsageError where error.place == nil:
      let remedy = error.remedy.map { "; \($0)" } ?? ""
      let command = CommandTable.command(named: error.command) ?? CommandTable.root
      console.say(error: error.message + remedy, remedy: nil)
      console.write("Usage: \(command.usage)\nSee '\(command.invocation) --help' for more.\n")
      return .status(error.kind.exitStatus)
    case ReadError.refused(let faults) where !faults.isEmpty:
      // The faults themselves have been shown.
      console.say(error: "the input is refused; nothing was committed", remedy: nil)
      return .status(FailureKind.data.exitStatus)
    case let failure as any RunFailure:
      guard case .interrupted(let number) = failure.kind else {
        console.say(error: failure.description, remedy: failure.remedy)
        return .status(failure.kind.exitStatus)
      }
      if number == SIGPIPE { return .signal(SIGPIPE) }
      let requested = cancellation.requestedSignal
      let signal = requested == 0 ? number : requested
      let stopped = failure as? StoppedLoad
      let state = stopped.map { StoppedLoad.whatStays($0.committedCount) } ?? "the database is as it was before"
      console.say(
        error: "interrupted by \(Signals.name(of: signal)); \(state)",
        remedy: stopped.map { _ in StoppedLoad.howToGoOn }
      )
      return .signal(signal)
    default:
      console.say(error: "unexpected: \(error)", remedy: "please report this, with the command that you ran")
      return .status(FailureKind.software.exitStatus)
    }
  }
}

extension Invocation {
  /// How much is said; nil for what only shows something.
  fileprivate var presentation: Presentation? {
    switch self {
    case .load(_, let presentation, _), .inspect(_, let presentation, _), .model(_, let presentation, _),
      .export(_, let presentation, _), .delete(_, let presentation, _), .history(_, let presentation, _):
      presentation
    case .help, .version: nil
    }
  }
}
