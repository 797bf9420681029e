import Diagnostics
import EntityModel

/// What is said of items that lead to no row which may be linked.
extension EntityWriter {
  /// How many faults of one list are told.
  private static let limit = 1000

  /// What is wrong with the list of a waiting record.
  func faults(of list: ChildList, of number: Int64, at location: SourceLocation) throws(StoreError) -> [Diagnostic] {
    let parts = list.list.parts.indices.map { ", x.i\($0)" }.joined()
    let waiting = tables[list.child].parked?.table
    let isLost = waiting.map { "EXISTS (SELECT 1 FROM \($0) AS w WHERE w.n = x.id AND w.state = 1)" } ?? "0"
    let broken = try Statement(
      """
      SELECT x.fault, x.rowid, x.kind, x.id\(parts) FROM \(list.claims) AS x WHERE x.n = \(number)
      AND (x.fault IS NOT NULL OR (x.kind = \(ChildList.Place.waiting.rawValue) AND \(isLost)))
      ORDER BY x.place LIMIT \(Self.limit)
      """,
      on: session.connection
    )
    var faults: [Diagnostic] = []
    while try broken.step() {
      let shown = list.list.parts.indices.compactMap { broken.text($0 + 4).map { excerpt(of: $0, limit: 40) } }
        .joined(separator: ", ")
      let claim = Claim(
        list: list,
        rowid: broken.integer(1),
        place: ChildList.Place(rawValue: Int(broken.integer(2))),
        id: broken.integer(3),
        shown: shown,
        location: location
      )
      let kind = broken.isNull(0) ? nil : ChildList.Fault(rawValue: Int(broken.integer(0)))
      faults.append(try fault(kind, of: claim))
    }
    return faults
  }

  /// An item of a list that cannot be followed.
  private struct Claim {
    let list: ChildList
    let rowid: Int64
    let place: ChildList.Place?
    let id: Int64
    let shown: String
    let location: SourceLocation
  }

  private func fault(_ kind: ChildList.Fault?, of claim: Claim) throws(StoreError) -> Diagnostic {
    let list = claim.list
    let child = tables[list.child].entity
    let name = excerpt(of: child.name)
    let back = excerpt(of: list.back.name)
    let keys = list.list.paths.map { excerpt(of: $0.joined(separator: ".")) }.joined(separator: ", ")
    let isAmong = list.isInKey ? "with this '\(back)', or without any, " : ""
    var diagnostic = Diagnostic(
      code: .unresolvedReference,
      location: claim.location,
      entity: tables[list.owner].entity.name,
      field: list.list.parts.map { tables[list.owner].entity.attributes[$0].name }.joined(separator: ", "),
      value: claim.shown,
      expected: "\(keys) of a '\(name)'",
      message: "no '\(name)' \(isAmong)has \(keys) '\(claim.shown)'",
      remedy: "correct the list, load the '\(name)' in the same run or before, or tell --orphans null or stub"
    )
    switch kind {
    case nil: try blameRejected(claim, &diagnostic, keys)
    case .missing: try blameRejected(claim, &diagnostic, keys)
    case .several:
      diagnostic.code = .ambiguousReference
      diagnostic.message = "several '\(name)' without a '\(back)' have \(keys) '\(claim.shown)'"
      diagnostic.remedy = "give the one that is meant its '\(back)' itself"
    case .taken:
      let held = try linkHeld(by: claim)
      diagnostic.code = .contradiction
      diagnostic.expected = held
      diagnostic.message =
        "the '\(name)' '\(claim.shown)' is listed, but has another '\(back)'" + (held.map { ": \($0)" } ?? "")
      diagnostic.remedy =
        claim.place == .waiting || mode.updatesRows
        ? "correct the list, or what the '\(name)' says itself"
        : "correct the list; --mode upsert takes rows that are there over to another '\(back)'"
    case .claimed:
      diagnostic.code = .contradiction
      let place = try placeOfEarlierClaim(claim)
      diagnostic.expected = "each '\(name)' in one list"
      diagnostic.message = "'\(claim.shown)' is in the list of another record" + (place.map { ": \($0)" } ?? "")
      diagnostic.remedy = "leave it in one of them; a '\(name)' has one '\(back)'"
    case .leftOut:
      let key = try keyOfStored(claim)
      diagnostic.code = .required
      diagnostic.value = nil
      diagnostic.expected = "all that must have a '\(back)'"
      diagnostic.message = "the list leaves out the '\(name)' \(key), which cannot be without a '\(back)'"
      diagnostic.remedy = "list it too, give it another '\(back)' in the same run, or delete it first"
    }
    return diagnostic
  }

  /// Says where the record was rejected that an item means, if it was.
  private func blameRejected(_ claim: Claim, _ diagnostic: inout Diagnostic, _ keys: String) throws(StoreError) {
    let list = claim.list
    let isMeant = "x.rowid = \(claim.rowid) AND \(list.isMeantWaiting)"
    var sources: [String] = []
    if let parked = tables[list.child].parked?.table {
      sources.append(
        claim.place == .waiting
          ? "\(parked) AS t WHERE t.n = \(claim.id)"
          : "\(list.claims) AS x CROSS JOIN \(parked) AS t WHERE \(isMeant) AND t.state = 1"
      )
    }
    if let lost = tables[list.child].lost?.table {
      sources.append("\(list.claims) AS x CROSS JOIN \(lost) AS t WHERE \(isMeant)")
    }
    for source in sources {
      let select = try Statement("SELECT t.file, t.line FROM \(source) LIMIT 1", on: session.connection)
      guard try select.step() else { continue }
      let name = excerpt(of: tables[list.child].entity.name)
      diagnostic.code = .dependsOnRejected
      diagnostic.message = "the '\(name)' with \(keys) '\(claim.shown)' was rejected at \(place(in: select))"
      diagnostic.remedy = "mend that record first, then load both again"
      return
    }
  }

  /// A file and a line that a statement's row begins with.
  private func place(in select: Statement) -> String {
    let file = Int(select.integer(0))
    return "\(file < files.count ? excerpt(of: files[file]) : "?"):\(select.integer(1))"
  }

  private func placeOfEarlierClaim(_ claim: Claim) throws(StoreError) -> String? {
    guard let parked = tables[claim.list.owner].parked?.table else { return nil }
    let select = try Statement(
      """
      SELECT f.file, f.line FROM \(claim.list.claims) AS x CROSS JOIN \(claim.list.claims) AS o CROSS JOIN \(parked) AS f
      WHERE x.rowid = \(claim.rowid) AND o.kind = x.kind AND o.id = x.id AND o.n < x.n AND f.n = o.n ORDER BY o.n LIMIT 1
      """,
      on: session.connection
    )
    return try select.step() ? place(in: select) : nil
  }

  /// What the row that an item means has for the link already.
  private func linkHeld(by claim: Claim) throws(StoreError) -> String? {
    let list = claim.list
    let child = tables[list.child].entity
    let values: [String]
    let source: String
    switch claim.place {
    case .waiting:
      guard let parked = tables[list.child].parked?.table else { return nil }
      values = list.taken.map { "t.c\($0.own)" }
      source = "\(parked) AS t WHERE t.n = \(claim.id)"
    case .stored, .elsewhere:
      values = list.taken.map { keys.value(of: child.attributes[$0.own], of: child, alias: "t") }
      let table = claim.place == .stored ? list.stored : list.elsewhere ?? list.stored
      source = "\(table) AS t WHERE t.\(list.rowid ?? "rowid") = \(claim.id)"
    case nil: return nil
    }
    let select = try Statement("SELECT \(values.joined(separator: ", ")) FROM \(source)", on: session.connection)
    guard try select.step() else { return nil }
    let shown = values.indices.map { select.text($0).map { "'\(excerpt(of: $0, limit: 40))'" } ?? "NULL" }
    return shown.joined(separator: ", ")
  }

  /// The key of the stored row that a list leaves out.
  private func keyOfStored(_ claim: Claim) throws(StoreError) -> String {
    let list = claim.list
    let child = tables[list.child].entity
    let names = keys.partNames(of: child)
    let parts = keys.parts(of: child, alias: "t")
    let select = try Statement(
      "SELECT \(parts.joined(separator: ", ")) FROM \(list.stored) AS t WHERE t.\(list.rowid ?? "rowid") = \(claim.id)",
      on: session.connection
    )
    guard try select.step() else { return "" }
    return zip(names, parts.indices).map { name, index in
      "\(excerpt(of: name))=\(select.text(index).map { "'\(excerpt(of: $0, limit: 40))'" } ?? "NULL")"
    }.joined(separator: ", ")
  }
}
