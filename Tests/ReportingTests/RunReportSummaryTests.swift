import Diagnostics
import Reporting
import Testing

@Suite struct Summaries {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let report: RunReport
    let text: String

    init(_ testDescription: String, _ report: RunReport, change: (inout RunReport) -> Void = { _ in }, _ text: String) {
      self.testDescription = testDescription
      var report = report
      change(&report)
      self.report = report
      self.text = text
    }
  }

  static let contactsLine =
    "contacts.txt: delimited text (no other format begins so), ';', comment '#', no header; UTF-8"

  static let cases = [
    Case(
      "a load with rejects",
      contactsReport(),
      """
      \(contactsLine)
      model: datapackage.json beside the file
      Contatto: 8 read = 5 inserted + 3 rejected
      3 records rejected: 2 required, 1 missing-cell
        kept in contacts.rejected.txt, reasons in contacts.rejects.csv
      importer.sqlite: committed in 0.01 s
      """
    ),
    Case(
      "a check",
      contactsReport(outcome: .checked),
      """
      \(contactsLine)
      model: datapackage.json beside the file
      Contatto: 8 read = 5 would be inserted + 3 rejected
      3 records rejected: 2 required, 1 missing-cell
        kept in contacts.rejected.txt, reasons in contacts.rejects.csv
      importer.sqlite: nothing was written, this was a check; it took 0.01 s
      """
    ),
    Case(
      "some batches committed",
      contactsReport(outcome: .stopped(because: "more than 2 records were rejected", committedCount: 4_000)),
      """
      \(contactsLine)
      model: datapackage.json beside the file
      Contatto: 8 read = 5 would have been inserted + 3 rejected
      3 records rejected: 2 required, 1 missing-cell
        kept in contacts.rejected.txt, reasons in contacts.rejects.csv
      importer.sqlite: stopped, more than 2 records were rejected; the first 4,000 records are committed, and the same command \
      goes on behind them (0.01 s)
      """
    ),
    Case(
      "nothing committed",
      contactsReport(outcome: .undone(because: "more than 2 records were rejected")),
      """
      \(contactsLine)
      model: datapackage.json beside the file
      Contatto: 8 read = 5 would have been inserted + 3 rejected
      3 records rejected: 2 required, 1 missing-cell
        kept in contacts.rejected.txt, reasons in contacts.rejects.csv
      importer.sqlite: nothing was committed, more than 2 records were rejected (0.01 s)
      """
    ),
    Case(
      "nothing to do",
      RunReport(
        command: "load",
        database: "importer.sqlite",
        outcome: .unchanged(because: "the same content was loaded before")
      ),
      "importer.sqlite: nothing to do, the same content was loaded before (0.01 s)"
    ),
    Case("a load of nothing", RunReport(command: "load", database: "a/b.sqlite"), "a/b.sqlite: committed in 0.01 s"),
    Case(
      "a header and no records",
      contactsReport(),
      change: {
        $0.inputs[0].recordCount = 0
        $0.inputs[0].reason = nil
        $0.entities = [EntityCounts(name: "Contatto")]
        $0.faultCounts = [:]
        $0.rejectionFiles = []
        $0.model = .inferred
      },
      """
      contacts.txt: delimited text, ';', comment '#', no header; UTF-8
      model: inferred from all values
      Contatto: 0 read
      importer.sqlite: committed in 0.01 s
      """
    ),
    Case(
      "one record, from standard input",
      contactsReport(),
      change: {
        $0.inputs = [RunReport.Input(path: "-", format: "XML")]
        $0.inputs[0].reason = "it begins with '<'"
        $0.inputs[0].recordCount = 1
        $0.entities[0].read = 1
        $0.entities[0].inserted = 0
        $0.entities[0].rejected = 1
        $0.faultCounts = [.required: 2]
        $0.model = .database
        $0.rejectionFiles = [
          RejectionLog.Files(input: "-", rejected: "stdin.rejected.xml", faults: "stdin.rejects.csv")
        ]
      },
      """
      <stdin>: XML (it begins with '<'); UTF-8
      model: the tables of importer.sqlite
      Contatto: 1 read = 1 rejected
      1 record rejected, 2 faults: 2 required
        kept in stdin.rejected.xml, reasons in stdin.rejects.csv
      importer.sqlite: committed in 0.01 s
      """
    ),
    Case(
      "everything that can become of a record",
      contactsReport(),
      change: {
        $0.model = .told(path: "models/Contacts.xcdatamodeld")
        $0.inputs[0].recordCount = 21_000_000
        $0.entities = [EntityCounts(name: "Contatto"), EntityCounts(name: "Città")]
        $0.entities[0].read = 21_000_000
        $0.entities[0].inserted = 1_000_000
        $0.entities[0].updated = 2_000_000
        $0.entities[0].unchanged = 3_000_000
        $0.entities[0].skipped = 4_000_000
        $0.entities[0].rejected = 5_000_000
        $0.entities[0].filtered = 6_000_000
        $0.entities[0].made = 7_000
        $0.entities[0].deleted = 8_000
        $0.faultCounts = [.required: 5_000_000]
        $0.elapsed = .milliseconds(12_345)
      },
      """
      \(contactsLine)
      model: models/Contacts.xcdatamodeld
      Contatto: 21,000,000 read = 1,000,000 inserted + 2,000,000 updated + 3,000,000 unchanged + 4,000,000 skipped \
      + 5,000,000 rejected + 6,000,000 filtered, and 7,000 made along the way, and 8,000 deleted
      Città: 0 read
      total: 21,000,000 read = 1,000,000 inserted + 2,000,000 updated + 3,000,000 unchanged + 4,000,000 skipped \
      + 5,000,000 rejected + 6,000,000 filtered, and 7,000 made along the way, and 8,000 deleted
      5,000,000 records rejected: 5,000,000 required
        kept in contacts.rejected.txt, reasons in contacts.rejects.csv
      importer.sqlite: committed in 12.3 s, 1,701,093 records a second
      """
    ),
    Case(
      "a thousand files, all with rejects",
      largeReport(files: 1_000, entities: 40, withRejects: 1_000),
      """
      data/part-1.csv: CSV; UTF-8
      data/part-2.csv: CSV; UTF-8
      … and 998 more files
      model: inferred from all values
      Entity1: 1,000,000,000 read = 999,999,000 inserted + 1,000 rejected
      Entity2: 0 read
      … and 38 more entities
      total: 1,000,000,000 read = 999,999,000 inserted + 1,000 rejected
      1,000 records rejected: 1,000 type-error
        kept in data/part-1.rejected.csv, reasons in data/part-1.rejects.csv
        … and the rejects of 999 more files
      big.sqlite: committed in 12 min 34 s, 1,326,259 records a second
      """
    ),
    Case(
      "a thousand files, one of them with a reject",
      largeReport(files: 1_000, entities: 1, withRejects: 1),
      """
      data/part-1.csv: CSV; UTF-8
      data/part-2.csv: CSV; UTF-8
      data/part-3.csv: CSV; UTF-8
      data/part-4.csv: CSV; UTF-8
      data/part-5.csv: CSV; UTF-8
      data/part-6.csv: CSV; UTF-8
      … and 994 more files
      model: inferred from all values
      Entity1: 1,000,000,000 read = 999,999,999 inserted + 1 rejected
      1 record rejected: 1 type-error
        kept in data/part-1.rejected.csv, reasons in data/part-1.rejects.csv
      big.sqlite: committed in 12 min 34 s, 1,326,259 records a second
      """
    ),
    Case(
      "hostile names",
      contactsReport(),
      change: {
        $0.database = "a\u{1B}]0;b\u{7}\n.sqlite"
        $0.inputs[0].path = "a\nimporter.sqlite: committed"
        $0.inputs[0].dialect = ["'\u{9B}'"]
        $0.inputs[0].reason = "\u{202E}"
        $0.inputs[0].encoding = "UTF-8\r"
        $0.model = .dataPackage(path: "\n/data\npackage.json")
        $0.entities[0].name = "Con\tatto"
        $0.rejectionFiles[0].rejected = "a\n.rejected"
        $0.rejectionFiles[0].faults = "a\n.rejects.csv"
        $0.outcome = .undone(because: "it\nends")
      },
      #"""
      a\nimporter.sqlite: committed: delimited text (\u{202E}), '\u{9B}'; UTF-8\r
      model: data\npackage.json beside the file
      Con\tatto: 8 read = 5 would have been inserted + 3 rejected
      3 records rejected: 2 required, 1 missing-cell
        kept in a\n.rejected, reasons in a\n.rejects.csv
      a\x1B]0;b\x07\n.sqlite: nothing was committed, it\nends (0.01 s)
      """#
    ),
  ]

  @Test(arguments: cases) func `a run is told in a few lines`(_ example: Case) {
    #expect(example.report.summaryLines().joined(separator: "\n") == example.text)
  }

  @Test(arguments: cases) func `every case above keeps law 2`(_ example: Case) {
    #expect(example.report.imbalance == nil)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 1_000], [1, 2, 3, 8, 9, 50])
  func `a summary has twelve lines at most, and wastes none`(files: Int, entities: Int) {
    for withRejects in [0, 1, 2, files] where withRejects <= files {
      let lines = largeReport(files: files, entities: entities, withRejects: withRejects).summaryLines()
      #expect(lines.count <= 12)
      let isCut = lines.contains { $0.contains(" more ") }
      #expect(!isCut || lines.count == 12)
      // A line that says "1 more" could have been the one that it leaves out.
      #expect(!lines.contains { $0.contains("… and 1 more") || $0.contains("of 1 more") })
    }
  }

  @Test func `codes that have no room are counted`() {
    var report = contactsReport()
    let codes: [DiagnosticCode] = [
      .missingCell, .extraCell, .enum, .required, .typeError, .pattern, .length, .outOfRange,
    ]
    for (position, code) in codes.enumerated() { report.faultCounts[code] = Int64(position + 1) }
    let text = "3 records rejected, 36 faults: 8 out-of-range"
    #expect(report.summaryLines(width: text.count + 24)[3] == text + ", 7 length, 6 more codes")
    #expect(report.summaryLines(width: text.count + 23)[3] == text + ", 7 more codes")
    #expect(report.summaryLines(width: 1)[3] == text + ", 7 more codes")
    let wide = report.summaryLines(width: 2_000)[3]
    #expect(wide.hasSuffix("3 enum, 2 extra-cell, 1 missing-cell"))
  }

  @Test func `equal counts stand in the order of the alphabet`() {
    var report = contactsReport()
    report.faultCounts = [.typeError: 1, .enum: 1, .required: 1]
    #expect(report.summaryLines()[3] == "3 records rejected: 1 enum, 1 required, 1 type-error")
  }

  @Test func `a description is cut at the width, a path at its beginning, counts never`() {
    var report = contactsReport()
    report.inputs[0].path = "/" + String(repeating: "long/", count: 40) + "contacts.txt"
    report.entities[0].name = String(repeating: "E", count: 200)
    report.rejectionFiles[0].rejected = "/" + String(repeating: "long/", count: 40) + "contacts.rejected.txt"
    let lines = report.summaryLines(width: 80)
    #expect(lines[0] == "…g/long/long/long/long/long/contacts.txt: delimited text (no other format begin…")
    #expect(lines[0].count == 80)
    #expect(lines[2] == String(repeating: "E", count: 60) + "…: 8 read = 5 inserted + 3 rejected")
    #expect(lines[4].contains(report.rejectionFiles[0].rejected + ", reasons in contacts.rejects.csv"))
  }

  @Test(arguments: [
    (0, "0.01 s"), (4, "0.01 s"), (12, "0.01 s"), (15, "0.02 s"), (999, "1.00 s"), (1_234, "1.23 s"),
    (9_994, "9.99 s"), (9_996, "10.0 s"), (59_949, "59.9 s"), (59_960, "1 min 0 s"), (125_000, "2 min 5 s"),
    (3_599_600, "1 h 0 min"), (3_725_000, "1 h 2 min"), (7_199_000, "2 h 0 min"), (3_600_000_000, "1,000 h 0 min"),
  ])
  func `a time has the unit that suits it`(milliseconds: Int, shown: String) {
    var report = RunReport(command: "load", database: "d")
    report.elapsed = .milliseconds(milliseconds)
    #expect(report.summaryLines() == ["d: committed in " + shown])
  }
}
