import Diagnostics
import EntityModel
import ImporterKit

/// Reads `column=type`; the last `=` counts, since no type has one.
func parseTypedColumn(_ text: String) throws(ValueFault) -> ModelOptions.TypedColumn {
  let (column, name) = try split(text, shape: "column=type", example: "age=integer")
  guard let type = AttributeType(name: name) else {
    throw ValueFault(
      "unknown type '\(excerpt(of: name, limit: 40))' for '\(excerpt(of: column, limit: 40))'",
      remedy: suggestion(for: name, among: AttributeType.names)
        ?? "the types are \(AttributeType.names.joined(separator: ", "))"
    )
  }
  return ModelOptions.TypedColumn(column: column, type: type)
}

/// Reads `source=attribute`; the last `=` counts, since a file's columns have stranger names than a model's.
func parseMapping(_ text: String) throws(ValueFault) -> ModelOptions.Mapping {
  let (source, attribute) = try split(text, shape: "source=attribute", example: "'E-mail=email'")
  return ModelOptions.Mapping(source: source, attribute: attribute)
}

/// Reads `artist.label=label.id`: a relationship, and a column of its target's file.
func parseLink(_ text: String) throws(ValueFault) -> ModelOptions.Link {
  let example = "artist.label=label.id"
  let (source, target) = try split(text, shape: "entity.relationship=entity.column", example: example)
  for end in [source, target] {
    let dot = end.firstIndex(of: ".")
    guard let dot, dot > end.startIndex, end.index(after: dot) < end.endIndex else {
      throw ValueFault(
        "'\(excerpt(of: end, limit: 40))' names no entity and what is meant of it, parted by a dot",
        remedy: "write it as \(example)"
      )
    }
  }
  return ModelOptions.Link(source: source, target: target)
}

/// Reads `column=pattern` or a pattern for all dates.
///
/// What stands before the first `=` is a column unless it holds a character of patterns (`%`, `/`, `:`, a quote); nothing
/// before it makes the rest a pattern for all.
func parseDateFormat(_ text: String) throws(ValueFault) -> ModelOptions.DateFormat {
  var format = ModelOptions.DateFormat(pattern: text)
  if let equals = text.firstIndex(of: "="), !text[..<equals].contains(where: { "%/:'\"".contains($0) }) {
    let column = String(text[..<equals])
    format = .init(column: column.isEmpty ? nil : column, pattern: String(text[text.index(after: equals)...]))
  }
  guard !format.pattern.isEmpty else {
    throw ValueFault("'\(excerpt(of: text, limit: 40))' holds no pattern", remedy: "write it as born=%d/%m/%Y")
  }
  return format
}

/// Reads `column=spelling`, or a spelling for all bytes; the last `=` counts.
func parseBinaryFormat(_ text: String) throws(ValueFault) -> ModelOptions.BinaryFormat {
  var column: String?
  var name = text
  if let equals = text.lastIndex(of: "="), equals > text.startIndex {
    column = String(text[..<equals])
    name = String(text[text.index(after: equals)...])
  }
  guard let spelling = BinarySpelling(rawValue: name) else {
    let names = BinarySpelling.allCases.map(\.rawValue)
    throw ValueFault(
      "'\(excerpt(of: name, limit: 40))' is no way to give bytes",
      remedy: suggestion(for: name, among: names) ?? "the ways are \(names.joined(separator: ", "))"
    )
  }
  return ModelOptions.BinaryFormat(column: column, spelling: spelling)
}

private func split(_ text: String, shape: String, example: String) throws(ValueFault) -> (String, String) {
  guard let equals = text.lastIndex(of: "="), equals > text.startIndex, text.index(after: equals) < text.endIndex else {
    throw ValueFault("'\(excerpt(of: text, limit: 40))' is not \(shape)", remedy: "write it as \(example)")
  }
  return (String(text[..<equals]), String(text[text.index(after: equals)...]))
}
