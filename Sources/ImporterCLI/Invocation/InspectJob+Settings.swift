import Diagnostics
import ImporterKit

extension InspectJob {
  /// Makes the job that the settings of `inspect` describe.
  init(_ settings: Settings, inputs: [String]) throws(UsageError) {
    self.init(inputs: try checkedInputs(inputs, of: settings.command.name))
    reading = try ReadingOptions(settings)
    dateFormats = try settings.values(.dateFormat, parseDateFormat)
  }
}

/// The inputs, if there are any and they can all be read.
func checkedInputs(_ inputs: [String], of command: String) throws(UsageError) -> [String] {
  guard !inputs.isEmpty else {
    throw UsageError("no input: name a file, or '-' for standard input", command: command)
  }
  guard !inputs.contains("") else { throw UsageError("an input's name is empty", command: command) }
  guard inputs.count(where: { $0 == "-" }) < 2 else {
    throw UsageError("standard input ('-') can be read only once", command: command)
  }
  return inputs
}
