import Diagnostics
import ImporterKit

extension HistoryJob {
  /// Makes the job that the settings of `history` describe.
  init(_ settings: Settings, operands: [String]) throws(UsageError) {
    if let operand = operands.first {
      throw UsageError(
        "'history' takes no '\(excerpt(of: operand))'",
        remedy: "to name a database, use '--database \(excerpt(of: operand))'",
        command: "history"
      )
    }
    self.init(database: settings.text(.database) ?? "importer.sqlite")
    if let told = try settings.value(.limit, parseRunCount) { limit = told == 0 ? nil : told }
    lockWait = try settings.value(.lockWait, parseSeconds) ?? lockWait
  }
}

/// Reads how many runs are listed; 0 for `all`.
private func parseRunCount(_ text: String) throws(ValueFault) -> Int {
  if text == "all" { return 0 }
  let count = try? parseCount(text)
  guard let count, count > 0 else {
    throw ValueFault(
      "'\(excerpt(of: text, limit: 40))' is no number of runs",
      remedy: "write digits, such as 5, or 'all'"
    )
  }
  return count
}
