import Diagnostics
import Reporting

/// The load of the faulty contacts: 8 records, 3 of them rejected.
func contactsReport(outcome: RunReport.Outcome = .committed) -> RunReport {
  var report = RunReport(command: outcome == .checked ? "check" : "load", database: "importer.sqlite", outcome: outcome)
  var input = RunReport.Input(path: "contacts.txt", format: "delimited text")
  input.byteCount = 172
  input.dialect = ["';'", "comment '#'", "no header"]
  input.reason = "no other format begins so"
  input.recordCount = 8
  report.inputs = [input]
  report.model = .dataPackage(path: "fixtures/datapackage.json")
  report.settings = [
    RunReport.Setting("mode", "insert", .default), RunReport.Setting("delimiter", ";", .detected),
  ]
  var counts = EntityCounts(name: "Contatto")
  counts.read = 8
  counts.inserted = 5
  counts.rejected = 3
  report.entities = [counts]
  report.faultCounts = [.missingCell: 1, .required: 2]
  report.rejectionFiles = [
    RejectionLog.Files(input: "contacts.txt", rejected: "contacts.rejected.txt", faults: "contacts.rejects.csv")
  ]
  report.elapsed = .milliseconds(12)
  report.exitStatus = 2
  return report
}

/// A load of many files into many entities, with so many of them rejected.
func largeReport(files: Int, entities: Int, withRejects: Int) -> RunReport {
  var report = RunReport(command: "load", database: "big.sqlite")
  report.model = .inferred
  for number in 1...files {
    var input = RunReport.Input(path: "data/part-\(number).csv", format: "CSV")
    input.recordCount = 1_000_000
    report.inputs.append(input)
  }
  let read = Int64(files) * 1_000_000
  for number in 1...entities {
    var counts = EntityCounts(name: "Entity\(number)")
    counts.read = number == 1 ? read : 0
    counts.inserted = number == 1 ? read - Int64(withRejects) : 0
    counts.rejected = number == 1 ? Int64(withRejects) : 0
    report.entities.append(counts)
  }
  for number in 0..<withRejects {
    report.rejectionFiles.append(
      RejectionLog.Files(
        input: "data/part-\(number + 1).csv",
        rejected: "data/part-\(number + 1).rejected.csv",
        faults: "data/part-\(number + 1).rejects.csv"
      )
    )
  }
  if withRejects > 0 { report.faultCounts = [.typeError: Int64(withRejects)] }
  report.elapsed = .seconds(754)
  return report
}
