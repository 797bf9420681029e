import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

/// A seeded file of every type, with missing values and values that nearly collide.
private func randomRecords(using random: inout SplitMix64) -> String {
  func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
  var text = "k,t,n,x,d,b,day,at,p\n"
  for key in 0..<Int.random(in: 0...40, using: &random) {
    let cells = [
      String(key), pick(["", "\"\"", "Perché", "perche", "PERCHÉ!", "a_b%", "ß", "SS", "é", "e\u{301}", "日本"]),
      pick(["", "0", "-1", "2", "9007199254740993", "9007199254740992", "-9223372036854775808"]),
      pick(["", "0.0", "0.5", "2.0", "-1.5", "9007199254740992.0", "1e300"]),
      pick(["", "0.00", "10.50", "-10.50", "2.00", "123456789012345678.01", "123456789012345678.02"]),
      pick(["", "true", "false"]), pick(["", "2013-01-31", "2012-12-31", "0001-01-01"]),
      pick(["", "2013-01-31T00:00:00Z", "2013-01-31T01:00:00+01:00", "2013-01-31T00:00:00.5Z", "2012-12-31T23:00:00"]),
      pick(["", "0.00", "10.50", "-10.50", "2.00", "2.01", "-1.00", "12345678.90"]),
    ]
    text += cells.joined(separator: ",") + "\n"
  }
  return text
}

/// A seeded condition over those columns.
private func randomCondition(using random: inout SplitMix64, depth: Int = 0) -> String {
  func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
  switch Int.random(in: 0..<(depth < 3 ? 10 : 6), using: &random) {
  case 6, 7: return "NOT (" + randomCondition(using: &random, depth: depth + 1) + ")"
  case 8, 9:
    let left = randomCondition(using: &random, depth: depth + 1)
    return "(" + left + pick([" AND ", " OR "]) + randomCondition(using: &random, depth: depth + 1) + ")"
  default: break
  }
  let sign = pick(["==", "!=", "<", "<=", ">", ">="])
  let numbers = [
    "0", "-1", "2", "0.5", "2.00", "9007199254740993", "9007199254740992", "1e300", "123456789012345678.01",
    "-10.5", "2.01", "+2",
  ]
  let texts = ["'Perché'", "'perche'", "'e'", "'ß'", "'%'", "''", "'ss'"]
  switch Int.random(in: 0..<9, using: &random) {
  case 0:
    let options = pick(["", "[c]", "[d]", "[cd]"])
    return "t \(pick(["==", "!=", "<", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH"]))\(options) \(pick(texts))"
  case 1: return "t LIKE\(pick(["", "[cd]"])) \(pick(["'p*'", "'?'", "'a_b%'", "'*é'", "'S*'"]))"
  case 2: return "t MATCHES\(pick(["", "[c]", "[cd]"])) \(pick(["'p.*'", "'[A-Z].+'", "'.'"]))"
  case 3: return "\(pick(["n", "x", "d", "p"])) \(sign) \(pick(numbers))"
  case 4: return "\(pick(["n", "x", "d", "p"])) BETWEEN {\(pick(numbers)), \(pick(numbers))}"
  case 5: return "\(pick(["n", "x", "d", "p"])) IN {\(pick(numbers)), NULL, \(pick(numbers))}"
  case 6: return "\(pick(["t", "n", "x", "d", "p", "b", "day", "at"])) \(pick(["==", "!="])) NULL"
  case 7:
    return pick([
      "b == TRUE", "b != FALSE", "day \(sign) '2013-01-31'", "at \(sign) '2013-01-31T00:00:00Z'",
      "t IN[cd] {'SS', 'e'}",
    ])
  default: return "\(pick(["n", "x", "d", "p"])) \(sign) \(pick(["n", "d", "x", "p"]))"
  }
}

@Suite struct Filters {
  private let folder = Folder()

  private func load(into database: String, where filter: String?, mode: LoadJob.Mode) throws -> LoadOutcome {
    var job = LoadJob(inputs: [folder("t.csv")], database: folder(database))
    job.reading.header = .lines(1)
    job.reading.delimiter = ","
    job.reading.quote = .text("\"")
    job.model.key = ["k"]
    job.model.types = [
      .init(column: "k", type: .integer(bits: 64)), .init(column: "t", type: .text),
      .init(column: "n", type: .integer(bits: 64)), .init(column: "x", type: .double),
      .init(column: "d", type: .decimal(precision: 20, scale: 2)), .init(column: "b", type: .boolean),
      .init(column: "p", type: .decimal(precision: 10, scale: 2)),
      .init(column: "day", type: .date), .init(column: "at", type: .datetime),
    ]
    job.filter = filter
    job.mode = mode
    return try job.run(diagnostics: Collected())
  }

  private func export(_ database: String, where filter: String?) throws -> String {
    var job = ExportJob(database: folder(database))
    job.filter = filter
    job.output = folder("out.csv")
    _ = try job.run()
    return String(decoding: folder.read("out.csv") ?? [], as: UTF8.self)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `what a filtered load stores is what a filtered export of a whole load writes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let text = randomRecords(using: &random)
    folder.write(text, to: "t.csv")
    let all = try load(into: "all.sqlite", where: nil, mode: .insert)
    #expect(all.rejectedCount == 0)
    for number in 0..<3 {
      let condition = randomCondition(using: &random)
      let mode = [LoadJob.Mode.insert, .upsert].randomElement(using: &random) ?? .insert
      let some = try load(into: "some-\(number).sqlite", where: condition, mode: mode)
      #expect(some.rejectedCount == 0)
      #expect(try export("some-\(number).sqlite", where: nil) == export("all.sqlite", where: condition), "\(condition)")
    }
  }
}
