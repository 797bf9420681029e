import CSVFormat
import EntityModel
import Testing

/// What is detected besides a plain delimiter: pairs, quotes, escapes, and where the table begins and ends.
@Suite struct CSVBoundsDetecting {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let dialect: CSVDialect

    init(_ description: String, _ input: String, _ change: (inout CSVDialect) -> Void) {
      testDescription = description
      self.input = input
      dialect = .with(change)
    }
  }

  static let cases = [
    Case("comma and space", "a, b, c\n1, 2, 3\n4, \"x, y\", 6\n") { $0.delimiter = ", " },
    Case("comma, and sometimes a space", "a,b,c\n1, 2,3\n4,5,6\n") { _ in },
    Case("two bars", "a||b||c\n1||2||3\n") { $0.delimiter = "||" },
    Case("bars with an empty column", "a|b|c\n1||3\n2||4\n") { $0.delimiter = "|" },
    Case("two colons", "a::b\n1::2:30\n") { _ in },
    Case("two colons alone", "a::b\n1::2\n") { $0.delimiter = "::" },
    Case("caret", "a^b\n1^2\n") { $0.delimiter = "^" },
    Case("space, shown by quotes", "a b \"c d\"\n1 2 \"x y\"\n3 4 \"z\"\n5 6 \"w\"\n") { $0.delimiter = " " },
    Case("spaces in one column", "full name\nAda Lovelace\nAlan Turing\n") { _ in },
    Case("apostrophes that are quotes", "a,b\n1,'it's, so'\n2,'x, y'\n3,'z'\n") {
      $0.quote = "'"
      $0.doublesQuotes = false
    },
    Case("quotes that are not doubled", "a,b\n\"10\"\",1\n\"x, y\",2\n\"z\",3\n") { $0.doublesQuotes = false },
    Case("backslash", "a,b\n\"x\\\"y, z\",1\n\"w\",2\n") { $0.escape = "\\" },
    Case("title above the header", "Report of 2026\n\nid,name\n1,x\n2,y\n3,z\n") { $0.skippedLines = 2 },
    Case("padded title above the header", "Report,,\n,,\nid,name,sum\n1,x,3\n2,y,4\n") { $0.skippedLines = 2 },
    Case("header that stands there twice", "id,name\nid,name\n1,x\n2,y\n") { $0.header = .lines(2) },
    Case("footer behind an empty line", "id,name\n1,x\n2,y\n\nsource: the archive\n") {
      $0.badRows = .repair
      $0.skippedFooterLines = 1
    },
    Case("last line apart, where nothing is to be repaired", "id,name\n1,x\n2,y\n\nEve\n") { _ in },
    Case("count of rows", "id,name\n1,x\n2,y\n(2 rows)\n") {
      $0.badRows = .repair
      $0.skippedFooterLines = 1
    },
    Case("more lines with # that have the table's cells than others", "# of\ntag,n\nb,2\n#g,3\n#p,4\nw,5\n") {
      $0.skippedLines = 1
    },
    Case("an apostrophe that begins a word", "id,name\n1,'a,b'\n2,'tis\n3,'e'\n4,'f,g'\n5,z\n") { _ in },
    Case("wrong count of rows", "id,name\n1,x\n2,y\n(7 rows)\n") { _ in },
    Case("short last record", "id,name\n1,x\n2,y\n3\n") { _ in },
    Case("more commas in the data than delimiters", "a;b\nx,y,z;1,5\nu,v,w;2,5\np,q,r;3,5\n") { $0.delimiter = ";" },
  ]

  @Test(arguments: cases) func `only what is certain is detected`(_ example: Case) {
    var told = CSVSettings()
    told.badRows = example.dialect.badRows
    let detection = CSVDetector.detect(
      sample: Array(example.input.utf8).span,
      isWholeInput: true,
      told: told,
      knownNames: [],
      defaultDelimiter: ",",
      assumesHeader: true
    )
    #expect(detection.dialect == example.dialect)
  }
}
