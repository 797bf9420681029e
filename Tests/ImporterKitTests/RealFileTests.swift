import Diagnostics
import EntityModel
import Glibc
import ImporterKit
import JSONSyntax
import Testing

/// Files of other projects' tests, with the answer that is right for them; see `fixtures/corpus/SOURCE.md`.
@Suite struct RealFiles {
  /// A file, what is told of it, and what must come of it.
  struct Case: Sendable, CustomTestStringConvertible {
    enum Expectation: String, Sendable {
      /// These rows and no others.
      case table
      /// These rows, in this order, among others that may be rejected.
      case ragged
      /// The document is read, though it may hold no records.
      case wellFormed = "well-formed"
      /// The document is refused.
      case notWellFormed = "not-well-formed"
    }

    var file: String
    var reading = ReadingOptions()
    var expectation: Expectation
    var rows: [[String]]

    var testDescription: String { file }

    init?(_ json: JSONValue) {
      guard let file = json["file"]?.string, let expectation = json["expect"]?.string.flatMap(Expectation.init),
        let format = json["format"]?.string.flatMap(FileFormat.init)
      else { return nil }
      self.file = file
      self.expectation = expectation
      rows = (json["rows"]?.elements ?? []).map { row in (row.elements ?? []).map { $0.string ?? "" } }
      reading.format = format
      for member in json["told"]?.members ?? [] where !reading.tell(member.name, member.value) { return nil }
    }
  }

  private static let folder: String = {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return root + "/fixtures/corpus/"
  }()

  static let cases: [Case] = {
    let bytes = Folder.bytes(of: folder + "cases.json")
    guard let json = try? JSONParser.parse(bytes.span), let elements = json.elements else { return [] }
    return elements.compactMap { Case($0) }
  }()

  private let scratch = Folder()

  @Test func `there are files, and all of them are understood`() { #expect(Self.cases.count == 55) }

  @Test(arguments: cases) func `a real file gives its answer`(_ example: Case) throws {
    var job = LoadJob(inputs: [Self.folder + example.file], database: scratch("t.sqlite"))
    job.reading = example.reading
    job.model.entity = "t"
    job.model.isAllText = true
    job.rejectsFolder = scratch.path
    let isRead: Bool
    do {
      isRead = try job.run(diagnostics: Collected()).isCommitted
    } catch is ReadError {
      isRead = false
    }
    #expect(isRead == (example.expectation != .notWellFormed))
    guard example.expectation == .table || example.expectation == .ragged else { return }
    var export = ExportJob(database: scratch("t.sqlite"))
    export.entity = "t"
    export.header = .no
    export.output = scratch("out.csv")
    _ = try export.run()
    let found = Self.comparable(Self.rows(of: scratch.read("out.csv") ?? []))
    let wanted = Self.comparable(example.rows)
    if example.expectation == .table {
      #expect(found == wanted)
    } else {
      var rest = found[...]
      for row in wanted {
        let place = rest.firstIndex(of: row)
        #expect(place != nil, "the row \(row) is missing or changed")
        if let place { rest = rest[(place + 1)...] }
      }
    }
  }

  /// Rows with one kind of line end, without those of one empty cell.
  private static func comparable(_ rows: [[String]]) -> [[String]] {
    rows.filter { !$0.isEmpty && $0 != [""] }.map { row in
      row.map { cell in
        var text = ""
        for character in cell { text.append(character == "\r\n" || character == "\r" ? "\n" : character) }
        return text
      }
    }
  }

  /// The rows of a file that was exported: quotes are doubled, and lines end with LF.
  private static func rows(of bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x22 where isQuoted && position < bytes.count && bytes[position] == 0x22:
        cell.append(byte)
        position += 1
      case 0x22: isQuoted.toggle()
      case 0x2C where !isQuoted, 0x0A where !isQuoted:
        row.append(String(decoding: cell, as: UTF8.self))
        cell = []
        if byte == 0x0A {
          rows.append(row)
          row = []
        }
      default: cell.append(byte)
      }
    }
    return rows
  }
}

extension ReadingOptions {
  /// Takes a setting by its name in the cases; false for an unknown one.
  fileprivate mutating func tell(_ name: String, _ value: JSONValue) -> Bool {
    let text = value.string ?? value.integer.map(String.init) ?? ""
    switch name {
    case "encoding": encoding = text
    case "delimiter": delimiter = text
    case "quote": quote = text == "none" ? ReadingOptions.Mark.none : .text(text)
    case "comment": comment = text == "none" ? ReadingOptions.Mark.none : .text(text)
    case "header": header = text == "none" ? CSVDialect.Header.none : .lines(Int(text) ?? 1)
    case "skip": skippedLines = Int(text)
    case "layout": layout = TextLayout(rawValue: text)
    case "fixed": widths = try? CharacterRange.list(text)
    case "row": recordPath = text
    case "columns": columns = value.elements?.compactMap(\.string)
    default: return false
    }
    return true
  }
}
