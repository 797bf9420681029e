package import Diagnostics
package import ImporterKit

/// What a command line asks for.
package enum Invocation: Sendable, Hashable {
  /// A load or, with `isCheck`, a check.
  case load(LoadJob, Presentation, [Setting])
  /// A model, shown or written.
  case model(ModelJob, Presentation, [Setting])
  /// An export.
  case export(ExportJob, Presentation, [Setting])
  /// A deletion.
  case delete(DeleteJob, Presentation, [Setting])
  /// The list of loads.
  case history(HistoryJob, Presentation, [Setting])
  /// An inspection.
  case inspect(InspectJob, Presentation, [Setting])
  /// A help page, ready to be printed.
  case help(String)
  /// The version.
  case version
}

/// When messages are coloured.
package enum ColorChoice: String, Sendable, Hashable, CaseIterable {
  /// On a terminal, unless the environment says otherwise.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// How much a run says, and how.
package struct Presentation: Sendable, Hashable {
  /// Whether success is silent and only errors are said.
  package var isQuiet = false
  /// How often `--verbose` was given.
  package var verbosity = 0
  /// Whether the run report goes to standard output as JSON.
  package var isJSON = false
  /// When messages are coloured.
  package var color = ColorChoice.auto

  /// Makes the usual one.
  package init() {}
}

/// Understands a command line; opens nothing but the options files that it names, through `readOptionsFile`.
///
/// - Parameters:
///   - arguments: The arguments without the program's name.
///   - environment: `IMPORTER_DATABASE` and `COLUMNS` are looked at.
///   - readOptionsFile: Gives the bytes of the file at a path, or says why it cannot.
/// - Throws: A `UsageError` with the place in an options file, if one is at fault.
package func parseInvocation(
  arguments: [String],
  environment: [String: String] = [:],
  readingOptionsFilesWith readOptionsFile: (String) -> Result<[UInt8], ReadError>
) throws(UsageError) -> Invocation {
  var parser = CommandLineParser(arguments: arguments)
  let columns = HelpPage.columns(environment: environment)
  do throws(CommandLineParser.Interruption) {
    let line = try parser.parse(readingOptionsFilesWith: readOptionsFile)
    let settings: Settings
    do throws(UsageError) {
      settings = try Settings(line.options, of: line.command, environment: environment)
    } catch {
      throw .usage(error)
    }
    return try invocation(of: line, settings, columns: columns)
  } catch {
    switch error {
    case .version: return .version
    case .generated(let text): return .help(text)
    case .usage(let error): throw error
    case .help(let name):
      return .help(HelpPage(of: CommandTable.command(named: name) ?? CommandTable.root, columns: columns).text)
    }
  }
}

private func invocation(
  of line: CommandLineParser.Line,
  _ settings: Settings,
  columns: Int
) throws(CommandLineParser.Interruption) -> Invocation {
  do throws(UsageError) {
    var presentation = Presentation()
    presentation.isQuiet = settings.isOn(.quiet)
    presentation.verbosity = settings.count(.verbose)
    presentation.isJSON = settings.isOn(.json)
    presentation.color = settings.text(.color).flatMap(ColorChoice.init) ?? .auto
    switch line.command.name {
    case "load", "check":
      return .load(try LoadJob(settings, inputs: line.operands), presentation, settings.all)
    case "inspect":
      return .inspect(try InspectJob(settings, inputs: line.operands), presentation, settings.all)
    case "model":
      return .model(try ModelJob(settings, operands: line.operands), presentation, settings.all)
    case "export":
      let job = try ExportJob(settings, operands: line.operands)
      return .export(job, presentation, job.listing(settings.all))
    case "delete":
      return .delete(try DeleteJob(settings, operands: line.operands), presentation, settings.all)
    case "history":
      return .history(try HistoryJob(settings, operands: line.operands), presentation, settings.all)
    default:
      return .help(try helpPage(for: line.operands, columns: columns).text)
    }
  } catch {
    throw .usage(error)
  }
}

private func helpPage(for operands: [String], columns: Int) throws(UsageError) -> HelpPage {
  guard operands.count < 2 else {
    throw UsageError("'help' takes one command, not \(operands.count)", command: "help")
  }
  guard let name = operands.first else { return HelpPage(of: CommandTable.root, columns: columns) }
  if let command = CommandTable.command(named: name) { return HelpPage(of: command, columns: columns) }
  let shown = "'\(excerpt(of: name))'"
  let names = CommandTable.commands.map(\.name)
  throw UsageError(
    "unknown command \(shown)",
    remedy: suggestion(for: name, among: names) ?? "the commands are \(names.joined(separator: ", "))",
    command: "help"
  )
}
