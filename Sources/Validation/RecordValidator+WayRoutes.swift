import Diagnostics
import EntityModel
import Records

/// How records of one shape lead to rows of another entity that are found by their keys or made: by fields that are named
/// with the way to them.
///
/// ```text
/// title, artist.name, artist.hometown, artist.label.name, artist.label.genre
///        artist                        artist.label
/// ```
struct WayRoute: Sendable {
  /// Its name's position in `ValueBatch.ways`, counted from 1.
  var way: UInt8
  var name: String
  var entity: Int
  /// How many relationships it has.
  var depth: Int
  var cells: [RecordValidator.Cell]
  /// The columns that give the row itself something.
  var columns: [Int]
  /// The columns that give more than a key, of the row itself or of those that it leads on to: a record makes the row only
  /// where it has one of them.
  var more: [Int] = []
  /// The columns that give a key, of a list, where nothing else takes them.
  var keys: [Int] = []
  /// The way that this one goes on from, by its position in the route; nil for one that begins at the record's own row.
  var parent: Int?
  /// What the row before takes from this one: positions of attributes.
  var values: [(own: Int, enclosing: Int)]
  /// What its columns begin with, in lower case.
  var starts: [String] = []
  /// Which of its attributes may be given by objects; see `RecordValidator.Route.objects`.
  var objects: [Int: [(column: Int, depth: UInt8)]] = [:]
}

extension RecordValidator {
  /// The most ways that a run can have.
  private static let wayLimit = 255

  /// Finds the ways by which the columns of a shape lead to rows of other entities, the longest first.
  ///
  /// Only those are ways along which some column gives more than a key: what gives a key alone refers to a row that must be
  /// there.
  ///
  /// - Returns: The ways, and further columns of their cells, which stand behind those of the route.
  mutating func ways(
    from entity: Int,
    columns: [String],
    without taken: [Bool],
    alternatives: inout [Int]
  ) -> [WayRoute] {
    guard columns.indices.contains(where: { !taken[$0] && columns[$0].utf8.contains(UInt8(ascii: ".")) }) else {
      return []
    }
    var found: [WayRoute] = []
    addWays(from: entity, parent: nil, prefix: "", columns: columns, taken: taken, to: &found, &alternatives)
    // The rows that others lead to come first.
    let order = found.indices.sorted { (-found[$0].depth, $0) < (-found[$1].depth, $1) }
    return order.map { position in
      var way = found[position]
      way.parent = way.parent.flatMap { order.firstIndex(of: $0) }
      return way
    }
  }

  private mutating func addWays(
    from entity: Int,
    parent: Int?,
    prefix: String,
    columns: [String],
    taken: [Bool],
    to found: inout [WayRoute],
    _ alternatives: inout [Int]
  ) {
    let depth = parent.map { found[$0].depth + 1 } ?? 1
    guard depth <= 16 else { return }
    for link in plan.entities[entity].relationships where link.isHeldHere && plan.entities[entity].isGiven(link) {
      guard let target = plan.entities.firstIndex(where: { $0.name == link.target }),
        !plan.entities[target].key.isEmpty, !plan.entities[target].numbersRows,
        let values = plan.values(from: entity, to: target, by: link)
      else { continue }
      let name = prefix.isEmpty ? link.name : "\(prefix).\(link.name)"
      let starts = ([link.name] + link.sourceNames).map {
        lowercasedASCII(prefix.isEmpty ? $0 : "\(prefix).\($0)") + "."
      }
      let inner = columns.map { column -> String in
        let folded = lowercasedASCII(column)
        guard plan.mappings[column] == nil, let start = starts.first(where: folded.hasPrefix) else { return "\u{0}" }
        return String(decoding: column.utf8.dropFirst(start.utf8.count), as: UTF8.self)
      }
      guard inner.contains(where: { $0 != "\u{0}" }) else { continue }
      let sources = plan.columns(of: plan.entities[target], among: inner)
      var way = WayRoute(
        way: 0,
        name: name,
        entity: target,
        depth: depth,
        cells: [],
        columns: [],
        parent: parent,
        values: values,
        starts: starts
      )
      let key = Set(values.map(\.enclosing))
      for (index, places) in sources.enumerated() {
        let untaken = addCell(index, from: places, to: &way, &alternatives).filter { !taken[$0] }
        if !key.contains(index) { way.more += untaken }
      }
      let position = found.count
      found.append(way)
      addWays(from: target, parent: position, prefix: name, columns: columns, taken: taken, to: &found, &alternatives)
      for next in found[(position + 1)...] where next.parent == position { found[position].more += next.more }
      // A way on which nothing more is given is no way.
      guard !found[position].more.isEmpty else {
        found.removeLast(found.count - position)
        continue
      }
      guard let number = number(ofWay: name) else {
        found.removeLast(found.count - position)
        return
      }
      found[position].way = number
    }
  }

  /// Adds the cell of one of the target's attributes to a way.
  ///
  /// - Returns: The columns that it takes; none for a list, which rows on ways do not have.
  func addCell(_ attribute: Int, from places: [Int], to way: inout WayRoute, _ alternatives: inout [Int]) -> [Int] {
    let position = ruleStarts[way.entity] + attribute
    let rule = rules[position]
    let places = rule.attribute.isList ? [] : places
    let start = alternatives.count
    alternatives += places.dropFirst()
    way.cells.append(
      Cell(
        column: places.first ?? -1,
        type: rule.attribute.type,
        rule: position,
        alternatives: start..<alternatives.count,
        hasValueRules: rule.hasValueRules,
        refusesEmptyText: rule.attribute.isRequired && rule.attribute.refusesEmptyText,
        isList: rule.attribute.isList
      )
    )
    way.columns += places
    return places
  }

  /// The number that a way is known by in the run.
  mutating func number(ofWay name: String) -> UInt8? {
    if let known = wayNames.firstIndex(of: name) { return UInt8(known + 1) }
    guard wayNames.count < Self.wayLimit else { return nil }
    wayNames.append(name)
    return UInt8(wayNames.count)
  }
}
