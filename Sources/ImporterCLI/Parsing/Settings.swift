import Diagnostics

/// The options that hold for one run, each with its origin.
///
/// What the command line says wins over options files, which win over the environment. Among equals the last one wins, and
/// repeatable options add up.
struct Settings {
  let command: CommandSpecification
  private var given: [OptionName: [GivenOption]] = [:]

  init(
    _ options: [GivenOption],
    of command: CommandSpecification,
    environment: [String: String]
  ) throws(UsageError) {
    self.command = command
    for isOnCommandLine in [false, true] {
      let layer = options.filter { ($0.origin == .option) == isOnCommandLine }
      try checkExclusions(in: layer)
      for exclusion in Set(layer.compactMap(\.specification.exclusion)) {
        for option in command.options where option.exclusion == exclusion { given[option.name] = nil }
      }
      for option in layer { try add(option) }
    }
    if given[.database] == nil, let path = environment["IMPORTER_DATABASE"], !path.isEmpty,
      let specification = command.option(named: OptionName.database.rawValue)
    {
      given[.database] = [
        GivenOption(
          specification: specification,
          spelling: "IMPORTER_DATABASE",
          value: path,
          origin: .environment("IMPORTER_DATABASE")
        )
      ]
    }
  }

  private mutating func add(_ option: GivenOption) throws(UsageError) {
    let specification = option.specification
    let earlier = given[option.name, default: []]
    if specification.takesValue {
      if option.value.isEmpty, !specification.allowsEmptyValue {
        throw option.error("option '\(option.spelling)' needs a value that is not empty", command: command.name)
      }
      try checkValues(of: option)
    }
    switch specification.kind {
    case .repeatable, .counted:
      given[option.name] = earlier + [option]
    case .flag, .value, .action:
      if specification.isExclusive, let first = earlier.first, first.origin.rank == option.origin.rank {
        throw option.error(
          "option '\(option.spelling)' is given twice: '\(excerpt(of: first.value, limit: 40))' and "
            + "'\(excerpt(of: option.value, limit: 40))'",
          remedy: "give all its names at once, as a,b",
          command: command.name
        )
      }
      given[option.name] = [option]
    }
  }

  private func checkValues(of option: GivenOption) throws(UsageError) {
    let specification = option.specification
    guard !specification.values.isEmpty, !specification.values.contains(option.value) else { return }
    let found = "'\(excerpt(of: option.value, limit: 40))'"
    throw option.error(
      "option '\(option.spelling)': \(found) is none of \(specification.values.joined(separator: ", "))",
      remedy: suggestion(for: option.value, among: specification.values),
      command: command.name
    )
  }

  private func checkExclusions(in layer: [GivenOption]) throws(UsageError) {
    var first: [OptionSpecification.Exclusion: GivenOption] = [:]
    for option in layer where option.value != "false" {
      guard let exclusion = option.specification.exclusion else { continue }
      if let other = first[exclusion], other.name != option.name {
        throw option.error("'\(other.spelling)' and '\(option.spelling)' exclude each other", command: command.name)
      }
      first[exclusion] = option
    }
  }

  // MARK: What holds

  /// The option as it holds; the last one of a repeatable.
  func option(_ name: OptionName) -> GivenOption? { given[name]?.last }

  /// The value that holds, as it was written.
  func text(_ name: OptionName) -> String? { option(name)?.value }

  /// Whether a flag is on.
  func isOn(_ name: OptionName) -> Bool {
    guard let option = option(name) else {
      return command.option(named: name.rawValue)?.kind == .flag(isOnByDefault: true)
    }
    return option.value == "true"
  }

  /// How often a counted option was given.
  func count(_ name: OptionName) -> Int { given[name, default: []].count }

  /// The value that holds, read by a grammar of its own.
  func value<Value>(
    _ name: OptionName,
    _ read: (String) throws(ValueFault) -> Value
  ) throws(UsageError) -> Value? {
    guard let option = option(name) else { return nil }
    return try self.read(option, read)
  }

  /// The values of a repeatable option, in the order given.
  func values<Value>(
    _ name: OptionName,
    _ read: (String) throws(ValueFault) -> Value
  ) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for option in given[name, default: []] { values.append(try self.read(option, read)) }
    return values
  }

  private func read<Value>(
    _ option: GivenOption,
    _ read: (String) throws(ValueFault) -> Value
  ) throws(UsageError) -> Value {
    do throws(ValueFault) {
      return try read(option.value)
    } catch {
      throw option.error("option '\(option.spelling)': \(error.message)", remedy: error.remedy, command: command.name)
    }
  }

  /// Every setting of the command in the order of its help, defaults included.
  var all: [Setting] {
    command.options.filter { $0.kind != .action && !$0.isHidden }.flatMap { specification -> [Setting] in
      let options = given[specification.name, default: []]
      if specification.kind == .counted, let last = options.last {
        return [Setting(name: specification.name, value: "\(options.count)", origin: last.origin)]
      }
      guard options.isEmpty else {
        return options.map { Setting(name: $0.name, value: $0.value, origin: $0.origin) }
      }
      return [Setting(name: specification.name, value: specification.defaultText, origin: .byDefault)]
    }
  }
}

extension SettingOrigin {
  /// Which layer of settings it belongs to; a higher one wins.
  fileprivate var rank: Int {
    switch self {
    case .byDefault: 0
    case .implied: 1
    case .environment: 2
    case .optionsFile: 3
    case .option: 4
    }
  }
}
