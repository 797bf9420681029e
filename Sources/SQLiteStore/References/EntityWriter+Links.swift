import Diagnostics
import EntityModel
import Records

/// References that are told by an attribute of their target which serves this run alone.
///
/// They are resolved after the last input, when every record of the target is known: the row that waits gets the target's
/// key, and from then on refers to it like any other.
extension EntityWriter {
  /// How many records gave a value of an attribute that others are told by, for each such attribute of an entity.
  package func linkKeyCounts(of position: Int) -> [(attribute: Int, count: Int64)] {
    linkKeys.filter { $0.position == position }.map { ($0.attribute, $0.count) }
  }

  /// Prepares the links that the run's entities tell so.
  static func addLinks(to tables: inout [WrittenTable], in session: WriteSession) throws(StoreError) -> [LinkKeys] {
    var made: [LinkKeys] = []
    let entities = tables.map(\.entity)
    for position in tables.indices {
      let entity = entities[position]
      for (attribute, use) in entity.attributes.enumerated() {
        guard case .link(let name, let by) = use.runUse,
          let link = entity.relationships.first(where: { $0.name == name })
        else { continue }
        let own = entity.attributes(giving: link)
        guard
          let number = tables[position].references.firstIndex(where: {
            $0.items == nil && Set($0.attributes.compactMap { $0 }) == Set(own)
          }), let target = tables[position].references[number].targetPosition,
          let key = entities[target].attributes.lastIndex(where: { $0.name == by })
        else {
          throw .unexpected(path: session.connection.path, reason: "nothing tells where '\(name)' leads")
        }
        let reference = tables[position].references[number]
        let parts = zip(reference.attributes, reference.targetAttributes).compactMap { own, target in
          own.flatMap { own in target.map { (own: own, target: $0) } }
        }
        guard parts.count == reference.attributes.count else {
          throw .unexpected(path: session.connection.path, reason: "the key of '\(link.target)' is not known")
        }
        var keys = made.first { $0.position == target && $0.attribute == key }
        if keys == nil {
          let told = entities[target].attributes.indices.filter { entities[target].attributes[$0].isLinkValue }
          keys = try LinkKeys(
            target,
            attribute: key,
            others: Set(parts.map(\.target) + told + entities[target].keyAttributes),
            feed: tables[target].feedName,
            on: session.connection
          )
        }
        guard let keys else { continue }
        if !made.contains(where: { $0 === keys }) { made.append(keys) }
        tables[position].links.append(
          LinkedReference(
            attribute: attribute,
            reference: reference,
            number: number,
            keys: keys,
            targetName: by,
            parts: parts
          )
        )
      }
    }
    for position in tables.indices { try tables[position].waitForLinks(session: session) }
    return made
  }

  /// Gives the waiting rows the keys of what they are told to lead to; those that lead to nothing are rejected, or, where
  /// that is asked for and allowed, lead nowhere.
  mutating func resolveLinks(_ policy: OrphanPolicy) throws(StoreError) {
    guard !linkKeys.isEmpty else { return }
    for keys in linkKeys {
      try collectStored(keys)
      try keys.addIndex()
      let key = tables[keys.position].entity.keyAttributes
      let isUnread = key.map { "f.c\($0) IS NULL" }.joined(separator: " OR ")
      if !key.isEmpty { try keys.breakKeys(where: "f.lost AND (\(isUnread))") }
    }
    // A key may hold a link that is told in the same way.
    for _ in linkKeys {
      for keys in linkKeys {
        for link in tables[keys.position].links where holdsKey(link, of: keys.position) {
          _ = try resolve(link, in: keys.table, where: "1")
        }
      }
    }
    for keys in linkKeys {
      for link in tables[keys.position].links where holdsKey(link, of: keys.position) {
        try keys.breakKeys(where: link.isOpen)
      }
    }
    for position in tables.indices {
      guard let parked = tables[position].parked, parked.waitingCount > 0 else { continue }
      for (index, link) in tables[position].links.enumerated() {
        try resolve(link, in: parked.table, where: "f.state = 0")
        if policy == .null, isClearable(link, of: tables[position].entity) {
          let isKnown = "EXISTS (SELECT 1 FROM (\(link.candidates)) AS k WHERE NOT k.broken)"
          try parked.clear([link.attribute], where: "\(link.isOpen) AND NOT \(isKnown)")
        }
        let cause = tables[position].references.count + index
        let count = try parked.reject(where: link.isOpen, cause: cause, round: 0)
        // What is in a key tells which row is meant.
        if holdsKey(link, of: position) { unreadableCount += count }
      }
    }
  }

  /// Writes keys into the rows `f` of a table that mean one target alone.
  private func resolve(_ link: LinkedReference, in table: String, where condition: String) throws(StoreError) {
    let names = link.parts.map { "p\($0.own)" }.joined(separator: ", ")
    try session.connection.execute(
      """
      UPDATE \(table) AS f SET (\(link.ownColumns)) = (SELECT \(names) FROM (\(link.candidates)))
      WHERE \(condition) AND \(link.isOpen) AND (SELECT count(*) FROM (\(link.candidates) LIMIT 2)) = 1
      """
    )
  }

  /// Adds the rows of the database that waiting ones may mean, where it keeps what they are told by.
  private func collectStored(_ keys: LinkKeys) throws(StoreError) {
    let entity = tables[keys.position].entity
    let attribute = entity.attributes[keys.attribute]
    guard attribute.runUse == nil, attribute.keyPath.isEmpty else { return }
    for table in tables {
      for link in table.links where link.keys === keys {
        guard let parked = table.parked, parked.waitingCount > 0 else { continue }
        let values = link.parts.map { part in
          (part.target, self.keys.value(of: entity.attributes[part.target], of: entity, alias: "t"))
        }
        let wanted = "SELECT f.c\(link.attribute) FROM \(parked.table) AS f WHERE f.state = 0"
        for place in link.reference.places {
          try keys.addStored(
            value: "t.\(SQLText.identifier(attribute.name))",
            keys: values,
            in: place,
            wanted: wanted
          )
        }
      }
    }
  }

  /// Whether a link is part of its entity's key.
  private func holdsKey(_ link: LinkedReference, of position: Int) -> Bool {
    let key = tables[position].entity.keyAttributes
    return link.parts.contains { key.contains($0.own) }
  }

  private func isClearable(_ link: LinkedReference, of entity: Entity) -> Bool {
    let isInKey = link.parts.contains { entity.keyAttributes.contains($0.own) }
    return !link.reference.isRequired && !isInKey && !link.parts.contains { entity.attributes[$0.own].isRequired }
  }

  /// What is wrong with a link that led to no row.
  func fault(
    of link: LinkedReference,
    at location: SourceLocation,
    of number: Int64,
    in parked: ParkedRows,
    entity: Entity
  ) throws(StoreError) -> Diagnostic {
    let list = try Statement(
      """
      SELECT f.c\(link.attribute), k.broken, k.file, k.line, \(link.parts.map { "k.c\($0.target)" }.joined(separator: ", "))
      FROM \(parked.table) AS f LEFT JOIN \(link.keys.table) AS k ON k.c\(link.keys.attribute) = f.c\(link.attribute)
      WHERE f.n = \(number) ORDER BY k.rowid LIMIT 1000
      """,
      on: session.connection
    )
    var shown = ""
    var rejectedAt: String?
    var found: [String] = []
    while try list.step() {
      shown = list.text(0).map { excerpt(of: $0, limit: 40) } ?? ""
      let file = Int(list.integer(2))
      guard !list.isNull(1) else { break }
      if list.integer(1) != 0 {
        rejectedAt = "\(file < files.count ? excerpt(of: files[file]) : "?"):\(list.integer(3))"
        found.append("one rejected at \(rejectedAt ?? "")")
      } else {
        let names = link.reference.targetNames.enumerated().map { index, name in
          "\(excerpt(of: name))='\(list.text(index + 4).map { excerpt(of: $0, limit: 40) } ?? "NULL")'"
        }
        found.append("(" + names.joined(separator: ", ") + ")")
      }
      if found.last.map({ found.dropLast().contains($0) }) ?? false { found.removeLast() }
    }
    return .untold(
      entity.attributes[link.attribute],
      value: shown,
      target: link.reference.key.target,
      name: link.targetName,
      isKept: tables[link.keys.position].entity.attributes[link.keys.attribute].runUse == nil,
      candidates: found,
      rejectedAt: rejectedAt,
      at: location
    )
  }
}

extension WrittenTable {
  /// The attributes that tell links of its key.
  var keyLinkAttributes: [Int] {
    let key = entity.keyAttributes
    return links.filter { link in link.parts.contains { key.contains($0.own) } }.map(\.attribute)
  }
}

extension Entity {
  /// The attributes that give its key.
  var keyAttributes: [Int] {
    key.flatMap { name -> [Int] in
      if let link = relationships.first(where: { $0.name == name && $0.isHeldHere }) {
        return attributes(giving: link)
      }
      return position(ofColumn: name).map { [$0] } ?? []
    }
  }
}

extension Attribute {
  /// Whether it tells in one run where a relationship leads.
  fileprivate var isLinkValue: Bool {
    if case .link = runUse { true } else { false }
  }
}

extension Diagnostic {
  /// A record tells what it refers to by something that no row, several rows, or a rejected record has.
  fileprivate static func untold(
    _ attribute: Attribute,
    value: String,
    target: String,
    name: String,
    isKept: Bool,
    candidates: [String],
    rejectedAt: String?,
    at location: SourceLocation
  ) -> Diagnostic {
    let target = excerpt(of: target)
    let name = excerpt(of: name)
    var diagnostic = Diagnostic(
      code: .unresolvedReference,
      location: location,
      field: attribute.name,
      value: value,
      expected: "the '\(name)' of one '\(target)'",
      message: "no '\(target)' has \(name) '\(value)'",
      remedy: isKept
        ? "correct the reference, or load the '\(target)' in the same run or before"
        : "correct it, or load the '\(target)' in the same run, with the same --link: the database does not keep '\(name)'"
    )
    if candidates.count > 1 {
      diagnostic.code = .ambiguousReference
      let list = candidates.prefix(3).joined(separator: ", ") + (candidates.count > 3 ? ", …" : "")
      diagnostic.message = "several '\(target)' have \(name) '\(value)': \(list)"
      diagnostic.remedy = "give each '\(target)' another '\(name)', or refer to it by its key, without --link"
    } else if let rejectedAt {
      diagnostic.code = .dependsOnRejected
      diagnostic.message = "the '\(target)' with \(name) '\(value)' was rejected at \(rejectedAt)"
      diagnostic.remedy = "mend that record first, then load both again, with the same --link"
    }
    return diagnostic
  }
}
