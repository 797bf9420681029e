import EntityModel
import Records
import TestSupport
import TextFormat
import Testing

@Suite struct FixedWidthDetection {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    /// As `--widths` takes them; nil where it is not certain.
    let widths: String?
    var header = 0
  }

  static let cases = [
    Case(
      testDescription: "aligned by spaces",
      input: "name       born  city\nAda        1815  London\nZoë Ann    1990  Rome\nBo            7  New York\n",
      widths: "1-7,12-15,18-",
      header: 1
    ),
    Case(
      testDescription: "a ruler",
      input: "id name\n-- -----\n1  Ada\n",
      widths: "1-2,4-",
      header: 1
    ),
    Case(
      testDescription: "equals signs above and below",
      input: "== ===\na  b\n== ===\n1  2\n== ===\n",
      widths: "1-2,4-",
      header: 1
    ),
    Case(
      testDescription: "a box",
      input: "+----+-----+\n| id | n   |\n+----+-----+\n|  1 | Ada |\n+----+-----+\n",
      widths: "3-5,8-11",
      header: 1
    ),
    Case(testDescription: "a ruler without a header", input: "--- ---\nab  cd\n", widths: "1-3,5-"),
    Case(testDescription: "single spaces on few lines", input: "San Jose\nNew York\nLos Lima\n", widths: nil),
    Case(testDescription: "two lines", input: "a     b\nccc   d\n", widths: nil),
    Case(
      testDescription: "prose",
      input: "It was a dark night\nand the rain fell in\ntorrents except at times\n",
      widths: nil
    ),
    Case(testDescription: "aligned but delimited", input: "a    , b\nbbb  , c\ncc   , d\n", widths: nil),
    Case(testDescription: "tabs", input: "a   \tb\nbb  \tc\nccc \td\n", widths: nil),
    Case(testDescription: "a heading underlined", input: "Title\n=====\n\nsome text\nmore of it\n", widths: nil),
  ]

  @Test(arguments: cases) func `columns are taken when they are certain`(_ example: Case) {
    let found = FixedWidthDetector.detect(
      sample: Array(example.input.utf8).span,
      isWholeInput: true,
      settings: FixedWidthLayout(columns: []),
      toldHeader: nil,
      knownNames: []
    )
    #expect(found.isCertain == (example.widths != nil), "\(found.reason)")
    guard let widths = example.widths else { return }
    #expect(found.layout?.widths == widths)
    #expect(found.layout?.headerLineCount == example.header)
  }

  @Test func `rejects of found columns begin with a ruler that shows them again`() throws {
    let input = Array(Self.cases[0].input.utf8)
    let found = FixedWidthDetector.detect(
      sample: input.span,
      isWholeInput: true,
      settings: FixedWidthLayout(columns: []),
      toldHeader: nil,
      knownNames: []
    )
    let layout = try #require(found.layout)
    let read = try readLines(input, layout)
    #expect(read.rows == [["Ada", "1815", "London"], ["Zoë Ann", "1990", "Rome"], ["Bo", "7", "New York"]])
    let rejects = Array((read.opening + read.raws[1]).utf8)
    let again = FixedWidthDetector.detect(
      sample: rejects.span,
      isWholeInput: true,
      settings: FixedWidthLayout(columns: []),
      toldHeader: nil,
      knownNames: []
    )
    #expect(again.isCertain)
    #expect(again.layout?.columns == layout.columns)
    let readAgain = try readLines(rejects, try #require(again.layout))
    #expect(readAgain.rows == [["Zoë Ann", "1990", "Rome"]])
    #expect(readAgain.columns == read.columns)
    #expect(readAgain.opening == read.opening)
  }

  struct PaddingCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let isCutShort: Bool
  }

  @Test(arguments: [
    PaddingCase(testDescription: "many lengths", input: "a  1  x\nb  2\nc\nd  4  xyz\ne  5  xy\n", isCutShort: true),
    PaddingCase(
      testDescription: "a space at an end",
      input: "a  1  x\nb  2\nc\nd  4  xyz\ne  5  xy \n",
      isCutShort: false
    ),
    PaddingCase(
      testDescription: "one length but for a line",
      input: "a  1  x\nb  2  y\nc  3  z\nd  4\n",
      isCutShort: false
    ),
    PaddingCase(
      testDescription: "one length for most",
      input: "a  1  x\nb  2  y\nc  3  z\nd  4\ne\n",
      isCutShort: true
    ),
    PaddingCase(testDescription: "few lines reach the last", input: "a\nb  2\nc\nd  4  x\ne  5\n", isCutShort: false),
    PaddingCase(testDescription: "two lines", input: "a  1  x\nb\n", isCutShort: false),
    PaddingCase(testDescription: "the ruler of rejects", input: "--- --- ---\nb\n", isCutShort: true),
  ])
  func `lines that have lost their padding are told from ones that lack something`(_ example: PaddingCase) throws {
    let told = try layout(example.input.hasPrefix("---") ? "1-3,5-7,9-" : "1-3,4-6,7-")
    let found = FixedWidthDetector.detect(
      sample: Array(example.input.utf8).span,
      isWholeInput: true,
      settings: told,
      toldHeader: nil,
      knownNames: []
    )
    let layout = try #require(found.layout)
    #expect(layout.isCutShort == example.isCutShort)
    let read = try readLines(Array(example.input.utf8), layout)
    #expect(read.faults.isEmpty == example.isCutShort, "\(read.faults)")
    guard example.isCutShort else { return }
    // What is rejected for another reason is read alike from a file of its own.
    let last = try #require(read.raws.last)
    let rejects = Array((read.opening + last).utf8)
    let again = FixedWidthDetector.detect(
      sample: rejects.span,
      isWholeInput: true,
      settings: told,
      toldHeader: nil,
      knownNames: []
    )
    let readAgain = try readLines(rejects, try #require(again.layout))
    #expect(readAgain.rows == [read.rows.last])
    #expect(readAgain.faults == [])
  }

  @Test func `text in a gap that the lines looked at do not have is a fault`() throws {
    var layout = try layout("1-3,6-")
    layout.isFound = true
    let read = try readLines(Array("ab   cd\nab xxcd\n".utf8), layout)
    #expect(read.faults == ["2:4 extra-cell"])
  }
}
