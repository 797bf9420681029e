import Diagnostics
import ImporterKit

extension ModelJob {
  /// Makes the job that the settings of `model` describe.
  init(_ settings: Settings, operands: [String]) throws(UsageError) {
    guard let source = operands.first, !source.isEmpty else {
      throw UsageError("no source: name a model file, a database or a data file", command: "model")
    }
    guard operands.count == 1 else {
      throw UsageError(
        "'model' takes one source, not \(operands.count)",
        remedy: "name a folder for several data files",
        command: "model"
      )
    }
    self.init(source: source)
    reading = try ReadingOptions(settings)
    model = try ModelOptions(settings)
    form = settings.text(.form).flatMap(Form.init)
    output = settings.text(.output).flatMap { $0 == "-" ? nil : $0 }
    lockWait = try settings.value(.lockWait, parseSeconds) ?? lockWait
    guard let option = settings.option(.form) ?? settings.option(.output) else { return }
    if settings.isOn(.json) {
      throw option.error("'\(option.spelling)' and '--json' exclude each other", remedy: nil, command: "model")
    }
    if form == nil {
      throw option.error(
        "option '\(option.spelling)' needs '--as', which says what to write",
        remedy: "add one of " + Form.allCases.map(\.rawValue).joined(separator: ", "),
        command: "model"
      )
    }
  }
}
