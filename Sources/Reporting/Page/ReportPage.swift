/// A run as one page: a file that needs nothing else, no scripts, no links, no fonts.
///
/// Lists are cut and say so, counts never are. Every chart has its numbers in a table beside it.
package struct ReportPage {
  /// A part of the page.
  package struct Section: Sendable {
    let title: String
    let remark: String?
    let content: HTML

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - title: Its heading.
    ///   - remark: What it shows, in a sentence; nil where that is plain.
    ///   - content: All else.
    package init(_ title: String, remark: String? = nil, _ content: HTML) {
      self.title = title
      self.remark = remark
      self.content = content
    }

    var html: HTML {
      "<section>\n<h2>\(title)</h2>\n\(remark.map { "<p>\($0)</p>\n" as HTML } ?? "")\(content)</section>\n"
    }
  }

  let report: RunReport

  /// Makes the page of a run.
  package init(_ report: RunReport) {
    self.report = report
  }

  /// The page.
  ///
  /// - Parameter sections: What else is known of the run; they stand behind the rejects.
  package func html(with sections: [Section] = []) -> String {
    let own = [outcomes, reasons, columns, places].compactMap { $0 }
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
      <title>\(headline) – importer \(report.command)</title>
      <style>
      \(HTML(markup: PageStyle.sheet))</style>
      </head>
      <body>
      <main>
      \(head)\((own + sections + [files, settings].compactMap { $0 }).map(\.html))</main>
      </body>
      </html>

      """
    return page.markup
  }

  // MARK: Head

  private var head: HTML {
    let paths = report.inputs.isEmpty ? report.inputNames : report.inputs.map(\.path)
    let names = paths.prefix(3).map { shownName(ofInput: $0) }.joined(separator: ", ")
    let more = paths.count > 3 ? " and \(Int64(paths.count - 3).spaced) more" : ""
    let time = report.startedAt.map { UTCTime(seconds: $0).textForPeople + " UTC" }
    let (word, style) = verdict
    let hint: HTML = report.failure?.remedy.map { "<p>\($0)</p>\n" } ?? ""
    return """
      <header>
      <p>\(["importer " + report.command, names + more, time ?? ""].filter { !$0.isEmpty }.joined(separator: " · "))</p>
      <h1>\(headline)</h1>
      \(hint)<p><span class="badge \(style)">\(word)</span> \u{2002}\(shownName(ofInput: report.database)), \
      exit status \(Int64(report.exitStatus))</p>
      <dl class="figures">
      \(figures)</dl>
      </header>

      """
  }

  /// The run in a sentence.
  private var headline: String {
    let total = report.total
    if case .undone(let reason) = report.outcome {
      return "Nothing was committed: \(reason)"
    }
    if case .stopped(let reason, let count) = report.outcome {
      let records = count == 1 ? "record is" : "\(count.spaced) records are"
      return "Stopped: \(reason); the first \(records) committed"
    }
    if case .unchanged(let reason) = report.outcome { return "Nothing to do: \(reason)" }
    let isCheck = report.outcome == .checked
    guard total.read > 0 else { return isCheck ? "No records to check" : "No records to load" }
    let sound = total.inserted + total.updated + total.unchanged
    if sound == total.read {
      return total.read == 1
        ? "The record " + (isCheck ? "can go in" : "is in")
        : "All \(total.read.spaced) records " + (isCheck ? "can go in" : "are in")
    }
    var parts = [
      (sound == 0 ? "None" : sound.spaced) + " of \(total.read.counted("record", "records", spaced: true)) "
        + (isCheck ? "can go in" : "went in")
    ]
    if total.rejected > 0 {
      let verb = isCheck ? "would be" : total.rejected == 1 ? "was" : "were"
      parts.append("\(total.rejected.spaced) \(verb) rejected")
    }
    let left = total.skipped + total.filtered
    if left > 0 {
      let verb = isCheck ? "would be" : left == 1 ? "was" : "were"
      parts.append("\(left.spaced) \(verb) left out")
    }
    return parts.joined(separator: ", ")
  }

  private var verdict: (String, String) {
    switch report.outcome {
    case .committed: report.total.rejected > 0 ? ("committed, with rejects", "warn") : ("committed", "good")
    case .checked: report.total.rejected > 0 ? ("checked, with rejects", "warn") : ("checked", "good")
    case .unchanged: ("unchanged", "good")
    case .undone: ("nothing committed", "bad")
    case .stopped: ("stopped, some batches committed", "bad")
    }
  }

  private var figures: [HTML] {
    let total = report.total
    var figures: [HTML] = []
    func add(_ name: String, _ value: HTML) { figures.append("<div><dt>\(name)</dt><dd>\(value)</dd></div>\n") }
    for outcome in Outcome.allCases where total[keyPath: outcome.count] > 0 {
      add(outcome.rawValue, "\(total[keyPath: outcome.count])")
    }
    for (name, count) in [("made along the way", total.made), ("deleted", total.deleted)] where count > 0 {
      add(name, "\(count)")
    }
    add("time", "\(report.elapsed.forPeople)")
    if report.elapsed.milliseconds >= 1_000, total.read > 0 {
      add("records a second", "\(Int64(Double(total.read) * 1_000 / Double(report.elapsed.milliseconds)))")
    }
    return figures
  }
}

/// What may become of a record.
enum Outcome: String, CaseIterable {
  case inserted, updated, unchanged, skipped, filtered, rejected

  var count: KeyPath<EntityCounts, Int64> {
    switch self {
    case .inserted: \.inserted
    case .updated: \.updated
    case .unchanged: \.unchanged
    case .skipped: \.skipped
    case .filtered: \.filtered
    case .rejected: \.rejected
    }
  }
}
