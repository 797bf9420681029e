import Diagnostics
import Testing

@Suite struct RunFailures {
  struct Case: CustomTestStringConvertible, Sendable {
    let failure: any RunFailure
    let exitStatus: Int32
    let sentence: String
    var testDescription: String { sentence }
  }

  static let hostile = "a\nb\u{1B}[2J'.txt"
  static let cases = [
    Case(failure: ReadError.missing(path: "c.txt"), exitStatus: 66, sentence: "there is no file 'c.txt'"),
    Case(
      failure: ReadError.unreadable(path: "c.txt", reason: "Permission denied"),
      exitStatus: 66,
      sentence: "cannot read 'c.txt': Permission denied"
    ),
    Case(failure: ReadError.empty(path: "c.txt"), exitStatus: 66, sentence: "'c.txt' is empty: it holds no bytes"),
    Case(
      failure: ReadError.failed(path: hostile, reason: "Input/output error"),
      exitStatus: 74,
      sentence: #"reading 'a\nb\x1B[2J'.txt' failed: Input/output error"#
    ),
    Case(
      failure: ReadError.refused([
        Diagnostic(
          code: .blankHeader,
          location: SourceLocation(file: "c.txt"),
          message: "column 2 has no name",
          remedy: "name it"
        )
      ]),
      exitStatus: 1,
      sentence: "column 2 has no name"
    ),
    Case(
      failure: WriteError.cannotCreate(path: "out.csv", reason: "Read-only file system"),
      exitStatus: 73,
      sentence: "cannot create 'out.csv': Read-only file system"
    ),
    Case(
      failure: WriteError.failed(path: "out.csv", reason: "No space left on device"),
      exitStatus: 74,
      sentence: "writing 'out.csv' failed: No space left on device"
    ),
    Case(failure: WriteError.brokenPipe, exitStatus: 141, sentence: "the reader of the output has gone"),
    Case(failure: WriteError.cannotHold("row 3 cannot be held"), exitStatus: 1, sentence: "row 3 cannot be held"),
    Case(
      failure: ModelError(source: "datapackage.json", line: 7, message: "there is no type 'strin'"),
      exitStatus: 78,
      sentence: "datapackage.json:7: there is no type 'strin'"
    ),
    Case(
      failure: StoreError.locked(path: "importer.sqlite"),
      exitStatus: 75,
      sentence: "another process holds the database 'importer.sqlite'"
    ),
    Case(
      failure: StoreError.inputOutput(path: "importer.sqlite", reason: "database or disk is full"),
      exitStatus: 74,
      sentence: "reading or writing the database 'importer.sqlite' failed: database or disk is full"
    ),
  ]

  @Test(arguments: cases) func `a failure has its exit status and one sentence`(_ example: Case) {
    #expect(example.failure.kind.exitStatus == example.exitStatus)
    #expect(example.failure.description == example.sentence)
  }

  @Test func `every kind has the exit status that the manual promises`() {
    let kinds: [(FailureKind, Int32)] = [
      (.data, 1), (.usage, 64), (.input, 66), (.software, 70), (.cannotCreate, 73), (.inputOutput, 74), (.locked, 75),
      (.model, 78), (.interrupted(signal: 2), 130), (.interrupted(signal: 15), 143),
    ]
    for (kind, status) in kinds { #expect(kind.exitStatus == status) }
  }
}
