import Diagnostics

/// What is wrong with the rejected records: by reason, by column, and where in the file.
extension ReportPage {
  private static let reasonLimit = 40
  private static let columnLimit = 40
  private static let codeLimit = 14
  private static let inputLimit = 20

  // MARK: Reasons

  /// A bar for each code, the most frequent first, with examples; nil where there are none.
  var reasons: Section? {
    guard !report.faultCounts.isEmpty else { return nil }
    let codes = report.faultCounts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let most = Double(codes.first?.value ?? 1)
    let sum = codes.reduce(0) { $0 + $1.value }
    let rows: [HTML] = codes.prefix(Self.reasonLimit).map { code, count in
      let example = report.census.examples[code]?.first
      let words: HTML = example.map { "\($0.message)" } ?? ""
      return """
        <tr><th scope="row" class="code"><code>\(code.rawValue)</code></th>\
        <td class="optional"><svg class="bar" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">\
        <rect class="rejected" width="\(max(Double(count) / most * 1_000, 4))" height="14"/></svg></td>\
        <td class="n">\(count)</td><td class="n soft optional">\(share(count, of: sum))</td><td class="why">\(words)</td></tr>

        """
    }
    let examples: [HTML] = codes.prefix(Self.reasonLimit).compactMap { code, count in
      guard let faults = report.census.examples[code] else { return nil }
      let more = count - Int64(faults.count)
      return """
        <details><summary><code>\(code.rawValue)</code>: \
        \(more > 0 ? "the first \(Int64(faults.count).spaced) of \(count.spaced)" : count.counted("fault", "faults", spaced: true))</summary>
        \(faults.map(fault))</details>

        """
    }
    return Section(
      "Why records were rejected",
      remark: (report.total.rejected > 0 ? report.total.rejected.counted("record", "records", spaced: true) + ", " : "")
        + sum.counted("fault", "faults", spaced: true)
        + (sum > report.total.rejected && report.total.rejected > 0 ? "; a record may have several" : ""),
      """
      <div class="wide"><table>
      <thead><tr><th>reason</th><th class="optional" style="width:24%;min-width:90px"></th><th class="n">faults</th><th class="n optional">share</th>\
      <th>first of them</th></tr></thead>
      <tbody>
      \(rows)</tbody>
      </table></div>
      \(examples)
      """
    )
  }

  private func share(_ count: Int64, of sum: Int64) -> String {
    let tenths = Int64((Double(count) * 1_000 / Double(max(sum, 1))).rounded())
    return tenths == 0 ? "< 0.1 %" : "\(tenths / 10).\(tenths % 10) %"
  }

  /// A fault as the terminal shows it.
  private func fault(_ fault: Diagnostic) -> HTML {
    let place = fault.location
    let record = place.record > 0 ? ", record \(place.record.spaced)" : ""
    let column = place.column.map { ":\($0)" } ?? ""
    let field: HTML = fault.field.map { " in <b>\($0)</b>" } ?? ""
    let value: HTML = fault.value.map { "<p>found <span class=\"value\">\($0)</span></p>\n" } ?? ""
    let expected: HTML = fault.expected.map { "<p>expected \($0)</p>\n" } ?? ""
    return """
      <div class="fault"><p><code>\(shownName(ofInput: place.file)):\(String(place.line))\(column)</code>\(record)\(field)</p>
      <p>\(fault.message)</p>
      \(value)\(expected)<p class="soft">\(fault.remedy)</p></div>

      """
  }

  // MARK: Columns

  /// A table of columns and codes, dark where the faults are; nil where there are none in columns.
  var columns: Section? {
    let places = report.census.sortedPlaces
    guard places.contains(where: { $0.place.field != nil }) else { return nil }
    let namesEntity = Set(places.map(\.place.entity)).count > 1
    func name(_ place: FaultCensus.Place) -> String {
      let field = place.field ?? "(whole record)"
      return namesEntity ? (place.entity.map { $0 + " · " } ?? "") + field : field
    }
    let rows = totals(places.map { (name($0.place), $0.count) })
    let codes = totals(places.map { ($0.place.code.rawValue, $0.count) })
    var cells: [[String]: Int64] = [:]
    for (place, count) in places { cells[[name(place), place.code.rawValue], default: 0] += count }
    let most = Double(cells.values.max() ?? 1)
    let shownCodes = codes.prefix(Self.codeLimit)
    let body: [HTML] = rows.prefix(Self.columnLimit).map { row, total in
      let line: [HTML] = shownCodes.map { code, _ in
        guard let count = cells[[row, code]] else { return "<td class=\"cell none\">0</td>" }
        // The root keeps small counts visible beside large ones.
        let heat = max((Double(count) / most).squareRoot(), 0.12)
        return "<td class=\"cell\(heat > 0.85 ? " hot" : "")\" style=\"--heat:\(heat)\">\(count)</td>"
      }
      return "<tr><th scope=\"row\">\(row)</th>\(line)<td class=\"n\">\(total)</td></tr>\n"
    }
    let headings: [HTML] = shownCodes.map { "<th class=\"code\"><code>\($0.0)</code></th>" }
    var left: [String] = []
    if rows.count > Self.columnLimit { left.append("\(rows.count - Self.columnLimit) more columns") }
    if codes.count > Self.codeLimit { left.append("\(codes.count - Self.codeLimit) more reasons") }
    if report.census.elsewhere > 0 {
      left.append(
        report.census.elsewhere.counted("fault", "faults", spaced: true) + " in columns that are not counted one by one"
      )
    }
    let cut: HTML = left.isEmpty ? "" : "<p class=\"soft\">… and \(left.joined(separator: ", "))</p>\n"
    return Section(
      "Which columns are ill",
      remark: "One dark field is often one thing to mend",
      """
      <div class="wide"><table class="heat">
      <thead><tr><th>column</th>\(headings)<th class="n">all</th></tr></thead>
      <tbody>
      \(body)</tbody>
      </table></div>
      \(cut)
      """
    )
  }

  /// The sums by name, the largest first.
  private func totals(_ counts: [(String, Int64)]) -> [(String, Int64)] {
    Dictionary(counts, uniquingKeysWith: +).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  // MARK: Places

  /// Where in each file the rejected records are; nil where there are none.
  var places: Section? {
    let strips: [HTML] = report.inputs.compactMap { input in
      report.census.positions[input.path].map { strip($0, of: input) }
    }
    guard !strips.isEmpty else { return nil }
    let more = strips.count - Self.inputLimit
    let rest: HTML = more > 0 ? "<p class=\"soft\">… and \(Int64(more)) more files</p>\n" : ""
    return Section(
      "Where they are",
      remark: "From the beginning of the file to its end: a burst has one cause, a sprinkle many",
      "\(Array(strips.prefix(Self.inputLimit)))\(rest)"
    )
  }

  private func strip(_ positions: RejectPositions, of input: RunReport.Input) -> HTML {
    let stretch = positions.stretchByteCount
    let reached = Int64(positions.counts.count) * stretch
    // Of a compressed input only its own bytes are counted, which the offsets are not in.
    let isWhole = input.byteCount >= reached - stretch && input.byteCount > 0
    let end = isWhole ? input.byteCount : reached
    let most = Double(positions.counts.max() ?? 1)
    let width = 1_000 * Double(stretch) / Double(end)
    var bars: [HTML] = []
    var rows: [HTML] = []
    for (index, count) in positions.counts.enumerated() where count > 0 {
      let height = max(Double(count) / most * 64, 3)
      let first = Int64(index) * stretch
      bars.append(
        """
        <rect class="rejected" x="\(Double(index) * width)" y="\(70 - height)" width="\(max(width * 0.86, 1.2))" \
        height="\(height)"><title>\(count.counted("record", "records", spaced: true)) from byte \(first)</title></rect>
        """
      )
      rows.append(
        "<tr><td class=\"n\">\(first)</td><td class=\"n\">\(first + stretch - 1)</td><td class=\"n\">\(count)</td></tr>\n"
      )
    }
    let label =
      "\(positions.counts.reduce(0, +).counted("rejected record", "rejected records", spaced: true)), at most "
      + "\(Int64(most).spaced) in \(stretch.bytesForPeople)"
    return """
      <h3>\(shownName(ofInput: input.path))</h3>
      <svg class="along" viewBox="0 0 1000 74" preserveAspectRatio="none" role="img" aria-label="\(label)">\
      <rect class="ground" y="70" width="1000" height="4"/>\(bars)</svg>
      <p class="scale"><span>0</span><span>\(label)</span><span>\(isWhole ? end.bytesForPeople : "last one")</span></p>
      <details><summary>as a table</summary><div class="wide"><table>
      <thead><tr><th class="n">from byte</th><th class="n">to</th><th class="n">rejected records</th></tr></thead>
      <tbody>
      \(rows)</tbody></table></div></details>

      """
  }
}
