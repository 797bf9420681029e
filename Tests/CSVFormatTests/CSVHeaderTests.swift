import CSVFormat
import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing

/// Faults of the header, which stop the reading of a file.
@Suite struct CSVHeaders {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: [UInt8]
    var dialect = CSVDialect()
    /// Each fault's code, line and column.
    let faults: [String]

    init(_ description: String, _ input: String, in dialect: CSVDialect = CSVDialect(), _ faults: [String]) {
      self.init(description, Array(input.utf8), in: dialect, faults)
    }

    init(_ description: String, _ input: [UInt8], in dialect: CSVDialect = CSVDialect(), _ faults: [String]) {
      testDescription = description
      self.input = input
      self.dialect = dialect
      self.faults = faults
    }
  }

  static let cases: [Case] = [
    Case("blank names", "a,, \n", ["blank-header 1:3", "blank-header 1:4"]),
    Case("a name twice", "é,b,é\n", ["duplicate-label 1:5"]),
    Case("names that differ in case", "Name,b,naMe\n", ["duplicate-label 1:8"]),
    Case("blank and twice", "a,a,\n", ["duplicate-label 1:3", "blank-header 1:5"]),
    Case("behind skipped lines", "x\r\ny\na,\n", in: .with { $0.skippedLines = 2 }, ["blank-header 3:3"]),
    Case("on a second line of a cell", "\"a\nb\",\n", ["blank-header 2:4"]),
    Case("of two lines", "x,y,x\n1,,1\n", in: CSVDialect(header: .lines(2)), ["duplicate-label 1:5"]),
    Case("no UTF-8", [0x61, 0x2C, 0xFF, 0x0A], ["encoding-error 1:3"]),
    Case("NUL", "a,\0b\n", ["illegal-character 1:3"]),
    Case("open quote", "a,\"b\n1,2\n", ["unterminated-quote 1:3"]),
    Case("text behind a quote", "\"a\"x,b\n", ["text-after-quote 1:4"]),
    Case("nothing but comments", "# x\n", in: .with { $0.comment = "#" }, ["blank-header 2:nil"]),
    Case("fewer names told", "a,b\n", in: .with { $0.columns = ["x"] }, ["extra-label 1:1"]),
    Case("more names told", "a,b\n", in: .with { $0.columns = ["x", "y", "z"] }, ["missing-label 1:1"]),
    Case(
      "told names twice",
      "1,2\n",
      in: .with {
        $0.columns = ["x", "X"]
        $0.header = .none
      },
      ["duplicate-label 1:nil"]
    ),
  ]

  @Test(arguments: cases, chunkSizes)
  func `a header that cannot be used is refused with all its faults`(_ example: Case, chunkSize: Int) {
    do throws(ReadError) {
      _ = try read(example.input, example.dialect, chunkSize: chunkSize)
      Issue.record("the header was taken")
    } catch {
      guard case .refused(let diagnostics) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(
        diagnostics.map {
          "\($0.code.rawValue) \($0.location.line):\($0.location.column.map(String.init) ?? "nil")"
        } == example.faults
      )
      #expect(diagnostics.allSatisfy { !$0.remedy.isEmpty && $0.location.file == "in.csv" && $0.location.record == 0 })
    }
  }

  @Test func `too many columns are refused`() {
    let limits = ReadLimits(columnCount: 3)
    #expect(throws: ReadError.self) { try read("a,b,c,d\n", limits: limits) }
    #expect(throws: ReadError.self) { try read("1,2,3,4\n", CSVDialect(header: .none), limits: limits) }
    #expect(throws: Never.self) { try read("a,b,c\n", limits: limits) }
  }

  @Test(arguments: chunkSizes)
  func `a preamble without end is refused in bounded memory`(chunkSize: Int) {
    let limits = ReadLimits(recordByteCount: 50)
    let input = String(repeating: "x", count: 2000)
    #expect(throws: ReadError.self) {
      try read(input, .with { $0.skippedLines = 1 }, chunkSize: chunkSize, limits: limits)
    }
    #expect(throws: ReadError.self) { try read(input, chunkSize: chunkSize, limits: limits) }
  }

  @Test(arguments: [
    (CSVDialect(delimiter: ""), "empty"), (CSVDialect(delimiter: "\n"), "line end"),
    (CSVDialect(delimiter: "\""), "begin"),
    (CSVDialect(delimiter: "||", quote: "|"), "begin"),
    (
      .with {
        $0.quote = nil
        $0.escape = "\\"
      }, "no quote"
    ),
    (.with { $0.comment = "," }, "begin"),
  ])
  func `a dialect that contradicts itself is refused`(_ dialect: CSVDialect, _ reason: String) {
    #expect(dialect.contradiction?.contains(reason) == true)
    #expect(throws: ReadError.self) { try read("a,b\n", dialect) }
    #expect(CSVDialect.with { $0.escape = "\"" }.contradiction == nil)
  }
}
