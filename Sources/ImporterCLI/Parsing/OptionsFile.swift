import Diagnostics

/// The lines of an options file: one option a line, `#` comments, blank lines.
///
///     # every night
///     --database /var/lib/shop/shop 2.sqlite
///     --null=
///     --strict
///
/// A value is the rest of its line. After a blank it stands without the blanks around it; after `=` it is taken as it is.
/// Quotes are ordinary characters. A value that is nothing but a quoted text is refused after a blank, since whoever writes
/// `--null ''` there takes them for a shell's.
struct OptionsFile {
  /// An option as a line gives it.
  struct Line {
    /// The line's number, from 1.
    var number: Int
    /// `-d`, `-vq` or `--database`.
    var option: Substring
    /// What follows the option; nil where nothing does.
    var value: String?
  }

  let path: String
  let lines: [Line]

  /// Reads the lines.
  init(path: String, bytes: [UInt8], command: String) throws(UsageError) {
    self.path = path
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    var lines: [Line] = []
    var number = 0
    for raw in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let place = UsageError.Place(file: path, line: number)
      let body = raw.last == 0x0D ? raw.dropLast() : raw
      guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else {
        throw UsageError("the line is not UTF-8 text", command: command, place: place)
      }
      let line = text.drop(while: isBlank)
      if line.isEmpty || line.first == "#" { continue }
      lines.append(try Self.parse(line, number: number, place: place, command: command))
    }
    self.lines = lines
  }

  private static func parse(
    _ line: Substring,
    number: Int,
    place: UsageError.Place,
    command: String
  ) throws(UsageError) -> Line {
    guard line.first != "@" else {
      throw UsageError("an options file cannot name another one", command: command, place: place)
    }
    guard line.first == "-", line != "-", line != "--" else {
      throw UsageError(
        "'\(excerpt(of: String(line), limit: 40))' is not an option",
        remedy: "an options file holds one option a line, such as '--strict'; name inputs on the command line",
        command: command,
        place: place
      )
    }
    let option = line.prefix { $0 != "=" && !isBlank($0) }
    let rest = line[option.endIndex...]
    if rest.first == "=" { return Line(number: number, option: option, value: String(rest.dropFirst())) }
    var value = rest.drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    guard !value.isEmpty else { return Line(number: number, option: option, value: nil) }
    if value.count > 1, value.first == "'" || value.first == "\"", value.first == value.last {
      throw UsageError(
        "quotes are ordinary characters in an options file",
        remedy: "write '\(option)=\(excerpt(of: String(value.dropFirst().dropLast()), limit: 40))', without quotes; "
          + "with '=' a value is taken as it is, so quotes can be meant too",
        command: command,
        place: place
      )
    }
    return Line(number: number, option: option, value: String(value))
  }
}

private func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
