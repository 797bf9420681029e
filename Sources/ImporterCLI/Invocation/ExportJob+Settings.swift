import Diagnostics
import EntityModel
import ImporterKit

extension ExportJob {
  /// Makes the job that the settings of `export` describe.
  init(_ settings: Settings, operands: [String]) throws(UsageError) {
    if let operand = operands.first {
      throw UsageError(
        "'export' takes no '\(excerpt(of: operand))'",
        remedy: "to write into a file, use '--output \(excerpt(of: operand))'; to read a database, '--database'",
        command: "export"
      )
    }
    self.init(database: settings.text(.database) ?? "importer.sqlite")
    entity = settings.text(.entity)
    output = settings.text(.output).flatMap { $0 == "-" ? nil : $0 }
    format = try settings.value(.format, parseWrittenFormat) ?? Self.format(named: output) ?? .csv
    delimiter = try settings.value(.delimiter, parseDelimiter)
    header = settings.text(.header).flatMap(Header.init) ?? .yes
    isSpreadsheetSafe = settings.isOn(.spreadsheetSafe)
    filter = settings.text(.filter)
    order = settings.text(.sortBy)
    listSeparator = settings.text(.listSeparator)
    isFlat = settings.isOn(.flat)
    if let option = settings.option(.flat), format == .csv || format == .tsv {
      throw option.error(
        "option '\(option.spelling)' has no meaning for the format \(format.rawValue), which is flat",
        remedy: "leave it out",
        command: "export"
      )
    }
    for name in [OptionName.delimiter, .header, .spreadsheetSafe, .listSeparator] where format != .csv && format != .tsv
    {
      guard let option = settings.option(name) else { continue }
      throw option.error(
        "option '\(option.spelling)' has no meaning for the format \(format.rawValue)",
        remedy: "leave it out",
        command: "export"
      )
    }
  }

  /// The format that a file's name asks for, compressed or not; nil where it asks for none.
  private static func format(named path: String?) -> FileFormat? {
    guard var path else { return nil }
    if path.lowercased().hasSuffix(".gz") { path.removeLast(3) }
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    return switch path[path.index(after: dot)...].lowercased() {
    case "txt": .text
    case "tab": .tsv
    case "jsonl": .ndjson
    case let known: FileFormat(rawValue: known).flatMap { FileFormat.written.contains($0) ? $0 : nil }
    }
  }

  /// The settings with the format that the output's name implies.
  func listing(_ settings: [Setting]) -> [Setting] {
    settings.map { setting in
      guard setting.name == .format, setting.origin == .byDefault, Self.format(named: output) != nil else {
        return setting
      }
      return Setting(name: .format, value: format.rawValue, origin: .implied(by: .output))
    }
  }
}
