import ImporterKit
import Testing

@testable import ImporterCLI

@Suite struct ProgressLines {
  private func line(_ change: (inout LoadProgress) -> Void = { _ in }, width: Int = 120) -> String {
    var progress = LoadProgress(
      input: "contacts.csv",
      readByteCount: 45_000_000,
      byteCount: 100_000_000,
      recordCount: 1_234_567,
      rejectedCount: 12
    )
    change(&progress)
    return ProgressLine.text(of: progress, after: .seconds(4), width: width)
  }

  @Test func `the line says how far the load is`() {
    #expect(line() == "contacts.csv  45 %  1,234,567 records  308,641 a second  12 rejected  5 s left")
    #expect(line { $0.rejectedCount = 0 } == "contacts.csv  45 %  1,234,567 records  308,641 a second  5 s left")
    #expect(line { $0.byteCount = nil } == "contacts.csv  45 MB  1,234,567 records  308,641 a second  12 rejected")
    #expect(line { $0.input = "-" }.hasPrefix("standard input  45 %"))
    #expect(line { $0.readByteCount = 200_000_000 }.contains("  100 %  "))
  }

  @Test(arguments: 1..<100) func `the line fits into the terminal`(width: Int) {
    #expect(line(width: width).count < max(width, 1))
    #expect(line({ $0.input = "\u{1B}[2J\n" + String(repeating: "é", count: 99) }, width: width).count < max(width, 1))
    #expect(!line({ $0.input = "\u{1B}[2J\n" }, width: width).contains("\u{1B}"))
  }
}
