import Diagnostics
import EntityModel
import Records
import Reporting
import Testing

/// Files of rejects that a run has begun which was ended, and that another goes on with.
@Suite struct ContinuedRejects {
  private let scratch = ScratchFolder()
  private let framing = RejectFraming(
    opening: Array("<r>\n".utf8),
    separator: Array("\n".utf8),
    closing: Array("</r>\n".utf8)
  )

  /// Keeps three records, as a run does that goes on with files of number 1.
  private func goOn(isWhole: Bool = true, isReleased: Bool = true) throws {
    var log = RejectionLog(folder: nil, sink: RecordingSink())
    log.goOn(scratch("a.xml"), number: 1)
    log.begin(file: scratch("a.xml"), format: .xml)
    try log.record([reject(0), reject(1)], of: makeBatch(["<a/>\n", "<b/>\n"]), framing: framing)
    if isReleased { try log.release(forAll: true) }
    if isWhole { try log.record([reject(0)], of: makeBatch(["<c/>\n"]), framing: framing) }
    try log.end()
    #expect(log.numbers == [scratch("a.xml"): 1])
  }

  private let whole = "<r>\n<a/>\n<b/>\n<c/>\n</r>\n"

  @Test func `they are completed wherever they broke off`() throws {
    try goOn()
    #expect(scratch.text(of: "a.rejected.xml") == whole)
    let faults = try #require(scratch.text(of: "a.rejects.csv"))
    for count in 0...max(whole.utf8.count, faults.utf8.count) {
      scratch.make("a.rejected.xml", String(whole.prefix(count)))
      scratch.make("a.rejects.csv", String(faults.prefix(count)))
      try goOn()
      #expect(scratch.text(of: "a.rejected.xml") == whole, "\(count)")
      #expect(scratch.text(of: "a.rejects.csv") == faults, "\(count)")
    }
    #expect(scratch.names == ["a.rejected.xml", "a.rejects.csv"])
  }

  @Test func `the end that an interrupted run has written goes where more comes`() throws {
    try goOn(isWhole: false)
    #expect(scratch.text(of: "a.rejected.xml") == "<r>\n<a/>\n<b/>\n</r>\n")
    try goOn()
    #expect(scratch.text(of: "a.rejected.xml") == whole)
  }

  @Test func `what somebody has changed in them stays, and is told`() throws {
    try goOn(isWhole: false)
    let mended = "<r>\n<A/>\n<b/>\n</r>\n"
    scratch.make("a.rejected.xml", mended)
    #expect(throws: WriteError.self) { try goOn() }
    #expect(scratch.text(of: "a.rejected.xml") == mended)
  }

  @Test func `nothing is written behind what is there before it is sure to come from the same records`() throws {
    scratch.make("a.rejected.xml", "<r>\n<a/>\n")
    try goOn(isWhole: false, isReleased: false)
    #expect(scratch.text(of: "a.rejected.xml") == "<r>\n<a/>\n")
  }
}
