import Diagnostics
import EntityModel
import ImporterKit

extension LoadJob {
  /// Makes the job that the settings of `load` or `check` describe.
  init(_ settings: Settings, inputs: [String]) throws(UsageError) {
    let command = settings.command.name
    self.init(inputs: try checkedInputs(inputs, of: command), database: settings.text(.database) ?? "importer.sqlite")
    isCheck = command == "check" || settings.isOn(.dryRun)
    reading = try ReadingOptions(settings)
    model = try ModelOptions(settings)
    rejectsFolder = settings.text(.rejects)
    usesDefaults = settings.isOn(.defaults)
    isStrict = settings.isOn(.strict)
    acceptsRejects = settings.isOn(.acceptRejects)
    mode = settings.text(.mode).flatMap(Mode.init) ?? mode
    deleteLimit =
      try settings.value(.deleteLimit) { text throws(ValueFault) in try parseLimit(text, of: "rows") } ?? deleteLimit
    rejectLimit = try settings.value(.rejectLimit) { text throws(ValueFault) in try parseLimit(text, of: "records") }
    reports = try settings.values(.report, parseReport)
    orphans = settings.text(.orphans).flatMap(Orphans.init) ?? orphans
    filter = settings.text(.filter)
    skipsUnchanged = settings.isOn(.skipUnchanged)
    commitEvery = try settings.value(.commitEvery, parseRecordCount)
    startsOver = settings.isOn(.startOver)
    lockWait = try settings.value(.lockWait, parseSeconds) ?? lockWait
  }
}

extension ModelOptions {
  /// Reads the settings that say what is valid.
  init(_ settings: Settings) throws(UsageError) {
    self.init()
    modelFile = settings.text(.model)
    entity = settings.text(.entity)
    for typed in try settings.values(.type, parseTypedColumn) {
      // The last type told for a column holds.
      types.removeAll { $0.column == typed.column }
      types.append(typed)
    }
    isAllText = settings.isOn(.allText)
    required = try settings.values(.require, parseNames).flatMap { $0 }
    unique = try settings.values(.unique, parseNames).flatMap { $0 }
    key = try settings.value(.key, parseNames)
    dateFormats = try settings.values(.dateFormat, parseDateFormat)
    binaryFormats = try settings.values(.binary, parseBinaryFormat)
    mappings = try settings.values(.map, parseMapping)
    links = try settings.values(.link, parseLink)
    decimalMark = settings.text(.decimalMark)?.first ?? decimalMark
  }
}
