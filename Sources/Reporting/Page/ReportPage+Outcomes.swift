/// What became of the records.
extension ReportPage {
  private static let entityLimit = 60

  /// A bar for each entity, and the counts; nil where nothing was read.
  var outcomes: Section? {
    let total = report.total
    guard total.read + total.made + total.deleted > 0 else { return nil }
    let used = Outcome.allCases.filter { total[keyPath: $0.count] > 0 }
    let extras = [("made", \EntityCounts.made), ("deleted", \EntityCounts.deleted)].filter { total[keyPath: $0.1] > 0 }
    let shown = report.entities.prefix(Self.entityLimit)
    // The bar of a single entity is the one above.
    let hasBars = report.entities.count > 1
    var rows: [HTML] = shown.map { row($0, hasBar: hasBars, used, extras) }
    if report.entities.count > 1 { rows.append(row(total, hasBar: false, used, extras)) }
    let legend: [HTML] = used.map { outcome in
      """
      <li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="\(outcome.rawValue)" width="12" height="12" rx="3"/></svg>\
      \(outcome.rawValue) <b>\(total[keyPath: outcome.count])</b></li>
      """
    }
    let headings: [HTML] = (["read"] + used.map(\.rawValue) + extras.map(\.0)).map { "<th class=\"n\">\($0)</th>" }
    let hidden = report.entities.count - shown.count
    let remark: HTML = hidden > 0 ? "<p class=\"soft\">… and \(Int64(hidden)) more entities, in the total</p>\n" : ""
    let verb = report.outcome == .committed || report.outcome == .checked ? "" : " (undone)"
    return Section(
      "What became of the records" + verb,
      """
      \(bar(of: total, isTall: true))\
      <ul class="legend">\(legend)</ul>
      <div class="wide"><table>
      <thead><tr><th>entity</th>\(hasBars ? "<th style=\"width:30%;min-width:90px\"></th>" as HTML : "<th></th>")\(headings)</tr></thead>
      <tbody>
      \(rows)</tbody>
      </table></div>
      \(remark)
      """
    )
  }

  private func row(
    _ entity: EntityCounts,
    hasBar: Bool,
    _ used: [Outcome],
    _ extras: [(String, KeyPath<EntityCounts, Int64>)]
  ) -> HTML {
    let counts = [entity.read] + used.map { entity[keyPath: $0.count] } + extras.map { entity[keyPath: $0.1] }
    let cells: [HTML] = counts.map { $0 == 0 ? "<td class=\"n soft\">0</td>" : "<td class=\"n\">\($0)</td>" }
    return "<tr><th scope=\"row\">\(entity.name)</th><td>\(hasBar ? bar(of: entity) : "")</td>\(cells)</tr>\n"
  }

  /// One stacked bar; a part that is there at all is wide enough to be seen.
  private func bar(of entity: EntityCounts, isTall: Bool = false) -> HTML {
    let parts = Outcome.allCases.map { ($0, entity[keyPath: $0.count]) }.filter { $0.1 > 0 }
    let sum = Double(parts.reduce(0) { $0 + $1.1 })
    let shares = parts.map { max(Double($0.1) / sum, 0.006) }
    let scale = 1_000 / shares.reduce(0, +)
    var start = 0.0
    var pieces: [HTML] = []
    for (part, share) in zip(parts, shares) {
      pieces.append(
        """
        <rect class="\(part.0.rawValue)" x="\(start)" width="\(share * scale)" height="20">\
        <title>\(part.0.rawValue): \(part.1)</title></rect>
        """
      )
      start += share * scale
    }
    let words = parts.map { "\($0.1.spaced) \($0.0.rawValue)" }.joined(separator: ", ")
    return """
      <svg class="bar\(isTall ? " tall" as HTML : "")" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" \
      aria-label="\(words.isEmpty ? "nothing" : words)">\(pieces)</svg>
      """
  }
}
