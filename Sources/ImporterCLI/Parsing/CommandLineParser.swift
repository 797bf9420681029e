import Diagnostics

/// Splits arguments into a command, options and operands; knows grammar, but no option's meaning.
///
/// `--name value`, `--name=value`, `-n value`, `-n=value`, clusters such as `-vq` of which the last may take a value; `--`
/// ends options; `-` is a value; options and operands mix; a value that begins with a dash is taken only after `=`, numbers
/// such as `-5` aside. `@FILE` stands for the options in a file.
struct CommandLineParser {
  /// What the arguments amount to.
  struct Line {
    var command: CommandSpecification
    var options: [GivenOption] = []
    var operands: [String] = []
  }

  /// What ends parsing, with something to show.
  enum Interruption: Error {
    case help(command: String)
    case version
    case generated(String)
    case usage(UsageError)
  }

  private var arguments: ArraySlice<String>
  private var command = CommandTable.root
  private var options: [GivenOption] = []
  private var operands: [String] = []
  private var optionsFiles: [String] = []

  init(arguments: [String]) {
    self.arguments = arguments[...]
  }

  /// Parses everything; options from files come before those of the command line.
  mutating func parse(
    readingOptionsFilesWith read: (String) -> Result<[UInt8], ReadError>
  ) throws(Interruption) -> Line {
    if let help = requestForHelp { throw help }
    do throws(UsageError) {
      try splitArguments()
      var fromFiles: [GivenOption] = []
      for path in optionsFiles { fromFiles += try optionsOfFile(path, reading: read) }
      options = fromFiles + options
    } catch {
      throw .usage(error)
    }
    if command.name.isEmpty, let text = try generatedText { throw .generated(text) }
    for option in options where option.specification.kind == .action {
      throw option.name == .version ? .version : .help(command: command.name)
    }
    return Line(command: command, options: options, operands: operands)
  }

  /// Help is shown whatever else is wrong with the command line.
  private var requestForHelp: Interruption? {
    let open = arguments.prefix { $0 != "--" }
    guard open.contains("--help") || open.contains("-h") else { return nil }
    let words = open.filter { !$0.hasPrefix("-") && !$0.hasPrefix("@") }
    let named = words.first == "help" ? words.dropFirst().first ?? "help" : words.first
    return .help(command: named.flatMap(CommandTable.command(named:))?.name ?? "")
  }

  /// The script or page that an option before any command asks for.
  private var generatedText: String? {
    get throws(Interruption) {
      guard let option = options.last(where: \.isOfGenerated) else { return nil }
      let value = option.value
      if option.name == .generateCompletionScript, let shell = CompletionShell(rawValue: value) { return shell.script }
      if option.name == .generateManualPage {
        if value == "importer" { return ManualPage(of: CommandTable.root).text }
        if let command = CommandTable.command(named: value) { return ManualPage(of: command).text }
      }
      let known =
        option.name == .generateManualPage
        ? ["importer"] + CommandTable.commands.map(\.name) : CompletionShell.allCases.map(\.rawValue)
      throw .usage(
        UsageError(
          "option '\(option.spelling)' takes no '\(excerpt(of: value))'",
          remedy: suggestion(for: value, among: known) ?? "write one of \(known.joined(separator: ", "))"
        )
      )
    }
  }

  // MARK: Arguments

  private mutating func splitArguments() throws(UsageError) {
    while let argument = arguments.popFirst() {
      if argument == "--" {
        for operand in arguments { try take(operand: operand) }
        arguments = []
      } else if argument.hasPrefix("--") {
        try takeLongOption(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        try takeCluster(argument)
      } else if argument.hasPrefix("@") {
        guard argument.count > 1 else {
          throw UsageError("'@' names no options file", remedy: "write '@nightly.args'", command: command.name)
        }
        optionsFiles.append(String(argument.dropFirst()))
      } else {
        try take(operand: argument)
      }
    }
    guard !command.name.isEmpty else {
      // `importer --version` needs no command.
      if options.contains(where: { $0.specification.kind == .action || $0.isOfGenerated }) { return }
      throw UsageError("a command is missing: \(CommandTable.commands.map(\.name).joined(separator: ", "))")
    }
  }

  private mutating func take(operand: String) throws(UsageError) {
    guard command.name.isEmpty else { operands.append(operand); return }
    guard let named = CommandTable.command(named: operand) else { throw Self.unknownCommand(operand) }
    command = named
    // Options that stood before the command belong to it.
    let lookup = OptionLookup(command: command)
    for index in options.indices {
      options[index].specification = try lookup.option(named: options[index].name.rawValue).specification
    }
  }

  private static func unknownCommand(_ word: String) -> UsageError {
    let shown = excerpt(of: word)
    let names = CommandTable.commands.map(\.name)
    if let remedy = suggestion(for: word, among: names) {
      return UsageError("unknown command '\(shown)'", remedy: remedy)
    }
    let looksLikeFile = word == "-" || word.contains(".") || word.contains("/")
    return UsageError(
      "unknown command '\(shown)'",
      remedy: looksLikeFile
        ? "to read a file, write 'importer load \(shown)'"
        : "the commands are \(names.joined(separator: ", "))"
    )
  }

  private mutating func takeLongOption(_ argument: String) throws(UsageError) {
    let body = argument.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    let attached = name.utf8.count < body.utf8.count ? String(body.dropFirst(name.count + 1)) : nil
    let match = try OptionLookup(command: command).option(named: name)
    try add(match, spelling: "--\(name)", attached: attached)
  }

  private mutating func takeCluster(_ argument: String) throws(UsageError) {
    let body = argument.dropFirst()
    let letters = body.prefix { $0 != "=" }
    let attached = letters.endIndex < body.endIndex ? String(body[letters.endIndex...].dropFirst()) : nil
    guard !letters.isEmpty else { throw UsageError("unknown option '\(excerpt(of: argument))'", command: command.name) }
    for index in letters.indices {
      let letter = letters[index]
      let isLast = letters.index(after: index) == letters.endIndex
      let match = try OptionLookup(command: command).option(lettered: letter, in: "-" + letters)
      guard isLast || !match.specification.takesValue else {
        throw UsageError(
          "option '-\(letter)' in '\(excerpt(of: argument))' needs a value",
          remedy: "write '-\(letter) \(excerpt(of: String(letters[letters.index(after: index)...])))'",
          command: command.name
        )
      }
      try add(match, spelling: "-\(letter)", attached: isLast ? attached : nil)
    }
  }

  private mutating func add(_ match: OptionLookup.Match, spelling: String, attached: String?) throws(UsageError) {
    var value = attached
    if value == nil, match.specification.takesValue, let next = arguments.first, Self.canBeValue(next) {
      value = next
      arguments.removeFirst()
    }
    let option = try Self.option(match, spelling: spelling, value: value, origin: .option, command: command.name) {
      // The next argument may have been meant as the value.
      arguments.first.map { "a value that begins with a dash is written '\(spelling)=\(excerpt(of: $0, limit: 40))'" }
    }
    options.append(option)
  }

  /// Whether a separate argument may be the value of the option before it.
  private static func canBeValue(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), argument != "-" else { return true }
    return isNumber(argument.dropFirst())
  }

  private static func option(
    _ match: OptionLookup.Match,
    spelling: String,
    value: String?,
    origin: SettingOrigin,
    command: String,
    remedyForMissingValue remedy: () -> String?
  ) throws(UsageError) -> GivenOption {
    var option = GivenOption(
      specification: match.specification,
      spelling: spelling,
      value: match.isOff ? "false" : "true",
      origin: origin
    )
    if match.specification.takesValue {
      guard let value else {
        let name = match.specification.valueName
        throw option.error("option '\(spelling)' needs a value <\(name)>", remedy: remedy(), command: command)
      }
      option.value = value
    } else if value != nil {
      throw option.error("option '\(spelling)' takes no value", command: command)
    }
    return option
  }

  // MARK: Options files

  private func optionsOfFile(
    _ path: String,
    reading read: (String) -> Result<[UInt8], ReadError>
  ) throws(UsageError) -> [GivenOption] {
    let bytes: [UInt8]
    do throws(ReadError) {
      bytes = try read(path).get()
    } catch {
      let reason: String? =
        switch error {
        case .unreadable(_, let reason), .failed(_, let reason): reason
        case .missing, .empty, .refused: nil
        }
      throw UsageError(
        reason.map { "the options file cannot be read: \($0)" } ?? "there is no such options file",
        remedy: "for an input whose name begins with '@', write './@\(excerpt(of: path))'",
        command: command.name,
        place: UsageError.Place(file: path)
      )
    }
    let lookup = OptionLookup(command: command)
    var options: [GivenOption] = []
    for line in try OptionsFile(path: path, bytes: bytes, command: command.name).lines {
      let place = UsageError.Place(file: path, line: line.number)
      var matches: [(match: OptionLookup.Match, spelling: String)] = []
      if line.option.hasPrefix("--") {
        let match = try lookup.option(named: String(line.option.dropFirst(2)), place: place)
        matches = [(match, String(line.option))]
      } else {
        for letter in line.option.dropFirst() {
          let match = try lookup.option(lettered: letter, in: String(line.option), place: place)
          matches.append((match, "-\(letter)"))
        }
      }
      for index in matches.indices {
        let (match, spelling) = matches[index]
        if match.specification.kind == .action {
          throw UsageError("'\(spelling)' belongs on the command line", command: command.name, place: place)
        }
        options.append(
          try Self.option(
            match,
            spelling: spelling,
            value: index == matches.count - 1 ? line.value : nil,
            origin: .optionsFile(path: path, line: line.number),
            command: command.name
          ) { match.specification.allowsEmptyValue ? "for an empty value, write '\(spelling)='" : nil }
        )
      }
    }
    return options
  }
}

/// Whether a text is digits with at most one point and perhaps an exponent, as what follows the sign of a number.
private func isNumber(_ text: Substring) -> Bool {
  guard let first = text.first, first.isASCII, first.isNumber || first == ".", text.contains(where: \.isNumber) else {
    return false
  }
  return text.allSatisfy { $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) } && Double(String(text)) != nil
}

extension GivenOption {
  /// Whether it asks for a text that is made from the table of commands.
  fileprivate var isOfGenerated: Bool { name == .generateCompletionScript || name == .generateManualPage }
}
