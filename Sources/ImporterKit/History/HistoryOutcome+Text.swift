import Diagnostics
import Reporting
import SQLiteStore

extension HistoryOutcome {
  /// The list as a table for people, the newest run last; a run has a line for each of its entities.
  ///
  /// ```text
  /// run  started (UTC)        command      entity    read  inserted  rejected  files
  ///   1  2026-11-30 15:03:30  load         Contatto     8         5         3  contacts.txt
  ///   2  2026-11-30 15:04:01  load upsert  Artist      12        12         0  artists.csv and 1 more
  ///                                        Label        3         3         0
  /// ```
  ///
  /// Counts that are 0 throughout have no column.
  /// - Parameter isDetailed: Whether each file of a run is listed below it, with size and SHA-256.
  public func text(isDetailed: Bool) -> String {
    guard !runs.isEmpty else { return "\(excerpt(of: database)) lists no loads yet\n" + unfinishedText }
    let names = LoadEntry.countNames.filter { name in
      name == "read" || runs.contains { $0.counts.contains { $0[name] > 0 } }
    }
    var rows: [[String]] = [["run", "started (UTC)", "command", "entity"] + names + ["files"]]
    // After which rows details of a run follow.
    var details: [Int: [String]] = [:]
    for run in runs {
      let counts = run.counts.isEmpty ? [LoadEntry.Count(entity: "", numbers: [])] : run.counts
      for (index, count) in counts.enumerated() {
        let head =
          index == 0
          ? ["\(run.run)", UTCTime(seconds: run.started).textWithSeconds, command(of: run)] : ["", "", ""]
        rows.append(
          head + [excerpt(of: count.entity, limit: 40)]
            + names.map { count.entity.isEmpty ? "" : grouped(count[$0]) }
            + [index == 0 ? files(of: run) : ""]
        )
      }
      if isDetailed { details[rows.count - 1] = run.files.map(detail) }
    }
    let isNumber = [true, false, false, false] + names.map { _ in true } + [false]
    let widths = rows[0].indices.map { column in rows.map { displayWidth(of: $0[column]) }.max() ?? 0 }
    var text = ""
    if count > runs.count {
      let left = count - Int64(runs.count)
      text += "… \(grouped(left)) earlier \(left == 1 ? "run is" : "runs are") left out; --limit all shows them\n"
    }
    for (index, row) in rows.enumerated() {
      let cells = row.enumerated().map { column, cell in
        isNumber[column] ? cell.rightAligned(to: widths[column]) : cell.filled(to: widths[column])
      }
      text += cells.joined(separator: "  ").trimmingBlanksAtEnd + "\n"
      for line in details[index] ?? [] { text += "     " + line + "\n" }
    }
    return text + unfinishedText
  }

  /// A line about a load that is not complete; empty without one.
  private var unfinishedText: String {
    guard let unfinished else { return "" }
    let time = UTCTime(seconds: unfinished.started).textWithSeconds
    return "unfinished: a load of \(unfinished.inputNames), begun at \(time); "
      + "\(StoppedLoad.whatStays(unfinished.recordCount)), and its command, run again, completes it\n"
  }

  private func command(of run: LoadEntry) -> String {
    // `insert` goes without saying.
    run.command + (run.mode.map { $0 == "insert" ? "" : " " + $0 } ?? "")
  }

  private func files(of run: LoadEntry) -> String {
    guard let first = run.files.first else { return "" }
    let more = run.files.count - 1
    return name(of: first) + (more > 0 ? " and \(more) more" : "")
  }

  private func name(of file: LoadEntry.File) -> String {
    file.path == "-" ? "standard input" : excerpt(of: file.path, limit: 60)
  }

  private func detail(of file: LoadEntry.File) -> String {
    var parts = [name(of: file) + ": " + excerpt(of: file.format, limit: 40)]
    if let count = file.byteCount { parts.append("\(grouped(count)) bytes") }
    parts.append("\(grouped(file.recordCount)) records")
    if file.rejectedCount > 0 { parts.append("\(grouped(file.rejectedCount)) rejected") }
    if file.filteredCount > 0 { parts.append("\(grouped(file.filteredCount)) filtered") }
    if let sha256 = file.sha256 { parts.append("SHA-256 \(excerpt(of: sha256, limit: 64))") }
    return parts.joined(separator: ", ")
  }
}

extension String {
  fileprivate var trimmingBlanksAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
