import DatabaseTestSupport
import EntityModel
import ImporterKit
import JSONSyntax
import TestSupport
import Testing

/// A seeded file of records with a key and a number, of which some have a fault that costs them alone.
private struct FaultyFile {
  /// What stands around the records.
  var opening = ""
  var closing = ""
  /// The records with the line ends that are theirs, and whether they are sound.
  var records: [(text: String, key: Int, number: Int, isSound: Bool)] = []
  let name: String
  let format: FileFormat

  init(_ format: FileFormat, using random: inout SplitMix64) {
    self.format = format
    name = "t." + (format == .text ? "txt" : format.rawValue)
    switch format {
    case .csv: opening = "k,n\n"
    case .xml: (opening, closing) = ("<r>\n", "</r>\n")
    case .text: opening = "%rec: t\n\n"
    default: break
    }
    let count = Int.random(in: 1...60, using: &random)
    for key in 0..<count {
      // The first one, whose key others repeat, is never left out by a condition, nor are they.
      let number = key == 0 ? 9 : Int.random(in: -9...9, using: &random)
      // The first one shows what the file is, and the last one that it has not broken off.
      let isSound = key == 0 || key == count - 1 || Int.random(in: 0..<4, using: &random) > 0
      let text = isSound ? Self.sound(format, key, number) : Self.faulty(format, key, number, using: &random)
      records.append((text, key, number, isSound))
    }
  }

  var text: String { opening + records.map(\.text).joined(separator: format == .text ? "\n" : "") + closing }

  private static func sound(_ format: FileFormat, _ key: Int, _ number: Int) -> String {
    switch format {
    case .csv: "\(key),\(number)\n"
    case .xml: "  <t><k>\(key)</k><n>\(number)</n></t>\n"
    case .text: "k: \(key)\nn: \(number)\n"
    default: "{\"k\": \(key), \"n\": \(number)}\n"
    }
  }

  private static func faulty(
    _ format: FileFormat,
    _ key: Int,
    _ number: Int,
    using random: inout SplitMix64
  ) -> String {
    func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    let value = pick(["x", "1.5", "99999999999999999999", "é", "1 ", "--"])
    switch format {
    case .csv:
      return pick(["\(key),\(value)", "\(key)", "\(key),1,2", "0,1", "\(key),\"1\"2", "\(key),\u{0}", "x,1"])
        + "\n"
    case .xml:
      return pick([
        "  <t><k>\(key)</k><n>\(value)</n></t>\n", "  <t><k>0</k><n>1</n></t>\n", "  <t><k/><n>1</n></t>\n",
      ])
    case .text:
      return pick([
        "k: \(key)\nn: \(value)\n", "k: 0\nn: 1\n", "n: 1\n", "k: \(key)\nn: 1\nno key\n",
        "k: \(key)\n# c\nn: 1\n+ 2\n",
      ])
    default:
      return pick([
        "{\"k\": \(key), \"n\": \"\(value)\"}\n", "{\"k\": 0, \"n\": 1}\n", "{\"k\": \(key), \"n\": 1, \"k\": 2}\n",
        "{\"k\": \(key), \"n\"}\n", "[1]\n", "{\"n\": 1}\n", "{\"k\": \(key), \"n\": [1]}\n",
      ])
    }
  }
}

@Suite struct LoadLaws {
  /// The counts of all entities together.
  private func total(_ outcome: LoadOutcome) -> [String: Int64] {
    let members = (try? JSONParser.parse(Array(outcome.json.utf8).span))?["total"]?.members ?? []
    var result: [String: Int64] = [:]
    for member in members { result[member.name] = member.value.integer.map { Int64($0) } }
    return result
  }

  private func job(_ file: FaultyFile, in folder: Folder, isCheck: Bool) -> LoadJob {
    var job = LoadJob(inputs: [folder(file.name)], database: folder("t.sqlite"))
    job.isCheck = isCheck
    job.reading.format = file.format
    if file.format == .csv { job.reading.header = .lines(1) }
    if file.format == .xml { job.reading.recordPath = "t" }
    job.model.entity = "t"
    job.model.types = ["k", "n"].map { ModelOptions.TypedColumn(column: $0, type: .integer(bits: 64)) }
    job.model.key = ["k"]
    job.model.required = ["k"]
    return job
  }

  @Test(arguments: LawSeeds.parts(), [FileFormat.csv, .text, .xml, .ndjson])
  func `laws 1 and 2: what is kept, stored and left out is the file, and a check says what the load does`(
    seeds: Range<UInt64>,
    format: FileFormat
  ) throws {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let file = FaultyFile(format, using: &random)
      let folder = Folder(inMemory: true)
      folder.write(file.text, to: file.name)
      let bound = seed % 3 == 0 ? Int.random(in: -9...1, using: &random) : nil
      let name = "seed \(seed), \(format.rawValue)"
      var outcomes: [(LoadOutcome, Collected)] = []
      for isCheck in [true, false] {
        var job = job(file, in: folder, isCheck: isCheck)
        job.filter = bound.map { "n >= \($0)" }
        let collected = Collected()
        outcomes.append((try job.run(diagnostics: collected), collected))
        if isCheck { for kept in folder.names where kept.contains(".reject") { folder.remove(kept) } }
      }
      let (check, load) = (outcomes[0].0, outcomes[1].0)
      #expect(check.exitStatus == load.exitStatus && total(check) == total(load), "\(name)")
      #expect(outcomes[0].1.all == outcomes[1].1.all, "\(name)")
      let counts = total(load)
      let faulty = file.records.filter { !$0.isSound }
      let sound = file.records.filter(\.isSound)
      let stored = sound.filter { $0.number >= bound ?? .min }
      #expect(counts["read"] == Int64(file.records.count), "\(name): \(counts)")
      #expect(counts["rejected"] == Int64(faulty.count), "\(name): \(counts)")
      #expect(counts["inserted"] == Int64(stored.count), "\(name): \(counts)")
      #expect(counts["filtered"] == Int64(sound.count - stored.count), "\(name): \(counts)")
      var export = ExportJob(database: folder("t.sqlite"))
      export.output = folder("stored.csv")
      if !stored.isEmpty {
        _ = try export.run()
        let rows = "k,n\n" + stored.map { "\($0.key),\($0.number)\n" }.joined()
        #expect(folder.read("stored.csv") == Array(rows.utf8), "\(name)")
      }
      try checkKept(faulty.map(\.text), of: file, in: folder, name)
    }
  }

  /// The rejects hold these records, one behind the other, byte for byte, and what stands around them is no record.
  private func checkKept(_ texts: [String], of file: FaultyFile, in folder: Folder, _ name: String) throws {
    let kept = folder.names.first { $0.contains(".rejected.") }
    guard !texts.isEmpty else {
      #expect(kept == nil, "\(name)")
      return
    }
    var rest = Substring(String(decoding: folder.read(kept ?? "") ?? [], as: UTF8.self))
    var around = ""
    for text in texts {
      // The framing brings the blanks before an element.
      let record = text.drop { $0 == " " }.split(separator: "\n").joined(separator: "\n")
      guard let range = rest.firstRange(of: record) else {
        Issue.record("\(name): \(record.debugDescription) is not kept")
        return
      }
      around += rest[..<range.lowerBound]
      rest = rest[range.upperBound...]
    }
    around += rest
    let left = around.replacing("k,n", with: "").replacing("%rec: t", with: "").replacing("<r>", with: "")
      .replacing("</r>", with: "").replacing("%key: k", with: "")
    #expect(left.allSatisfy { $0 == "\n" || $0 == " " }, "\(name): \(left.debugDescription)")
  }

  @Test(arguments: LawSeeds.parts())
  func `law 2: every record of every mode is counted once, and a check counts the same`(seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let folder = Folder(inMemory: true)
      var before = "CREATE TABLE t (k INTEGER PRIMARY KEY, n INTEGER, m INTEGER DEFAULT 5);\n"
      for key in 0..<20 where Bool.random(using: &random) {
        before += "INSERT INTO t VALUES (\(key), \(key % 3), NULL);\n"
      }
      #expect(execute(before, onDatabase: folder("t.sqlite")))
      var text = "k,n\n"
      var count: Int64 = 0
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let key = Int.random(in: 0...20, using: &random)
        text +=
          ["\(key),\(key % 3)\n", "\(key),\n", "\(key),7\n", "\(key),x\n", ",1\n", "\(key)\n"].randomElement(
            using: &random
          ) ?? ""
        count += 1
      }
      folder.write(text, to: "t.csv")
      let modes: [LoadJob.Mode] = [.insert, .skip, .upsert, .update, .replace, .sync]
      let mode = modes.randomElement(using: &random) ?? .insert
      var counts: [[String: Int64]] = []
      var told: [Collected] = []
      for isCheck in [true, false] {
        var job = LoadJob(inputs: [folder("t.csv")], database: folder("t.sqlite"))
        job.isCheck = isCheck
        job.mode = mode
        job.deleteLimit = .percent(100)
        job.reading.header = .lines(1)
        job.reading.delimiter = ","
        if seed % 3 == 1 { job.filter = "n != 1" }
        let collected = Collected()
        counts.append(total(try job.run(diagnostics: collected)))
        told.append(collected)
      }
      let name = "seed \(seed), \(mode)"
      #expect(counts[0] == counts[1] && told[0].all == told[1].all, "\(name): \(counts)")
      let sum = ["inserted", "updated", "unchanged", "skipped", "rejected", "filtered"].reduce(Int64(0)) {
        $0 + (counts[1][$1] ?? 0)
      }
      #expect(counts[1]["read"] == sum && sum == count, "\(name): \(counts[1])")
    }
  }
}
