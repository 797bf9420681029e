import Diagnostics
import EntityModel
import ImporterKit

/// Reads what parts two cells: any text without line ends; `tab` and `\t` are a tab.
func parseDelimiter(_ text: String) throws(ValueFault) -> String {
  if text == "tab" || text == "\\t" { return "\t" }
  try refuseLineEnds(in: text)
  return text
}

/// Reads a quote, an escape or what comments begin with; `none` is none.
func parseMark(_ text: String) throws(ValueFault) -> ReadingOptions.Mark {
  if text == "none" { return .none }
  try refuseLineEnds(in: text)
  return .text(text)
}

/// Reads how many header lines there are: a count, `none` or `no`, or `yes` for one.
func parseHeader(_ text: String) throws(ValueFault) -> CSVDialect.Header {
  switch text {
  case "none", "no", "0": return .none
  case "yes": return .lines(1)
  default:
    guard let count = try? parseCount(text) else {
      throw ValueFault(
        "'\(excerpt(of: text, limit: 40))' is no number of header lines",
        remedy: suggestion(for: text, among: ["none", "yes"]) ?? "write a count, such as 1, or none"
      )
    }
    return .lines(count)
  }
}

/// Reads where the columns of fixed-width text are: `1-10,11-30,31-`, or the widths `10,20,5` of columns that touch.
func parseWidths(_ text: String) throws(ValueFault) -> [CharacterRange] {
  do throws(WidthFault) {
    return try CharacterRange.list(text)
  } catch {
    throw ValueFault(error.message, remedy: error.remedy)
  }
}

private func refuseLineEnds(in text: String) throws(ValueFault) {
  guard !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
    throw ValueFault(
      "'\(excerpt(of: text, limit: 40))' holds a line end",
      remedy: "give a text that stands on one line"
    )
  }
}

/// Reads the name of a format to write.
func parseWrittenFormat(_ text: String) throws(ValueFault) -> FileFormat {
  let format = try parseFormat(text)
  guard FileFormat.written.contains(format) else {
    throw ValueFault("'\(excerpt(of: text, limit: 40))' is read only", remedy: "write xml or json instead")
  }
  return format
}

/// Reads a format's name.
func parseFormat(_ text: String) throws(ValueFault) -> FileFormat {
  guard let format = FileFormat(rawValue: text) else {
    throw ValueFault("'\(excerpt(of: text, limit: 40))' is no format")
  }
  return format
}
