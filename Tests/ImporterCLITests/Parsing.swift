import Diagnostics
import ImporterCLI
import ImporterKit
import Testing

/// Parses arguments; options files are taken from a dictionary.
func parse(
  _ arguments: [String],
  environment: [String: String] = [:],
  files: [String: String] = [:]
) throws(UsageError) -> Invocation {
  try parseInvocation(arguments: arguments, environment: environment) { path in
    guard let text = files[path] else { return .failure(.missing(path: path)) }
    return .success(Array(text.utf8))
  }
}

/// The load or check that arguments ask for.
func loadJob(
  _ arguments: [String],
  environment: [String: String] = [:],
  files: [String: String] = [:]
) throws -> LoadJob {
  guard case .load(let job, _, _) = try parse(arguments, environment: environment, files: files) else {
    throw UsageError("not a load: \(arguments)")
  }
  return job
}

/// The export that arguments ask for.
func exportJob(_ arguments: [String]) throws -> ExportJob {
  guard case .export(let job, _, _) = try parse(arguments) else { throw UsageError("not an export: \(arguments)") }
  return job
}

/// The error that arguments lead to, as one text with its remedy; nil where there is none.
func usageError(
  _ arguments: [String],
  files: [String: String] = [:]
) -> UsageError? {
  do throws(UsageError) {
    _ = try parse(arguments, files: files)
    return nil
  } catch {
    return error
  }
}

extension UsageError {
  /// The sentence and the remedy, parted by `; `.
  var sentence: String { description + (remedy.map { "; \($0)" } ?? "") }
}
