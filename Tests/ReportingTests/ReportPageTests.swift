import Diagnostics
import Testing

@testable import Reporting

@Suite struct ReportsToLookAt {
  /// The faulty contacts with the places of their faults.
  private func report() -> RunReport {
    var report = contactsReport()
    report.startedAt = 1_796_000_523
    for (line, field) in [(4, "cognome"), (5, "nome"), (5, "nome")] {
      let fault = Diagnostic(
        code: line == 4 ? .missingCell : .required,
        location: SourceLocation(file: "contacts.txt", record: 3, line: line, column: 5, byteOffset: Int64(line) * 20),
        entity: "Contatto",
        field: field,
        value: "<b>\u{1B}&'\"",
        message: "required value is missing",
        remedy: "give it a value"
      )
      report.census.add(fault)
      report.census.addRecord(at: fault.location)
    }
    return report
  }

  @Test func `the page says what came of the run, and why`() {
    let page = ReportPage(report()).html()
    for words in [
      "<h1>5 of 8 records went in, 3 were rejected</h1>", "2026-11-30 01:02 UTC", "committed, with rejects",
      "aria-label=\"5 inserted, 3 rejected\"", "<code>missing-cell</code>", "66.7 %", "contacts.rejected.txt",
      "datapackage.json beside the file", "<code>contacts.txt:5:5</code>, record 3 in <b>nome</b>",
      "3 rejected records, at most 3 in 64 bytes",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"))
    #expect(page.contains("<td class=\"cell hot\" style=\"--heat:1.00\">2</td>"))
  }

  @Test func `text of the input is escaped wherever it stands`() {
    let evil = "<img src=x onerror=alert(1)>\"'&\u{202E}\n\u{0}"
    var report = report()
    report.inputs[0].path = evil
    report.inputs[0].format = evil
    report.inputs[0].dialect = [evil]
    report.inputs[0].reason = evil
    report.inputs[0].encoding = evil
    report.inputs[0].encodingReason = evil
    report.entities[0].name = evil
    report.database = evil
    report.model = .told(path: evil)
    report.settings = [.init(evil, evil, .option)]
    report.rejectionFiles = [.init(input: evil, rejected: evil, faults: evil)]
    report.rejectionFiles[0].options = [evil]
    report.failure = .init(message: evil, remedy: evil)
    report.outcome = .undone(because: evil)
    report.census = FaultCensus()
    let fault = Diagnostic(
      code: .required,
      location: SourceLocation(file: evil),
      entity: evil,
      field: evil,
      value: evil,
      expected: evil,
      message: evil,
      remedy: evil
    )
    report.census.add(fault)
    report.census.addRecord(at: fault.location)
    let page = ReportPage(report).html(with: [.init(evil, remark: evil, "\(evil)")])
    #expect(!page.contains("<img"))
    #expect(!page.contains("'&\u{202E}") && !page.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{0}" })
    #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\\u{202E}\\n\\x00"))
    #expect(!report.csv().contains("\u{202E}") && !report.text().contains("\u{202E}"))
  }

  @Test(arguments: [
    (RunReport.Outcome.checked, "5 of 8 records can go in, 3 would be rejected", "checked, with rejects"),
    (.undone(because: "--strict allows no rejected records"), "Nothing was committed: --strict", "nothing committed"),
    (
      .stopped(because: "the disk is full", committedCount: 2_000),
      "Stopped: the disk is full; the first 2\u{202F}000 records are committed", "stopped, some batches committed"
    ),
    (.unchanged(because: "loaded before"), "Nothing to do: loaded before", "unchanged"),
  ])
  func `the page says how the run ended`(outcome: RunReport.Outcome, headline: String, badge: String) {
    var report = report()
    report.outcome = outcome
    let page = ReportPage(report).html()
    #expect(page.contains("<h1>\(headline)"))
    #expect(page.contains(">\(badge)</span>"))
  }

  @Test(
    arguments: [
      (["inserted": 1], "The record is in"),
      (["filtered": 3, "inserted": 1], "1 of 4 records went in, 3 were left out"),
      (["skipped": 4], "None of 4 records went in, 4 were left out"), (["unchanged": 2], "All 2 records are in"),
      (["rejected": 1, "updated": 9], "9 of 10 records went in, 1 was rejected"),
      (["rejected": 1], "None of 1 record went in, 1 was rejected"),
      (
        ["rejected": 2_000, "inserted": 3, "skipped": 1],
        "3 of 2\u{202F}004 records went in, 2\u{202F}000 were rejected, 1 was left out"
      ),
    ] as [([String: Int64], String)]
  )
  func `the headline counts what went in`(counts: [String: Int64], headline: String) {
    var entity = EntityCounts(name: "A")
    for outcome in Outcome.allCases {
      guard let count = counts[outcome.rawValue] else { continue }
      entity.read += count
      switch outcome {
      case .inserted: entity.inserted = count
      case .updated: entity.updated = count
      case .unchanged: entity.unchanged = count
      case .skipped: entity.skipped = count
      case .filtered: entity.filtered = count
      case .rejected: entity.rejected = count
      }
    }
    var report = RunReport(command: "load", database: "a.sqlite")
    report.entities = [entity]
    #expect(ReportPage(report).html().contains("<h1>\(headline)</h1>"))
  }

  @Test func `a run without a fault has no rejects to show`() {
    var report = RunReport(command: "load", database: "a.sqlite")
    report.entities = [EntityCounts(name: "A")]
    report.entities[0].read = 1_234
    report.entities[0].inserted = 1_234
    let page = ReportPage(report).html()
    #expect(page.contains("<h1>All 1\u{202F}234 records are in</h1>"))
    #expect(page.contains("1\u{202F}234"))
    #expect(!page.contains("Why records") && !page.contains("Which columns") && !page.contains("Where they are"))
  }

  @Test func `lists are cut, and the page stays small`() {
    var report = largeReport(files: 500, entities: 300, withRejects: 300)
    report.census = FaultCensus()
    for number in 0..<5_000 {
      let fault = Diagnostic(
        code: DiagnosticCode.allCases[number % DiagnosticCode.allCases.count],
        location: SourceLocation(file: "data/part-\(number % 300 + 1).csv", byteOffset: Int64(number) * 1_000),
        entity: "Entity\(number % 300)",
        field: "field \(number)",
        message: String(repeating: "long ", count: 50),
        remedy: "mend it"
      )
      report.faultCounts[fault.code, default: 0] += 1
      report.census.add(fault)
      report.census.addRecord(at: fault.location)
    }
    let page = ReportPage(report).html()
    #expect(page.utf8.count < 500_000, "\(page.utf8.count)")
    for words in ["… and 240 more entities", "… and 300 more files", "more columns", "… and 280 more files"] {
      #expect(page.contains(words), "\(words)")
    }
  }

  @Test func `the table has a fact a line`() {
    let lines = report().csv().split(separator: "\n")
    for line in [
      "section,subject,name,value", "run,,outcome,committed", "run,,started,2026-11-30T01:02:03Z",
      "setting,mode,default,insert", "input,contacts.txt,bytes,172",
      "input,contacts.txt,rejected,contacts.rejected.txt",
      "entity,Contatto,rejected,3", "entity,(total),read,8", "fault,,required,2", "column,Contatto.nome,required,2",
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
    #expect(!lines.contains { $0.hasPrefix("run,,error") })
  }

  @Test func `the text is the summary with columns and settings`() {
    let text = report().text()
    #expect(text.hasPrefix("importer load, begun 2026-11-30 01:02 UTC\ncontacts.txt: delimited text"))
    #expect(
      text.contains("\n\nfaults by column\n  2 required in Contatto.nome\n  1 missing-cell in Contatto.cognome\n")
    )
    #expect(text.hasSuffix("\n\nsettings\n  delimiter = ; (detected)\n"))
  }

  @Test(arguments: [
    ("a.html", ReportForm.html), ("A.HTM", .html), ("x/run.json", .json), ("r.csv", .csv), ("r.txt", .text),
    ("r.xml", nil), ("html", nil), ("", nil),
  ])
  func `the name of a report tells its form`(path: String, form: ReportForm?) {
    #expect(ReportForm(path: path) == form)
  }
}
