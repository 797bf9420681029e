import Diagnostics
import ImporterKit

extension DeleteJob {
  /// Makes the job that the settings of `delete` describe.
  init(_ settings: Settings, operands: [String]) throws(UsageError) {
    if let operand = operands.first {
      throw UsageError(
        "'delete' takes no '\(excerpt(of: operand))'",
        remedy: "name rows by a condition, --where \"name == 'X'\", or by a file of keys, --keys FILE",
        command: "delete"
      )
    }
    let database = settings.text(.database) ?? "importer.sqlite"
    switch (settings.text(.filter), settings.text(.keys)) {
    case (let filter?, nil): self.init(database: database, filter: filter)
    case (nil, let keys?): self.init(database: database, keys: keys)
    case (nil, nil):
      throw UsageError(
        "'delete' needs a condition, or a file of keys",
        remedy: "tell --where \"name == 'X'\", --where TRUEPREDICATE for all rows, or --keys FILE",
        command: "delete"
      )
    case (_?, _?): throw UsageError("'--where' and '--keys' exclude each other", command: "delete")
    }
    entity = settings.text(.entity)
    isTrial = settings.isOn(.dryRun)
    lockWait = try settings.value(.lockWait, parseSeconds) ?? lockWait
    if case .condition = selection { try refuseReadingOptions(settings) }
    reading = try ReadingOptions(settings)
    model.dateFormats = try settings.values(.dateFormat, parseDateFormat)
    model.mappings = try settings.values(.map, parseMapping)
    model.decimalMark = settings.text(.decimalMark)?.first ?? model.decimalMark
    rejectsFolder = settings.text(.rejects)
    isStrict = settings.isOn(.strict)
    acceptsRejects = settings.isOn(.acceptRejects)
  }

  /// Without a file there is nothing to be read, or rejected.
  private func refuseReadingOptions(_ settings: Settings) throws(UsageError) {
    let idle = OptionTable.readingKeys.map(\.name) + [.rejects, .strict, .acceptRejects]
    for name in idle {
      guard let option = settings.option(name) else { continue }
      throw option.error(
        "option '\(option.spelling)' has no meaning without '--keys'",
        remedy: "leave it out",
        command: "delete"
      )
    }
  }
}
