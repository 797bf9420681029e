import Diagnostics
import ImporterKit

extension DeleteJob {
  /// Makes the job that the settings of `delete` describe.
  init(_ settings: Settings, operands: [String]) throws(UsageError) {
    if let operand = operands.first {
      throw UsageError(
        "'delete' takes no '\(excerpt(of: operand))'",
        remedy: "name rows by a condition: --where \"name == 'X'\"",
        command: "delete"
      )
    }
    guard let filter = settings.text(.filter) else {
      throw UsageError(
        "'delete' needs a condition",
        remedy: "tell --where \"name == 'X'\", or --where TRUEPREDICATE for all rows",
        command: "delete"
      )
    }
    self.init(database: settings.text(.database) ?? "importer.sqlite", filter: filter)
    entity = settings.text(.entity)
    isTrial = settings.isOn(.dryRun)
    lockWait = try settings.value(.lockWait, parseSeconds) ?? lockWait
  }
}
