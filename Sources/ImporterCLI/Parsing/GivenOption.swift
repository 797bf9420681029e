/// One option as it was given, on the command line or in an options file.
struct GivenOption {
  /// What the option is.
  var specification: OptionSpecification
  /// The option as it was written, such as `-d` or `--no-defaults`.
  var spelling: String
  /// Its value; for a flag `true` or `false`.
  var value: String
  /// Where it was given.
  var origin: SettingOrigin

  var name: OptionName { specification.name }

  /// The line of the options file that gave it.
  var place: UsageError.Place? {
    guard case .optionsFile(let path, let line) = origin else { return nil }
    return UsageError.Place(file: path, line: line)
  }

  /// An error about this option.
  func error(_ message: String, remedy: String? = nil, command: String) -> UsageError {
    UsageError(message, remedy: remedy, command: command, place: place)
  }
}
