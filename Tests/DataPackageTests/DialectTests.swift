import DataPackage
import Diagnostics
import EntityModel
import Testing

@Suite struct DialectTests {
  static func text(_ dialect: String) -> String {
    #"{"resources":[{"name":"r","path":"r.csv","dialect":\#(dialect)}]}"#
  }

  static func dialect(_ change: (inout DataPackageDialect) -> Void) -> DataPackageDialect {
    var dialect = DataPackageDialect()
    change(&dialect)
    return dialect
  }

  static let cases: [(String, DataPackageDialect)] = [
    ("{}", DataPackageDialect()),
    (
      #"{"delimiter":";","quoteChar":"'","doubleQuote":true}"#,
      dialect {
        $0.delimiter = ";"; $0.quote = "'"; $0.doublesQuotes = true
      }
    ),
    (#"{"quoteChar":""}"#, dialect { $0.hasNoQuote = true }),
    (#"{"quoteChar":null}"#, dialect { $0.hasNoQuote = true }),
    (
      ##"{"escapeChar":"\\","commentChar":"#","nullSequence":"\\N"}"##,
      dialect {
        $0.escape = "\\"; $0.comment = "#"; $0.nullSequence = "\\N"
      }
    ),
    (#"{"header":true}"#, dialect { $0.header = .lines(1) }),
    (#"{"header":false}"#, dialect { $0.header = CSVDialect.Header.none }),
    (
      #"{"headerRows":[3,2]}"#,
      dialect {
        $0.header = .lines(2); $0.skippedLines = 1
      }
    ),
    (
      #"{"headerRows":[3],"commentRows":[1]}"#,
      dialect {
        $0.header = .lines(1); $0.skippedLines = 2
      }
    ),
    (#"{"commentRows":[1,2]}"#, dialect { $0.skippedLines = 2 }),
    (
      #"{"header":false,"commentRows":[1]}"#,
      dialect {
        $0.header = CSVDialect.Header.none; $0.skippedLines = 1
      }
    ),
    (#"{"lineTerminator":"\r\n","caseSensitiveHeader":false}"#, DataPackageDialect()),
  ]
  @Test(arguments: cases) func `what is told is kept apart from what is not`(text: String, dialect: DataPackageDialect)
    throws
  {
    #expect(try readPackage(Self.text(text)).resources[0].dialect == dialect)
  }

  static let refused: [(String, String)] = [
    ("[]", "'dialect' must be an object, found an array"),
    (#"{"delimiter":""}"#, "'delimiter' must not be the empty string"),
    (#"{"headerRows":[1,3]}"#, "the rows of a header must follow one another, found [1, 3]"),
    (#"{"headerRows":[0]}"#, "rows are numbered from 1 to 10000, found 0"),
    (#"{"headerRows":[1,2],"headerJoin":"-"}"#, "header rows are joined by a space, not by '-'"),
    (#"{"commentRows":[5]}"#, "'commentRows' can be passed over only at the start of the file, found [5]"),
    (#"{"headerRows":[1],"commentRows":[2]}"#, "'commentRows' after the header cannot be passed over"),
    (#"{"lineTerminator":"|"}"#, "records end with LF, CRLF or CR, not with '|'"),
  ]
  @Test(arguments: refused) func `a dialect that cannot be read is refused`(text: String, message: String) {
    #expect(complaint(Self.text(text)) == "in/datapackage.json:1: " + message)
  }

  static let remarked: [(String, String)] = [
    (#"{"caseSensitiveHeader":true}"#, "'caseSensitiveHeader' is not honoured"),
    (#"{"csvddfVersion":"7.0"}"#, "the version '7.0' of CSV dialects is not known"),
    (#"{"sheetName":"x"}"#, "'sheetName' of a dialect is of other formats than text"),
    (#"{"itemType":"array"}"#, "'itemType' of a dialect is of other formats than text"),
    (#"{"delimeter":";"}"#, "'delimeter' of a dialect is not known"),
  ]
  @Test(arguments: remarked) func `no property is passed over in silence`(text: String, remark: String) throws {
    let remarks = try readPackage(Self.text(text)).remarks
    #expect(remarks.count == 1)
    #expect(remarks.first?.message.hasPrefix(remark) == true, "\(remarks)")
  }

  @Test(arguments: [
    #"{"csvddfVersion":1.2,"lineTerminator":"\n","caseSensitiveHeader":false,"$schema":"x"}"#,
    #"{"doubleQuote":false}"#, #"{"header":true}"#,
    "{}",
  ]) func `what is honoured draws no remark`(text: String) throws {
    #expect(try readPackage(Self.text(text)).remarks == [])
  }

  @Test func `settings without effect draw a remark`() throws {
    let file = try readPackage(Self.text(#"{"skipInitialSpace":true,"doubleQuote":false}"#))
    #expect(file.remarks.count == 1)
    #expect(file.resources[0].dialect.skipsInitialSpace == true)
  }

  @Test func `what is told goes over a dialect, the rest stays`() {
    var csv = CSVDialect(delimiter: "|", header: .lines(3))
    Self.dialect {
      $0.hasNoQuote = true; $0.nullSequence = "NA"; $0.skippedLines = 2
    }.apply(to: &csv)
    var expected = CSVDialect(delimiter: "|", quote: nil, header: .lines(3))
    expected.nullTokens = ["NA"]
    expected.skippedLines = 2
    #expect(csv == expected)
  }

  @Test(arguments: cases.map(\.1)) func `a written dialect reads back the same`(dialect: DataPackageDialect) throws {
    let model = EntityModel(entities: [Entity(name: "E")])
    let written = DataPackageFile.write(
      model: model,
      files: [.init(entity: "E", path: "e.csv", format: .csv, dialect: dialect)]
    )
    #expect(try readPackage(String(decoding: written, as: UTF8.self)).resources[0].dialect == dialect)
  }
}
