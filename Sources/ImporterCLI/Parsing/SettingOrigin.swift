/// Where the value of a setting comes from; later ones win over earlier ones.
package enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
  /// Nobody gave it.
  case byDefault
  /// Another option implies it, such as a format that `--output` names.
  case implied(by: OptionName)
  /// An environment variable.
  case environment(String)
  /// A line of an options file, from 1.
  case optionsFile(path: String, line: Int)
  /// The command line.
  case option

  /// The origin as reports write it.
  package var description: String {
    switch self {
    case .byDefault: "default"
    case .implied(let name): "--\(name.rawValue)"
    case .environment(let variable): "environment \(variable)"
    case .optionsFile(let path, let line): "\(path):\(line)"
    case .option: "option"
    }
  }
}

/// A setting of a run as reports list it.
package struct Setting: Sendable, Hashable {
  /// The option.
  package var name: OptionName
  /// The value as it was written; nil for a setting that is off or absent.
  package var value: String?
  /// Where the value comes from.
  package var origin: SettingOrigin

  /// Makes a setting; see the properties.
  package init(name: OptionName, value: String?, origin: SettingOrigin) {
    self.name = name
    self.value = value
    self.origin = origin
  }
}
