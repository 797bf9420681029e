import Reporting
import TestSupport
import Testing

@Suite struct LawTwo {
  @Test func `an entity that loses a record is named`() {
    var report = contactsReport()
    #expect(report.imbalance == nil)
    report.entities[0].inserted = 4
    #expect(report.imbalance == "'Contatto': 8 records were read, but 7 are accounted for")
    #expect(!report.entities[0].isBalanced)
  }

  @Test func `two entities cannot lend records to each other`() {
    var report = contactsReport()
    report.entities.append(EntityCounts(name: "Altro\n"))
    report.entities[1].inserted = 1
    report.entities[0].inserted = 4
    #expect(report.imbalance?.hasPrefix("'Contatto'") == true)
    report.entities.swapAt(0, 1)
    #expect(report.imbalance == #"'Altro\n': 0 records were read, but 1 are accounted for"#)
  }

  @Test func `a record that no entity has counted is missed`() {
    var report = contactsReport()
    report.inputs[0].recordCount = 9
    #expect(report.imbalance == "the inputs hold 9 records, but 8 are counted for the entities")
  }

  @Test func `rows made along the way are not part of the sum`() {
    var report = contactsReport()
    report.entities[0].made = 1_000
    report.entities[0].deleted = 2_000
    #expect(report.imbalance == nil)
    #expect(report.total.made == 1_000)
    #expect(report.total.deleted == 2_000)
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func `any of the six counts tips the balance`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var report = RunReport(command: "load", database: "d")
    for number in 0..<Int.random(in: 1...5, using: &random) {
      var counts = EntityCounts(name: "E\(number)")
      counts.inserted = .random(in: 0...1_000_000_000_000, using: &random)
      counts.updated = .random(in: 0...9, using: &random)
      counts.unchanged = .random(in: 0...9, using: &random)
      counts.skipped = .random(in: 0...9, using: &random)
      counts.rejected = .random(in: 0...9, using: &random)
      counts.filtered = .random(in: 0...9, using: &random)
      counts.read = counts.accountedFor
      report.entities.append(counts)
      report.inputs.append(RunReport.Input(path: "f\(number)", format: "CSV"))
      report.inputs[number].recordCount = counts.read
    }
    #expect(report.imbalance == nil)
    #expect(report.total.isBalanced)
    let counts: [WritableKeyPath<EntityCounts, Int64>] = [
      \.read, \.inserted, \.updated, \.unchanged, \.skipped, \.rejected, \.filtered,
    ]
    for count in counts {
      var wrong = report
      wrong.entities[Int.random(in: wrong.entities.indices, using: &random)][keyPath: count] += 1
      #expect(wrong.imbalance != nil)
    }
  }
}
