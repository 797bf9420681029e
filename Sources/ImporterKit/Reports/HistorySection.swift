import Reporting
import SQLiteStore

/// The last thirty loads of the same entities as bars, the newest last and brightest.
enum HistorySection {
  private static let runLimit = 30
  /// Among so many loads of any entities they are looked for.
  private static let searchLimit = 500
  /// So many earlier runs make something usual.
  private static let usualRunCount = 3

  /// The bars; nil where the database keeps no list, or there is nothing to compare.
  ///
  /// - Parameter isListed: Whether the run itself is the last of them.
  static func section(of database: String, isListed: Bool) -> ReportPage.Section? {
    var job = HistoryJob(database: database)
    job.limit = searchLimit
    job.lockWait = .zero
    guard let loads = try? job.run().runs.filter({ $0.command == "load" }), let last = loads.last else { return nil }
    let runs = loads.filter { entities(of: $0) == entities(of: last) }.suffix(runLimit)
    guard runs.count > 1 else { return nil }
    let bars = runs.map { Bar($0) }
    let most = Double(bars.map(\.read).max() ?? 1)
    let slot = 1_000 / Double(bars.count)
    let width = min(slot * 0.78, 64)
    let columns: [HTML] = bars.enumerated().map { index, bar in
      let height = max(Double(bar.read) / max(most, 1) * 104, bar.read > 0 ? 3 : 0)
      let rejected = bar.rejected == 0 ? 0 : max(Double(bar.rejected) / max(most, 1) * 104, 3)
      let x = Double(index) * slot + (slot - width) / 2
      return """
        <g opacity="\(index == bars.count - 1 ? 1.0 : 0.55)"><title>\(bar.words)</title>\
        <rect class="inserted" x="\(x)" y="\(112 - height)" width="\(width)" height="\(max(height - rejected, 0))"/>\
        <rect class="rejected" x="\(x)" y="\(112 - rejected)" width="\(width)" height="\(rejected)"/></g>

        """
    }
    let rows: [HTML] = bars.map { bar in
      """
      <tr><td class="n">\(bar.number)</td><td>\(bar.time)</td><td class="n">\(bar.read)</td><td class="n">\(bar.rejected)</td>\
      <td class="n">\(bar.seconds) s</td><td>\(bar.files)</td></tr>

      """
    }
    let label = "\(bars.count) loads, the last of \(bars.last?.words ?? "")"
    return ReportPage.Section(
      "The last \(bars.count) loads\(isListed ? "" : " before this run") of \(entities(of: last).sorted().prefix(3).joined(separator: ", "))",
      remark: isListed ? remark(on: bars) : nil,
      """
      <svg class="nights" viewBox="0 0 1000 120" preserveAspectRatio="none" role="img" aria-label="\(label)">
      <rect class="ground" y="112" width="1000" height="2"/>
      \(columns)</svg>
      <p class="scale"><span>\(bars.first?.time ?? "")</span><span>records read, of them rejected; the last load is the brightest</span>\
      <span>\(bars.last?.time ?? "")</span></p>
      <details><summary>as a table</summary><div class="wide"><table>
      <thead><tr><th class="n">run</th><th>began (UTC)</th><th class="n">read</th><th class="n">rejected</th><th class="n">time</th><th>files</th></tr></thead>
      <tbody>
      \(rows)</tbody></table></div></details>

      """
    )
  }

  private static func entities(of run: LoadEntry) -> Set<String> {
    Set(run.counts.filter { $0["read"] > 0 }.map(\.entity))
  }

  private struct Bar {
    let number: Int64
    let time: String
    let read: Int64
    let rejected: Int64
    let seconds: Double
    let files: String

    init(_ run: LoadEntry) {
      number = run.run
      time = UTCTime(seconds: run.started).textForPeople
      read = run.counts.reduce(0) { $0 + $1["read"] }
      rejected = run.counts.reduce(0) { $0 + $1["rejected"] }
      seconds = run.seconds
      let names = run.files.prefix(2).map { $0.path == "-" ? "standard input" : $0.path }.joined(separator: ", ")
      files = names + (run.files.count > 2 ? " and \(run.files.count - 2) more" : "")
    }

    var words: String { "\(time): \(read.spaced) read, \(rejected.spaced) rejected" }
  }

  /// What is unusual about the last run, by the median of those before it; nil where nothing is.
  private static func remark(on bars: [Bar]) -> String? {
    guard let last = bars.last, bars.count > usualRunCount else { return nil }
    func usual(_ number: (Bar) -> Int64) -> Int64 {
      let sorted = bars.dropLast().map(number).sorted()
      return sorted[sorted.count / 2]
    }
    let (read, rejected) = (usual(\.read), usual(\.rejected))
    if last.rejected > 10, last.rejected >= 2 * max(rejected, 1) {
      return rejected == 0
        ? "Usually there are no rejects" : "\((last.rejected / rejected).spaced) times the usual rejects"
    }
    if last.read * 2 < read { return "Less than half of the usual records" }
    if last.read > read * 2, read > 0 { return "More than twice the usual records" }
    return nil
  }
}
