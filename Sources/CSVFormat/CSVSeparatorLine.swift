/// The first line `sep=;` by which a spreadsheet is told the delimiter.
struct CSVSeparatorLine {
  /// The one character that it names.
  let delimiter: String

  /// Nil where the first line is no such line; a byte order mark may stand before it, and quotes around it.
  init?(_ bytes: [UInt8]) {
    var line = bytes[...]
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    line = line.prefix(16).prefix { $0 != 0x0A && $0 != 0x0D }
    if line.count > 2, line.first == 0x22, line.last == 0x22 { line = line.dropFirst().dropLast() }
    guard line.count > 4, CSVHeader.folded(line.prefix(4)) == Array("sep=".utf8),
      let text = String(validating: line.dropFirst(4), as: UTF8.self), text.unicodeScalars.count == 1
    else { return nil }
    delimiter = text
  }
}
