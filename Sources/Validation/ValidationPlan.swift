package import EntityModel
package import Records

/// What records are checked against, and how an input's columns find their attributes.
package struct ValidationPlan: Sendable {
  /// The entities that the run writes, in the order of `ValueBatch.Row.entity`.
  package var entities: [Entity]
  /// The entity of a record whose shape has no name of its own, or none that the model knows.
  package var defaultEntity: Int?
  /// The entity of a record whose shape has no name, where it is another than that of unknown names.
  package var namelessEntity: Int?
  /// The columns that are wanted of an input whose records name their fields; nil is all.
  ///
  /// Nothing is said of those left out on purpose.
  package var wantedColumns: Set<String>?
  /// Entities that others refer to; what can be read of their rejected records is kept in `ValueBatch.lost`.
  package var referredEntities: Set<Int>
  /// Whether records may stand within others.
  package var isNested: Bool
  /// The attributes of entities that lists at the other end of their links may tell, by position: they may be absent.
  package var toldByLists: [Int: Set<Int>]
  /// The entities whose records may hold others: one whose key is there already counts as found if nothing else differs.
  package var holders: Set<Int>
  /// In which order the entities' rows of a batch are written: enclosing ones first.
  package var ranks: [Int]
  /// The first numbers of rows that have no key but their number, by entity; others number themselves.
  package var firstNumbers: [Int: Int64]
  /// Columns that fill attributes of other names, by the column's name.
  package var mappings: [String: String]
  /// Spellings of NULL besides the empty unquoted field.
  package var nullTokens: [String]
  /// The spellings of NULL of attributes that have their own, instead of the general ones.
  package var nullTokensByAttribute: [String: [String]]
  /// Whether quotes keep a null token what it is, as in CSV; elsewhere any value may be one.
  package var quotesProtect: Bool
  /// Whether defaults fill absent values.
  package var usesDefaults: Bool
  /// Whether what a record lacks is told from what it says to be NULL, and defaults are left to the writer.
  ///
  /// Then a required attribute may be absent: the writer refuses that of a new row.
  package var tellsAbsence: Bool
  /// What parts the items of a list that stands in one value; nil where a value is one item.
  package var listSeparator: [UInt8]?
  /// How bytes are given for some attributes, by name; those of others by `binarySpelling`.
  package var binarySpellings: [String: BinarySpelling]
  /// How bytes are given, unless a format marks them as base64.
  package var binarySpelling: BinarySpelling
  /// The files that records may name.
  package var files: (any SiblingFiles)?
  /// The most bytes that such a file may have.
  package var fileByteLimit: Int
  /// What parts whole digits from decimals.
  package var decimalMark: UInt8
  /// Whether a byte above 0x7F is the fault of its record, since the input is told to be ASCII.
  package var allowsASCIIOnly: Bool
  /// The instant that the default `now` stands for, in seconds since 1970; one for the whole run.
  package var now: Int64

  /// A plan for one entity with default settings.
  package init(entities: [Entity], defaultEntity: Int? = 0) {
    self.entities = entities
    self.defaultEntity = defaultEntity
    referredEntities = []
    isNested = false
    toldByLists = [:]
    holders = []
    ranks = []
    firstNumbers = [:]
    mappings = [:]
    nullTokens = []
    nullTokensByAttribute = [:]
    quotesProtect = true
    usesDefaults = true
    tellsAbsence = false
    listSeparator = nil
    binarySpellings = [:]
    binarySpelling = .base64
    fileByteLimit = ReadLimits().recordByteCount
    decimalMark = UInt8(ascii: ".")
    allowsASCIIOnly = false
    now = 0
  }

  /// Which entity a record of a shape becomes; nil if the model has none for it.
  package func entityIndex(ofShape name: String) -> Int? {
    guard !name.isEmpty else { return namelessEntity ?? defaultEntity }
    if let exact = entities.firstIndex(where: { $0.name == name }) { return exact }
    let folded = entities.indices.filter { entities[$0].name.lowercased() == name.lowercased() }
    return folded.count == 1 ? folded[0] : defaultEntity
  }

  /// Where each attribute of an entity finds its value among an input's columns.
  ///
  /// A mapping told by the user wins, then the attribute's own name, then its source names in their order, then the only
  /// column that differs from its name in ASCII case alone.
  ///
  /// - Returns: For every attribute the columns to try, in order; empty if the input has none.
  package func columns(of entity: Entity, among names: [String]) -> [[Int]] {
    var taken: Set<Int> = []
    var found = [[Int]](repeating: [], count: entity.attributes.count)
    let mapped = names.map { mappings[$0] }
    // What tells where a link leads is not the key of the target, though it stands under the same name.
    var ofLinks: Set<Int> = []
    let attributes = entity.attributes.enumerated()
    for (index, attribute) in attributes.filter(\.element.givesLink) + attributes.filter({ !$0.element.givesLink }) {
      found[index] = names.indices.filter { mapped[$0] == attribute.name && !ofLinks.contains($0) }
      // Beside a told mapping the column of the attribute's own name is another one, which is named in a warning.
      for source in [attribute.name] + attribute.sourceNames where found[index].isEmpty || source != attribute.name {
        guard
          let column = names.indices.first(where: {
            names[$0] == source && mapped[$0] == nil && !ofLinks.contains($0)
          })
        else { continue }
        if !found[index].contains(column) { found[index].append(column) }
      }
      taken.formUnion(found[index])
      guard attribute.givesLink else { continue }
      if found[index].isEmpty { found[index] = folded(attribute.name, among: names, without: taken, mapped) }
      ofLinks.formUnion(found[index])
      taken.formUnion(found[index])
    }
    for (index, attribute) in attributes where found[index].isEmpty {
      found[index] = folded(attribute.name, among: names, without: taken, mapped)
    }
    return found
  }

  /// The only column that differs from a name in the case of its letters alone.
  private func folded(_ name: String, among names: [String], without taken: Set<Int>, _ mapped: [String?]) -> [Int] {
    let folded = names.indices.filter {
      !taken.contains($0) && mapped[$0] == nil && names[$0].lowercased() == name.lowercased()
    }
    return folded.count == 1 ? folded : []
  }
}

extension Attribute {
  /// Whether it tells in one run where a relationship leads.
  fileprivate var givesLink: Bool {
    if case .link = runUse { true } else { false }
  }
}
