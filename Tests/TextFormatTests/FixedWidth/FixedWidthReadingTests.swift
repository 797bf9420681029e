import Diagnostics
import EntityModel
import Records
import TestSupport
import TextFormat
import Testing

@Suite struct FixedWidthReading {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let widths: String
    let input: String
    let rows: [[String?]]
    var faults: [String] = []
    var header = 0
  }

  static let cases = [
    Case(
      testDescription: "columns",
      widths: "1-3,4-6",
      input: "ab cd \nef gh \n",
      rows: [["ab", "cd"], ["ef", "gh"]]
    ),
    Case(testDescription: "widths as a list", widths: "3,3", input: "ab cd \n", rows: [["ab", "cd"]]),
    Case(testDescription: "no final line end", widths: "3,3", input: "ab cd ", rows: [["ab", "cd"]]),
    Case(testDescription: "CRLF", widths: "3,3", input: "ab cd \r\nef gh \r\n", rows: [["ab", "cd"], ["ef", "gh"]]),
    Case(testDescription: "CR", widths: "3,3", input: "ab cd \ref gh \r", rows: [["ab", "cd"], ["ef", "gh"]]),
    Case(
      testDescription: "accents count as one",
      widths: "4,3",
      input: "Zoë 12 \nÄöü 3  \n",
      rows: [["Zoë", "12"], ["Äöü", "3"]]
    ),
    Case(testDescription: "beyond the plane", widths: "2,2", input: "😀 x \n", rows: [["😀", "x"]]),
    Case(
      testDescription: "a combining accent counts as one more",
      widths: "4,3",
      input: "Zoe\u{308}12 \n",
      rows: [["Zoe\u{308}", "12"]]
    ),
    Case(testDescription: "byte order mark", widths: "3,3", input: "\u{FEFF}ab cd \n", rows: [["ab", "cd"]]),
    Case(
      testDescription: "padding is NULL",
      widths: "3,3",
      input: "ab    \n   cd \n",
      rows: [["ab", nil], [nil, "cd"]]
    ),
    Case(testDescription: "nothing but padding", widths: "3,3", input: "      \n", rows: [[nil, nil]]),
    Case(
      testDescription: "empty and short blank lines are none",
      widths: "3,3",
      input: "\nab cd \n  \n\n",
      rows: [["ab", "cd"]]
    ),
    Case(testDescription: "spaces within", widths: "6,2", input: "a  b  c \n", rows: [["a  b", "c"]]),
    Case(testDescription: "spaces before text stay", widths: "6,2", input: "  a   c \n", rows: [["  a", "c"]]),
    Case(
      testDescription: "text to the column's end is right-aligned",
      widths: "6,2",
      input: "   abcc \n",
      rows: [["abc", "c"]]
    ),
    Case(testDescription: "numbers anywhere", widths: "1-6,7-", input: " -1.5   7\n", rows: [["-1.5", "7"]]),
    Case(testDescription: "an open end", widths: "1-2,3-", input: "ab rest of it \n", rows: [["ab", " rest of it"]]),
    Case(testDescription: "gaps told", widths: "1-2,5-6", input: "abXXcd\n", rows: [["ab", "cd"]]),
    Case(testDescription: "a cut cell", widths: "3,5", input: "ab cd\n", rows: [["ab", "cd"]]),
    Case(
      testDescription: "missing",
      widths: "3,3,3",
      input: "ab \nab c\n",
      rows: [["ab", nil, nil], ["ab", "c", nil]],
      faults: ["1 missing-cell column_2", "2 missing-cell column_3"]
    ),
    Case(
      testDescription: "extra",
      widths: "3,3",
      input: "ab cd é x \n",
      rows: [["ab", "cd"]],
      faults: ["1:7 extra-cell"]
    ),
    Case(testDescription: "padding behind", widths: "3,3", input: "ab cd      \n", rows: [["ab", "cd"]]),
    Case(testDescription: "header", widths: "3,3", input: "a  bb \n1  2  \n", rows: [["1", "2"]], header: 1),
    Case(
      testDescription: "two header lines",
      widths: "3,3",
      input: "a  bb \n   c  \n1  2  \n",
      rows: [["1", "2"]],
      header: 2
    ),
    Case(
      testDescription: "one column keeps empty lines",
      widths: "1-3",
      input: "a\n\nb\n",
      rows: [["a"], [nil], ["b"]]
    ),
  ]

  static let chunkSizes = [1, 2, 3, 7, 64, 4096, 128 << 10]

  @Test(arguments: cases) func `columns are cut by characters, whatever the size of chunks`(_ example: Case) throws {
    let layout = try layout(example.widths, header: example.header)
    let whole = try readLines(Array(example.input.utf8), layout)
    #expect(whole.rows == example.rows)
    #expect(whole.faults == example.faults)
    for size in Self.chunkSizes {
      #expect(try readLines(Array(example.input.utf8), layout, chunkSize: size) == whole, "\(size)")
    }
  }

  @Test func `raw lines are untouched, with their ends, and the head comes before them`() throws {
    var layout = try layout("3,3", header: 1)
    layout.skippedLineCount = 1
    layout.comment = "#"
    let read = try readLines(Array("made today\n#x\na  b  \r\n#y\n1  2  \r\n\r\n3  4  ".utf8), layout)
    #expect(read.raws == ["1  2  \r\n", "3  4  "])
    #expect(read.lines == [5, 7])
    #expect(read.columns == ["a", "b"])
    #expect(read.opening == "made today\n#x\na  b  \r\n")
  }

  @Test func `what is too long is rejected alone`() throws {
    var limits = ReadLimits()
    limits.recordByteCount = 10
    limits.fieldByteCount = 4
    let input = Array("ab   cd \n123456789012345678901234567890\nabcde \nef   gh \n".utf8)
    for size in [1, 3, 7, 64, 4096] {
      let read = try readLines(input, layout("5,3"), chunkSize: size, limits: limits)
      #expect(read.rows == [["ab", "cd"], [nil, nil], ["abcd", nil], ["ef", "gh"]])
      #expect(read.faults == ["2 record-too-long", "3:1 field-too-long column_1"])
      // The rest is handed on as it passes by.
      #expect(read.raws[1] == "1234567890")
      #expect(read.continued == "12345678901234567890\n")
    }
  }

  @Test func `more columns than are allowed are refused`() throws {
    var limits = ReadLimits()
    limits.columnCount = 2
    #expect(throws: ReadError.self) { try readLines(Array("abc".utf8), layout("1,1,1"), limits: limits) }
  }

  @Test func `repair fills up and cuts off, and tells it`() throws {
    var layout = try layout("3,3")
    layout.isRepairing = true
    let read = try readLines(Array("ab \nab cd ef\n".utf8), layout)
    #expect(read.rows == [["ab", nil], ["ab", "cd"]])
    #expect(read.faults == [])
    #expect(read.notes == ["1 missing-cell column_2", "2:7 extra-cell"])
  }

  @Test func `a tab counts as one character, which is said once`() throws {
    let read = try readLines(Array("a\tb\na\tb\n".utf8), layout("2,1"))
    #expect(read.rows == [["a\t", "b"], ["a\t", "b"]])
    #expect(read.notes == ["1 tab-character"])
  }

  @Test(arguments: [
    ("a     \n", "blank-header"), ("a  A  \n", "duplicate-label"), ("", "missing-label"),
  ])
  func `a header without names is refused`(header: String, fault: String) throws {
    let columns = try layout("3,3", header: 1)
    do throws(ReadError) {
      _ = try readLines(Array(header.utf8), columns)
      Issue.record("the header was taken")
    } catch {
      guard case .refused(let faults) = error else { throw error }
      #expect(faults.map(\.code.rawValue) == [fault])
    }
  }

  @Test func `one value a line`() throws {
    let read = try readLines(Array("a b\n\n  c \n\"d\"".utf8), .lines(named: nil))
    #expect(read.columns == ["line"])
    #expect(read.rows == [["a b"], [nil], ["  c "], ["\"d\""]])
    #expect(read.faults == [])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `cells written with padding come back, at any size of chunks`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("aZé€😀0-. ,\"|").map(String.init)
    let widths = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 1...9, using: &random) }
    let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
    var input = ""
    var rows: [[String?]] = []
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      var row: [String?] = []
      for width in widths {
        let count = Int.random(in: 0...width, using: &random)
        var cell = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
        while cell.hasSuffix(" ") { cell.removeLast() }
        while cell.hasPrefix(" ") { cell.removeFirst() }
        row.append(cell.isEmpty ? nil : cell)
        input += cell + String(repeating: " ", count: width - cell.unicodeScalars.count)
      }
      input += lineEnd
      rows.append(row)
    }
    let layout = try layout(widths.map(String.init).joined(separator: ","))
    for size in [1, 3, 7, 4096] {
      #expect(try readLines(Array(input.utf8), layout, chunkSize: size).rows == rows)
    }
  }
}
