import Diagnostics

extension RunReport {
  /// The most lines that a summary has.
  package static let summaryLimit = 12

  /// The run in a few lines for people; twelve at most, whatever the number of files.
  ///
  /// ```text
  /// contacts.txt: delimited text, delimiter ';' (5 of 5 records have 3 cells), comment '#', no header; UTF-8
  /// model: datapackage.json beside the file
  /// Contatto: 8 read = 5 inserted + 3 rejected
  /// 3 records rejected: 2 required, 1 missing-cell
  ///   kept in contacts.rejected.txt, reasons in contacts.rejects.csv
  /// importer.sqlite: committed in 0.01 s
  /// ```
  ///
  /// - Parameter width: How long a line may become by descriptions and lists; counts, and the names of files to be
  ///   opened next, are never cut.
  /// - Parameter limit: The most lines.
  package func summaryLines(width: Int = 120, limit: Int = summaryLimit) -> [String] {
    if case .unchanged = outcome { return [outcomeLine] }
    var files = CappedLines(inputs.map { line(for: $0, width: width) }, "… and ", "more files")
    var counts = CappedLines(entities.map { $0.name(with: tense) }, "… and ", "more entities")
    var kept = CappedLines(
      rejectionFiles.map {
        "  kept in \(shownName(ofInput: $0.rejected)), reasons in \(shownName(ofInput: $0.faults))"
          + ($0.options.isEmpty
            ? "" : "; to load them again: " + excerpt(of: $0.options.joined(separator: " "), limit: 4_096))
      },
      "  … and the rejects of ",
      "more files"
    )
    let modelLine = model.map { "model: " + $0.words(database: database) }
    let totalLine = entities.count > 1 ? total.name(with: tense) : nil
    let rejectedLine = total.rejected > 0 || !faultCounts.isEmpty ? rejectedText(width: width) : nil

    // The lists share what the single lines leave, one line each in turn.
    var room = limit - 1 - [modelLine, totalLine, rejectedLine].compactMap { $0 }.count
    while room > 0, files.isCut || counts.isCut || kept.isCut {
      if files.isCut, room > 0 { (files.room, room) = (files.room + 1, room - 1) }
      if counts.isCut, room > 0 { (counts.room, room) = (counts.room + 1, room - 1) }
      if kept.isCut, room > 0 { (kept.room, room) = (kept.room + 1, room - 1) }
    }
    return files.lines + [modelLine].compactMap { $0 } + counts.lines
      + [totalLine, rejectedLine].compactMap { $0 } + kept.lines + [outcomeLine]
  }

  private func line(for input: Input, width: Int) -> String {
    var parts = [input.format] + input.dialect
    if let reason = input.reason { parts[0] += " (\(reason))" }
    let encoding = input.encoding + (input.encodingReason.map { " (\($0))" } ?? "")
    let description = excerpt(of: parts.joined(separator: ", ") + "; " + encoding, limit: 1_000)
    return cut(ending(of: shownName(ofInput: input.path), width / 2) + ": " + description, to: width)
  }

  /// Such as `3 records rejected: 2 required, 1 missing-cell`, the most frequent first.
  private func rejectedText(width: Int) -> String {
    let faultCount = faultCounts.values.reduce(0, +)
    var text = total.rejected.counted("record", "records") + " rejected"
    if faultCount != total.rejected { text += ", " + faultCount.counted("fault", "faults") }
    let codes = faultCounts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    for (position, code) in codes.enumerated() {
      let more = (position == 0 ? ": " : ", ") + code.value.grouped + " " + code.key.rawValue
      let left = Int64(codes.count - position)
      let rest = left > 1 ? ", " + (left - 1).counted("more code", "more codes") : ""
      guard position == 0 || text.count + more.count + rest.count <= width else {
        return text + ", " + left.counted("more code", "more codes")
      }
      text += more
    }
    return text
  }

  private var outcomeLine: String {
    let name = shownName(ofInput: database)
    let time = elapsed.forPeople
    switch outcome {
    case .committed: return "\(name): committed in \(time)\(rate)"
    case .checked: return "\(name): nothing was written, this was a check; it took \(time)\(rate)"
    case .unchanged(let reason): return "\(name): nothing to do, \(excerpt(of: reason)) (\(time))"
    case .undone(let reason): return "\(name): nothing was committed, \(excerpt(of: reason)) (\(time))"
    case .stopped(let reason, let count):
      return "\(name): stopped, \(excerpt(of: reason)); the first \(count.counted("record", "records")) "
        + "\(count == 1 ? "is" : "are") committed, and the same command goes on behind them (\(time))"
    }
  }

  /// Records a second, once the run is long enough for it to mean something.
  private var rate: String {
    guard elapsed >= .seconds(1), total.read > 0 else { return "" }
    let (product, overflows) = total.read.multipliedReportingOverflow(by: 1_000)
    return overflows ? "" : ", " + (product / elapsed.milliseconds).counted("record", "records") + " a second"
  }

  private var tense: EntityCounts.Tense {
    switch outcome {
    case .committed, .unchanged: .done
    case .checked: .wouldBe
    case .undone, .stopped: .wouldHaveBeen
    }
  }
}

extension RunReport.Model {
  /// Such as `datapackage.json beside the file`.
  func words(database: String) -> String {
    switch self {
    case .told(let path): shownName(ofInput: path)
    case .dataPackage(let path):
      excerpt(of: String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]))
        + " beside the file"
    case .database: "the tables of " + shownName(ofInput: database)
    case .declared: "the descriptors in the file, the rest inferred"
    case .inferred: "inferred from all values"
    }
  }
}

extension EntityCounts {
  /// Whether rows were written, or only would be.
  fileprivate enum Tense: String {
    case done = ""
    case wouldBe = "would be "
    case wouldHaveBeen = "would have been "
  }

  /// Such as `Contatto: 8 read = 5 inserted + 3 rejected`; counts of zero are left out.
  fileprivate func name(with tense: Tense) -> String {
    let terms = [
      (inserted, tense.rawValue + "inserted"), (updated, tense.rawValue + "updated"), (unchanged, "unchanged"),
      (skipped, "skipped"), (rejected, "rejected"), (filtered, "filtered"),
    ].filter { $0.0 != 0 }.map { $0.0.grouped + " " + $0.1 }
    let sum = terms.isEmpty ? "" : " = " + terms.joined(separator: " + ")
    let apart = [
      made == 0 ? nil : made.grouped + " \(tense.rawValue)made along the way",
      deleted == 0 ? nil : deleted.grouped + " \(tense.rawValue)deleted",
    ].compactMap { $0 }.map { ", and " + $0 }.joined()
    return excerpt(of: name, limit: 60) + ": " + read.grouped + " read" + sum + apart
  }
}

/// A list of lines that is cut to its room; the last line then says how many are left out.
private struct CappedLines {
  let all: [String]
  let before: String
  let after: String
  /// How many lines it may take.
  var room = 0

  init(_ all: [String], _ before: String, _ after: String) {
    self.all = all
    self.before = before
    self.after = after
  }

  /// Whether more room would show more.
  var isCut: Bool { room < all.count }

  var lines: [String] {
    guard isCut else { return all }
    guard room > 0 else { return [] }
    return all.prefix(room - 1) + [before + Int64(all.count - room + 1).grouped + " " + after]
  }
}

/// Cuts the end of a line that is too long.
private func cut(_ line: String, to width: Int) -> String {
  line.count <= width ? line : String(line.prefix(max(width - 1, 0))) + "…"
}

/// Cuts the beginning of a path that is too long, since its end tells more.
private func ending(of path: String, _ width: Int) -> String {
  path.count <= width ? path : "…" + String(path.suffix(max(width - 1, 0)))
}
