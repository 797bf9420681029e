import EntityModel
import Predicates
import TextFolding

extension SortTerm {
  /// The terms of an `ORDER BY`, in the order of the type: numbers by value, times by instant, texts by their bytes.
  ///
  /// Rows without a value come first, with `-` last.
  func sql(on entity: Entity, alias: String, paths: KeyPathResolver) throws(PredicateError) -> [String] {
    let found = try paths.resolve(path, of: entity, alias: alias)
    guard !found.isToMany else {
      throw PredicateError(
        at: path.column,
        "'\(path.text)' has many values",
        remedy: "sort by an attribute, or by the @count of the relationship"
      )
    }
    let values: [String]
    switch found.type {
    case .integer, .double, .boolean, .date, .binary: values = [found.value]
    case .decimal: values = ["importer_decimal(\(found.value))"]
    case .datetime: values = ["importer_instant(\(found.value))", found.value]
    case .text, .uuid, .uri:
      // Texts that are equal without case and diacritics stand in the order of their bytes.
      let folded = options.isEmpty ? [] : ["importer_fold(\(found.value), \(options.rawValue))"]
      values = (folded + [found.value]).map { $0 + " COLLATE BINARY" }
    }
    return values.map { $0 + (isDescending ? " DESC" : "") }
  }
}
