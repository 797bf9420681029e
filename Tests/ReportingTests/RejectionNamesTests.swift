import EntityModel
import Reporting
import Testing

@Suite struct NamesOfRejects {
  struct Case: CustomTestStringConvertible, Sendable {
    let input: String
    var format = FileFormat.text
    var folder: String?
    var number = 1
    let rejected: String
    let faults: String
    var testDescription: String { input + " → " + rejected }
  }

  static let cases = [
    Case(input: "contacts.txt", rejected: "contacts.rejected.txt", faults: "contacts.rejects.csv"),
    Case(input: "contacts.txt", number: 2, rejected: "contacts.rejected-2.txt", faults: "contacts.rejects-2.csv"),
    Case(input: "a/b/contacts.csv", rejected: "a/b/contacts.rejected.csv", faults: "a/b/contacts.rejects.csv"),
    Case(input: "/contacts.xml", rejected: "/contacts.rejected.xml", faults: "/contacts.rejects.csv"),
    Case(input: "a/x.csv", folder: "out", rejected: "out/x.rejected.csv", faults: "out/x.rejects.csv"),
    Case(input: "a/x.csv", folder: "out/", rejected: "out/x.rejected.csv", faults: "out/x.rejects.csv"),
    Case(input: "a/x.csv", folder: "", rejected: "a/x.rejected.csv", faults: "a/x.rejects.csv"),
    Case(input: "contacts", rejected: "contacts.rejected", faults: "contacts.rejects.csv"),
    Case(input: "a.b/contacts", rejected: "a.b/contacts.rejected", faults: "a.b/contacts.rejects.csv"),
    Case(input: ".contacts", rejected: ".contacts.rejected", faults: ".contacts.rejects.csv"),
    Case(input: "2024.05.txt", rejected: "2024.05.rejected.txt", faults: "2024.05.rejects.csv"),
    Case(input: "feed.csv.gz", rejected: "feed.rejected.csv", faults: "feed.rejects.csv"),
    Case(input: "FEED.CSV.GZ", rejected: "FEED.rejected.CSV", faults: "FEED.rejects.csv"),
    Case(input: "feed.gz", rejected: "feed.rejected", faults: "feed.rejects.csv"),
    Case(input: ".gz", rejected: ".gz.rejected", faults: ".gz.rejects.csv"),
    Case(input: "-", rejected: "stdin.rejected.txt", faults: "stdin.rejects.csv"),
    Case(input: "-", format: .xml, rejected: "stdin.rejected.xml", faults: "stdin.rejects.csv"),
    Case(input: "-", format: .ndjson, folder: "o", rejected: "o/stdin.rejected.ndjson", faults: "o/stdin.rejects.csv"),
    Case(input: "/dev/stdin", format: .csv, rejected: "stdin.rejected.csv", faults: "stdin.rejects.csv"),
    Case(input: "/dev/fd/63", format: .tsv, rejected: "stdin.rejected.tsv", faults: "stdin.rejects.csv"),
    Case(input: "/dev/shm/a.csv", format: .csv, rejected: "/dev/shm/a.rejected.csv", faults: "/dev/shm/a.rejects.csv"),
    Case(input: "c.rejected.txt", rejected: "c.rejected.txt", faults: "c.rejects.csv"),
    Case(input: "c.rejected-7.txt", rejected: "c.rejected.txt", faults: "c.rejects.csv"),
    Case(input: "c.rejected", rejected: "c.rejected", faults: "c.rejects.csv"),
    Case(input: "c.rejected-1.txt", rejected: "c.rejected-1.rejected.txt", faults: "c.rejected-1.rejects.csv"),
    Case(input: "c.rejected-02.txt", rejected: "c.rejected-02.rejected.txt", faults: "c.rejected-02.rejects.csv"),
    Case(input: "c.rejects.csv", rejected: "c.rejects.rejected.csv", faults: "c.rejects.rejects.csv"),
    Case(input: "rejected.txt", rejected: "rejected.rejected.txt", faults: "rejected.rejects.csv"),
    Case(input: ".rejected.txt", rejected: ".rejected.rejected.txt", faults: ".rejected.rejects.csv"),
    Case(input: "a\n'\u{1B}.txt", rejected: "a\n'\u{1B}.rejected.txt", faults: "a\n'\u{1B}.rejects.csv"),
  ]

  @Test(arguments: cases) func `the files are named after the input`(_ example: Case) {
    let names = RejectionNames(input: example.input, format: example.format, folder: example.folder)
    #expect(names.rejected(number: example.number) == example.rejected)
    #expect(names.faults(number: example.number) == example.faults)
  }

  @Test(arguments: ["x", "é", "😀"]) func `a long name is cut so that a file can have it`(_ letter: String) {
    let name = String(repeating: letter, count: 250 / letter.utf8.count) + ".csv"
    let names = RejectionNames(input: "a/" + name, format: .csv)
    #expect(names.rejected(number: 1_000_000).utf8.count <= 255 + 2)
    #expect(names.rejected(number: 1).hasSuffix(letter + ".rejected.csv"))
    #expect(names.rejected(number: 1).utf8.count > 240)
  }

  @Test(arguments: [
    ("contacts.rejected.txt", "contacts.txt"), ("a/contacts.rejected-12.txt", "a/contacts.txt"),
    ("contacts.rejected", "contacts"), ("contacts.txt", "contacts.txt"), ("-", "-"),
    ("contacts.rejects.csv", "contacts.rejects.csv"), (".rejected.txt", ".rejected.txt"),
  ])
  func `a mended file is known by its input's name`(path: String, original: String) {
    #expect(RejectionNames.original(of: path) == original)
  }

  @Test(arguments: [
    ("contacts.rejected.txt", true), ("a/contacts.rejected-2.txt", true), ("contacts.rejected", true),
    ("contacts.rejects.csv", true), ("contacts.rejects-3.csv", true), ("contacts.rejects.txt", false),
    ("contacts.txt", false), ("rejected.txt", false), ("contacts.rejected/a.txt", false), ("", false),
    ("contacts.rejected-x.txt", false),
  ])
  func `rejects are told from inputs by their names`(path: String, isRejects: Bool) {
    #expect(RejectionNames.isRejectionFile(path) == isRejects)
  }
}
