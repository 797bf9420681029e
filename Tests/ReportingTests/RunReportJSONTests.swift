import Diagnostics
import Reporting
import Testing

@Suite struct ReportsAsJSON {
  @Test func `a load with rejects has every field`() {
    var report = contactsReport()
    report.warningCounts = [.extraLabel: 1]
    #expect(
      report.json() == #"""
        {
          "version": 1,
          "command": "load",
          "exitStatus": 2,
          "outcome": "committed",
          "committed": true,
          "database": "importer.sqlite",
          "model": {
            "origin": "data-package",
            "path": "fixtures/datapackage.json"
          },
          "settings": [
            {
              "name": "mode",
              "value": "insert",
              "origin": "default"
            },
            {
              "name": "delimiter",
              "value": ";",
              "origin": "detected"
            }
          ],
          "inputs": [
            {
              "path": "contacts.txt",
              "bytes": 172,
              "format": "delimited text",
              "dialect": [
                "';'",
                "comment '#'",
                "no header"
              ],
              "reason": "no other format begins so",
              "encoding": "UTF-8",
              "records": 8,
              "rejected": "contacts.rejected.txt",
              "faults": "contacts.rejects.csv",
              "reloadOptions": []
            }
          ],
          "entities": [
            {
              "name": "Contatto",
              "read": 8,
              "inserted": 5,
              "updated": 0,
              "unchanged": 0,
              "skipped": 0,
              "rejected": 3,
              "filtered": 0,
              "made": 0,
              "deleted": 0
            }
          ],
          "total": {
            "read": 8,
            "inserted": 5,
            "updated": 0,
            "unchanged": 0,
            "skipped": 0,
            "rejected": 3,
            "filtered": 0,
            "made": 0,
            "deleted": 0
          },
          "faults": {
            "missing-cell": 1,
            "required": 2
          },
          "columns": [],
          "elsewhere": 0,
          "examples": [],
          "warnings": {
            "extra-label": 1
          },
          "seconds": 0.012
        }

        """#
    )
  }

  @Test func `a run that read nothing is whole, too`() {
    let report = RunReport(command: "check", database: "d", outcome: .undone(because: "it broke"))
    #expect(
      report.json() == #"""
        {
          "version": 1,
          "command": "check",
          "exitStatus": 0,
          "outcome": "undone",
          "reason": "it broke",
          "committed": false,
          "database": "d",
          "settings": [],
          "inputs": [],
          "entities": [],
          "total": {
            "read": 0,
            "inserted": 0,
            "updated": 0,
            "unchanged": 0,
            "skipped": 0,
            "rejected": 0,
            "filtered": 0,
            "made": 0,
            "deleted": 0
          },
          "faults": {},
          "columns": [],
          "elsewhere": 0,
          "examples": [],
          "warnings": {},
          "seconds": 0.000
        }

        """#
    )
  }

  @Test func `hostile names are escaped, not changed`() {
    var report = contactsReport()
    report.inputs[0].path = "a\"\\\n\u{1B}</script>\u{2028}è"
    report.rejectionFiles[0].input = report.inputs[0].path
    let json = report.json()
    #expect(json.contains(#""path": "a\"\\\n\u001"#))
    #expect(!json.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(json.contains(#""rejected": "contacts.rejected.txt""#))
  }

  @Test func `an input loaded twice has its two pairs in order`() {
    var report = contactsReport()
    report.inputs.append(report.inputs[0])
    report.rejectionFiles.append(
      RejectionLog.Files(input: "contacts.txt", rejected: "contacts.rejected-2.txt", faults: "contacts.rejects-2.csv")
    )
    let kept = report.json().split(separator: "\n").filter { $0.contains("\"rejected\": \"") }.map {
      $0.filter { $0 != " " }
    }
    #expect(kept == [#""rejected":"contacts.rejected.txt","#, #""rejected":"contacts.rejected-2.txt","#])
  }

  @Test func `each outcome and each origin of a model has a word of its own`() {
    let outcomes: [(RunReport.Outcome, String)] = [
      (.committed, "committed"), (.checked, "checked"), (.unchanged(because: "x"), "unchanged"),
      (.undone(because: "x"), "undone"), (.stopped(because: "x", committedCount: 7), "stopped"),
    ]
    for (outcome, word) in outcomes {
      let json = contactsReport(outcome: outcome).json()
      #expect(json.contains("\"outcome\": \"\(word)\""))
      #expect(json.contains("\"committed\": \(word == "committed")"))
      #expect(json.contains("\"reason\": \"x\"") == ["unchanged", "undone", "stopped"].contains(word))
      #expect(json.contains("\"committedRecords\": 7") == (word == "stopped"))
    }
    let models: [(RunReport.Model, String)] = [
      (.told(path: "m"), "told"), (.dataPackage(path: "m"), "data-package"), (.database, "database"),
      (.inferred, "inferred"),
    ]
    for (model, word) in models {
      var report = contactsReport()
      report.model = model
      #expect(report.json().contains("\"origin\": \"\(word)\""))
    }
  }
}
