import Diagnostics
import EntityModel
import Records

/// What is said of rows on the way to others.
extension EntityWriter {
  /// A field of a row on the way, named from the record that leads to it.
  private func name(of attribute: Int, row: Int, of rows: borrowing ValueBatch, at position: Int) -> String {
    let name = tables[position].entity.attributes[attribute].name
    let way = Int(rows.rows[row].way)
    return way > 0 && way <= ways.names.count ? "\(ways.names[way - 1]).\(name)" : name
  }

  /// A new row lacks a value that it must have.
  func lack(of attribute: Int, row: Int, of rows: borrowing ValueBatch, at position: Int) -> Diagnostic {
    let entity = tables[position].entity
    var fault = Diagnostic.required(entity.attributes[attribute], at: SourceLocation(file: ""), value: nil)
    fault.entity = entity.name
    fault.field = name(of: attribute, row: row, of: rows, at: position)
    fault.message =
      "no '\(excerpt(of: entity.name))' has this key, and one that is made must have a value for "
      + "'\(excerpt(of: entity.attributes[attribute].name))'"
    fault.remedy = "give '\(excerpt(of: fault.field ?? ""))' a value, or load the '\(excerpt(of: entity.name))' before"
    return fault
  }

  /// A row on the way has no value for its key.
  func keylessFaults(of row: Int, _ rows: borrowing ValueBatch, at position: Int, _ finder: RowFinder) -> [Diagnostic] {
    let start = Int(rows.rows[row].valueStart)
    let missing = finder.neededAttributes.filter { rows.values[start + $0].isMissing }
    return missing.map { lack(of: $0, row: row, of: rows, at: position) }
  }

  /// A record gives a row on its way another value than it has.
  func contradiction(
    _ attribute: Int,
    stored: String,
    row: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    at position: Int,
    isOfRun: Bool
  ) -> Diagnostic {
    let entity = tables[position].entity
    let start = Int(rows.rows[row].valueStart)
    let key = entity.keyAttributes.map { WrittenTable.shown(rows.values[start + $0], of: text) }.joined(separator: ", ")
    let value = WrittenTable.shown(rows.values[start + attribute], of: text)
    let name = excerpt(of: entity.attributes[attribute].name)
    return Diagnostic(
      code: .contradiction,
      location: SourceLocation(file: ""),
      entity: entity.name,
      field: self.name(of: attribute, row: row, of: rows, at: position),
      value: value,
      expected: stored,
      message:
        "'\(value)' contradicts what the '\(excerpt(of: entity.name))' with the key '\(key)' has for '\(name)': \(stored)"
        + (isOfRun ? ", from an earlier record" : ""),
      remedy: isOfRun
        ? "correct one of them; what several records say of one row must be the same, or left out"
        : "correct it, or leave it out; --mode upsert gives rows that are there other values"
    )
  }
}
