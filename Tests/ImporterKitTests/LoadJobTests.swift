import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

@Suite struct LoadingFiles {
  private let folder = Folder()

  private func load(_ name: String, into database: String = "t.sqlite", change: (inout LoadJob) -> Void = { _ in })
    throws -> (
      outcome: LoadOutcome, faults: [Diagnostic]
    )
  {
    var job = LoadJob(inputs: [folder(name)], database: folder(database))
    change(&job)
    let collected = Collected()
    return (try job.run(diagnostics: collected), collected.all)
  }

  @Test func `faults come in the order of the records, whichever stage found them`() throws {
    folder.write("k,n\na,1\nb\na,2\nc,x\nd,\"\na,3\n", to: "t.csv")
    let (outcome, faults) = try load("t.csv") {
      $0.model.key = ["k"]
      $0.model.types = [ModelOptions.TypedColumn(column: "n", type: .integer(bits: 64))]
    }
    #expect(outcome.exitStatus == 2)
    #expect(faults.map(\.location.line) == [3, 4, 5, 6, 7])
    #expect(faults.map(\.code) == [.missingCell, .duplicateKey, .typeError, .unterminatedQuote, .duplicateKey])
    #expect(faults[1].message.contains("line 2") && faults[4].message.contains("line 2"))
    #expect(folder.read("t.rejected.csv") == Array("k,n\nb\na,2\nc,x\nd,\"\na,3\n".utf8))
  }

  @Test func `types hold for all inputs of an entity`() throws {
    folder.write("n\n1\n", to: "a.csv")
    folder.write("m,n\nx,1.5\n", to: "b.csv")
    var job = LoadJob(inputs: [folder("a.csv"), folder("b.csv")], database: folder("t.sqlite"))
    job.model.entity = "t"
    _ = try job.run(diagnostics: Collected())
    var export = ExportJob(database: folder("t.sqlite"))
    export.output = folder("out.csv")
    #expect(try export.run() == 2)
    #expect(folder.read("out.csv") == Array("n,m\n1,\n1.5,x\n".utf8))
  }

  @Test func `a run that is asked to stop leaves nothing behind`() throws {
    folder.write("n\n" + String(repeating: "1\n", count: 50_000), to: "t.csv")
    let cancellation = Cancellation()
    cancellation.request(signal: 15)
    let job = LoadJob(inputs: [folder("t.csv")], database: folder("t.sqlite"))
    #expect(throws: (any Error).self) { try job.run(diagnostics: Collected(), cancellation: cancellation) }
    #expect(folder.names.filter { !$0.hasSuffix(".lock") } == ["t.csv"])
  }

  /// The reading side may be anywhere when the writing side gives up; none of it may bring the process down.
  @Test(arguments: 0..<12) func `a run may be stopped at any moment`(step: Int) async throws {
    folder.write("n\n" + String(repeating: "1\n", count: 60_000), to: "t.csv")
    let cancellation = Cancellation()
    let job = LoadJob(inputs: [folder("t.csv")], database: folder("t.sqlite"))
    let stopper = Task.detached {
      try await Task.sleep(for: .milliseconds(step * 12))
      cancellation.request(signal: 15)
    }
    do {
      _ = try job.run(diagnostics: Collected(), cancellation: cancellation)
      #expect(folder.names.contains("t.sqlite"))
    } catch {
      #expect(
        (error as? any RunFailure)?.kind == .interrupted(signal: 15)
          || (error as? any RunFailure)?.kind == .interrupted(signal: 2)
      )
      #expect(folder.names.filter { !$0.hasSuffix(".lock") } == ["t.csv"])
    }
    try await stopper.value
  }

  @Test func `a column that a mapping pushes aside is named, and two for one attribute are refused`() throws {
    folder.write("a,b\n1,secret\n", to: "t.csv")
    let (_, faults) = try load("t.csv") { $0.model.mappings = [ModelOptions.Mapping(source: "a", attribute: "b")] }
    #expect(faults.map(\.code) == [.extraLabel] && faults.map(\.field) == ["b"])
    #expect(throws: UsageFailure.self) {
      try load("t.csv", into: "u.sqlite") {
        $0.model.mappings = ["a", "b"].map { ModelOptions.Mapping(source: $0, attribute: "x") }
      }
    }
  }

  @Test func `a malformed end of a later input undoes the whole run`() throws {
    folder.write("n\n" + String(repeating: "1\n", count: 100_000), to: "a.csv")
    folder.write("<a><b n=\"1\"/><b n=", to: "b.xml")
    var job = LoadJob(inputs: [folder("a.csv"), folder("b.xml")], database: folder("t.sqlite"))
    job.model.entity = "t"
    #expect(throws: ReadError.self) { try job.run(diagnostics: Collected()) }
    #expect(folder.names.filter { !$0.hasSuffix(".lock") } == ["a.csv", "b.xml"])
  }

  @Test func `mappings rename columns, and two of them may fill one attribute`() throws {
    folder.write("Vorname,Name\nAda,Lovelace\n", to: "t.csv")
    _ = try load("t.csv") {
      $0.model.mappings = [
        ModelOptions.Mapping(source: "Vorname", attribute: "first"),
        ModelOptions.Mapping(source: "Name", attribute: "last"),
      ]
      $0.model.key = ["last"]
    }
    var export = ExportJob(database: folder("t.sqlite"))
    export.output = folder("out.csv")
    _ = try export.run()
    #expect(folder.read("out.csv") == Array("first,last\nAda,Lovelace\n".utf8))
  }

  @Test func `a model of several entities needs to be told which`() throws {
    folder.write("n\n1\n", to: "t.csv")
    folder.write(
      #"{"resources": [{"name": "a", "data": [], "schema": {"fields": [{"name": "n"}]}}, {"name": "b", "data": [], "schema": {"fields": [{"name": "n"}]}}]}"#,
      to: "model.json"
    )
    #expect(throws: UsageFailure.self) { try load("t.csv") { $0.model.modelFile = folder("model.json") } }
    let (outcome, _) = try load("t.csv") {
      $0.model.modelFile = folder("model.json")
      $0.model.entity = "b"
    }
    #expect(outcome.exitStatus == 0)
  }
}
