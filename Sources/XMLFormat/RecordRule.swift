/// Which elements of a document are its records.
enum RecordRule: Sendable, Hashable {
  /// Those that the user told.
  case told(RecordPath)
  /// Those named as an entity of the model; the names in ASCII lower case.
  case named(Set<String>)
  /// Those of a kind of document that is known by its root.
  case vocabulary(KnownVocabulary)
  /// The dictionaries of a property list.
  case propertyList(PropertyListRule)
  /// The children of the element at that path; `kinds` are the names of those that are records for certain.
  case children(of: [String], kinds: [String])
  /// The root is the one record.
  case root(String)
  /// There are none.
  case nothing

  /// What the summary says of it.
  var description: String {
    switch self {
    case .told(let path): "records are the elements '\(path.text)', as told"
    case .named(let names):
      "records are "
        + (names.count == 1
          ? "<\(names.first ?? "")> elements, named as in the model" : "the elements named as entities of the model")
    case .vocabulary(let vocabulary):
      "records are " + vocabulary.records.sorted().map { "<\($0)>" }.joined(separator: ", ")
        + " elements, as in \(vocabulary.title)"
    case .propertyList(let rule): rule.description
    case .children(let path, let kinds):
      "records are " + kinds.prefix(3).map { "<\($0)>" }.joined(separator: ", ") + (kinds.count > 3 ? "…" : "")
        + " elements, the children of <\(path.last ?? "")>"
    case .root(let name): "the root element <\(name)> is the one record"
    case .nothing: "no records: the root element is empty"
    }
  }
}
