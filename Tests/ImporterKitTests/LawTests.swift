import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

/// A seeded table as CSV, with every kind of trouble a valid file may hold.
private func randomCSV(using random: inout SplitMix64) -> String {
  let names = ["a", "b c", "d\"e", "été", "select", "x:y", "1st", "_x0020_", "<n>"].shuffled(using: &random)
  let columns = Array(names.prefix(Int.random(in: 1...5, using: &random)))
  let kinds = columns.map { _ in Int.random(in: 0..<6, using: &random) }
  let pieces = [
    "x", "é", "日本", " ", "\"\"", ",", "\n", "\r\n", "\r", "\t", "\u{1}", "]]>", "&amp;", "<b>", "#", ":", "+", "%",
    "\u{FEFF}", "🎉",
  ]
  func cell(_ kind: Int) -> String {
    if Int.random(in: 0..<5, using: &random) == 0 { return ["", "\"\""].randomElement(using: &random) ?? "" }
    switch kind {
    case 0: return String(Int64.random(in: .min ... .max, using: &random))
    case 1: return "\(Int.random(in: -99...99, using: &random)).\(Int.random(in: 10...99, using: &random))"
    case 2: return Bool.random(using: &random) ? "true" : "false"
    case 3:
      return
        "20\(Int.random(in: 10...99, using: &random))-0\(Int.random(in: 1...9, using: &random))-1\(Int.random(in: 0...9, using: &random))"
    default:
      let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      return "\"\(text)\""
    }
  }
  func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
  var text = columns.map(quoted).joined(separator: ",") + "\n"
  for _ in 0..<Int.random(in: 0...12, using: &random) { text += kinds.map(cell).joined(separator: ",") + "\n" }
  return text
}

@Suite struct Laws {
  private let folder = Folder(inMemory: true)

  private func export(_ database: String, to output: String, as format: FileFormat) throws {
    var job = ExportJob(database: folder(database))
    job.format = format
    job.output = folder(output)
    _ = try job.run()
  }

  @Test(arguments: LawSeeds.parts()) func `law 3: what goes out in any format comes in again as the same`(
    seeds: Range<UInt64>
  ) throws {
    for seed in seeds {
      try Laws().checkRoundTrip(seed)
      if Task.isCancelled { return }
    }
  }

  private func checkRoundTrip(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    folder.write(randomCSV(using: &random), to: "t.csv")
    var first = LoadJob(inputs: [folder("t.csv")], database: folder("first.sqlite"))
    first.reading.header = .lines(1)
    first.reading.delimiter = ","
    first.reading.quote = .text("\"")
    first.reading.comment = ReadingOptions.Mark.none
    let loaded = try first.run(diagnostics: Collected())
    #expect(loaded.rejectedCount == 0)
    try export("first.sqlite", to: "first.csv", as: .csv)
    for format in [FileFormat.csv, .tsv, .text, .xml, .json, .ndjson] {
      let name = "out.\(format.rawValue)"
      do {
        try export("first.sqlite", to: name, as: format)
      } catch WriteError.cannotHold {
        // Text records have no spelling for a name with a colon; nothing was damaged.
        #expect(format == .text)
        continue
      }
      var again = LoadJob(inputs: [folder(name)], database: folder("second-\(format.rawValue).sqlite"))
      again.reading.format = format
      again.model.modelFile = folder("first.sqlite")
      again.usesDefaults = false
      let collected = Collected()
      let outcome = try again.run(diagnostics: collected)
      #expect(outcome.rejectedCount == 0, "seed \(seed), \(format) \(collected.all.map(\.message))")
      try export("second-\(format.rawValue).sqlite", to: "second.csv", as: .csv)
      #expect(folder.read("second.csv") == folder.read("first.csv"), "seed \(seed), \(format)")
    }
  }

  @Test(arguments: LawSeeds.parts())
  func `laws 1 and 2: accepted and rejected records are the input, byte for byte`(
    seeds: Range<UInt64>
  ) throws {
    for seed in seeds {
      try Laws().checkPartition(seed)
      if Task.isCancelled { return }
    }
  }

  private func checkPartition(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var lines: [String] = []
    for index in 0..<Int.random(in: 1...200, using: &random) {
      let faults = [
        "\(index),x", "\(index)", "\(index),1,2", "\(index),\"1", "k,1", "\(index),\u{0}",
        "\(index),99999999999999999999",
      ]
      lines.append(Bool.random(using: &random) ? "\(index),\(index)" : faults.randomElement(using: &random) ?? "")
    }
    folder.write("k,n\n" + lines.map { $0 + "\n" }.joined(), to: "t.csv")
    func job(isCheck: Bool) -> LoadJob {
      var job = LoadJob(inputs: [folder("t.csv")], database: folder("t.sqlite"))
      job.isCheck = isCheck
      job.reading.header = .lines(1)
      job.model.types = [ModelOptions.TypedColumn(column: "n", type: .integer(bits: 64))]
      job.model.key = ["k"]
      return job
    }
    let checked = Collected()
    let check = try job(isCheck: true).run(diagnostics: checked)
    let stored = Collected()
    let load = try job(isCheck: false).run(diagnostics: stored)
    #expect(check.exitStatus == load.exitStatus && check.rejectedCount == load.rejectedCount, "seed \(seed)")
    #expect(checked.all == stored.all, "seed \(seed)")
    var export = ExportJob(database: folder("t.sqlite"))
    export.output = folder("accepted.csv")
    export.header = .no
    let accepted = try export.run()
    let kept = folder.read("t.rejected.csv").map { String(decoding: $0, as: UTF8.self) } ?? "k,n\n"
    let rejected = kept.split(separator: "\n").dropFirst().map(String.init)
    #expect(Int64(lines.count) == accepted + load.rejectedCount, "seed \(seed)")
    let rows = String(decoding: folder.read("accepted.csv") ?? [], as: UTF8.self).split(separator: "\n").map(
      String.init
    )
    #expect((rows + rejected).sorted() == lines.sorted(), "seed \(seed)")
  }
}
