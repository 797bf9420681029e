import DatabaseTestSupport
import Diagnostics
import EntityModel
import ImporterKit
import JSONSyntax
import TestSupport
import Testing

/// Loads that commit by batches, stopped after any of them, and again, end like one that nothing stops.
@Suite struct ResumeLaw {
  /// A seeded file of records that refer to one another, of which some have faults or the key of another.
  private func text(_ format: FileFormat, using random: inout SplitMix64) -> String {
    var records: [String] = []
    let count = Int.random(in: 1...90, using: &random)
    for position in 0..<count {
      func isOneIn(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }
      let key = isOneIn(9) ? Int.random(in: 0...count, using: &random) : position
      let number = isOneIn(12) ? "x" : "\(Int.random(in: -9...9, using: &random))"
      let up = isOneIn(3) ? "\(Int.random(in: 0...count + 1, using: &random))" : nil
      switch format {
      case .csv: records.append("\(key),\(number),\(up ?? "")\n")
      case .xml:
        records.append("  <t><k>\(key)</k><n>\(number)</n>\(up.map { "<up>\($0)</up>" } ?? "")</t>\n")
      case .text: records.append("k: \(key)\nn: \(number)\n\(up.map { "up: \($0)\n" } ?? "")\n")
      default: records.append("{\"k\": \(key), \"n\": \"\(number)\", \"up\": \(up ?? "null")}\n")
      }
    }
    let (opening, closing) =
      switch format {
      case .csv: ("k,n,up\n", "")
      case .xml: ("<r>\n", "</r>\n")
      case .text: ("%rec: t\n\n", "")
      default: ("", "")
      }
    return opening + records.joined() + closing
  }

  private static let schema = """
    {"name": "t", "fields": [{"name": "k", "type": "integer"}, {"name": "n", "type": "integer"},
    {"name": "up", "type": "integer"}], "primaryKey": "k",
    "foreignKeys": [{"fields": "up", "reference": {"resource": "", "fields": "k"}}]}
    """

  /// The files of rejects of a number in a folder, by what their names are without it.
  private func rejects(_ folder: Folder, _ name: String, number: Int, suffix: String) -> [String: [UInt8]] {
    let mark = number > 1 ? "-\(number)" : ""
    var files: [String: [UInt8]] = [:]
    files["rejected"] = folder.read("\(name)/t.rejected\(mark).\(suffix)")
    files["rejects"] = folder.read("\(name)/t.rejects\(mark).csv")
    return files
  }

  private func counts(_ outcome: LoadOutcome) -> JSONValue? {
    (try? JSONParser.parse(Array(outcome.json.utf8).span))?["total"]
  }

  @Test(arguments: LawSeeds.parts(), [FileFormat.csv, .xml, .text, .ndjson])
  func `a load that is stopped after any batch ends like an undisturbed one`(
    seeds: Range<UInt64>,
    format: FileFormat
  ) throws {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let folder = Folder(inMemory: true)
      let input = "t." + (format == .text ? "txt" : format.rawValue)
      folder.write(text(format, using: &random), to: input)
      folder.write(Self.schema, to: "m.json")
      var job = LoadJob(inputs: [folder(input)], database: folder("whole.sqlite"))
      job.reading.format = format
      if format == .xml { job.reading.recordPath = "t" }
      job.model.entity = "t"
      job.model.modelFile = folder("m.json")
      job.mode = [LoadJob.Mode.insert, .upsert, .skip].randomElement(using: &random) ?? .insert
      job.orphans = LoadJob.Orphans.allCases.randomElement(using: &random) ?? .reject
      job.commitEvery = Int64.random(in: 1...12, using: &random)
      job.rejectsFolder = folder("whole")
      let told = Collected()
      let whole = try job.run(diagnostics: told)
      job.database = folder("parts.sqlite")
      job.rejectsFolder = folder("parts")
      let name = "seed \(seed), \(format.rawValue), \(job.mode), \(job.orphans), \(job.commitEvery ?? 0)"
      var stops = 0
      while true {
        // Each time a little later, so that it comes to its end.
        let last = Int.random(in: 1...3, using: &random) + stops
        var batches = 0
        let cancellation = Cancellation()
        let collected = Collected()
        do {
          let outcome = try job.run(diagnostics: collected, cancellation: cancellation) { _ in
            batches += 1
            if batches == last { cancellation.request(signal: 2) }
          }
          #expect(counts(outcome) == counts(whole), "\(name)")
          #expect(outcome.exitStatus == whole.exitStatus, "\(name)")
          #expect(collected.all == told.all, "\(name)")
          break
        } catch let failure as any RunFailure {
          // What is no interruption would come again and again.
          try #require(failure.kind.exitStatus == 130, "\(name): \(failure)")
          #expect(danglingReferences(inDatabase: folder("parts.sqlite")).isEmpty, "\(name)")
          stops += 1
        }
      }
      #expect(
        allRows(ofDatabase: folder("parts.sqlite")) == allRows(ofDatabase: folder("whole.sqlite")),
        "\(name), \(stops) stops"
      )
      // Runs that are stopped before their first commit leave rejects of their own.
      let suffix = String(input.dropFirst(2))
      let expected = rejects(folder, "whole", number: 1, suffix: suffix)
      let found = (1...stops + 1).map { rejects(folder, "parts", number: $0, suffix: suffix) }
      #expect(found.last { !$0.isEmpty } ?? [:] == expected, "\(name), \(stops) stops")
    }
  }
}
