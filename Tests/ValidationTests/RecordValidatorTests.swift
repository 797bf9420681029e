import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing
import Validation

/// What a batch became, in a form that tests can compare.
struct Outcome: Equatable {
  var rows: [[String]] = []
  var faults: [String] = []
  var notes: [String] = []
}

/// Validates one batch against one entity; values are shown as `null`, `42`, `1.5`, `'text'` and `<hex>`.
func validate(
  _ attributes: [Attribute],
  columns: [String]? = nil,
  _ rows: [[Cell]],
  adjust: (inout ValidationPlan) -> Void = { _ in }
) throws -> Outcome {
  var plan = ValidationPlan(entities: [Entity(name: "T", attributes: attributes)])
  adjust(&plan)
  var validator = try RecordValidator.compiling(plan)
  var batch = makeBatch(columns: columns ?? attributes.map(\.name), rows)
  var values = ValueBatch()
  validator.validate(&batch, into: &values)
  var outcome = Outcome()
  for row in values.rows {
    let start = Int(row.valueStart)
    outcome.rows.append(values.values[start..<start + attributes.count].map { show($0, batch.text) })
  }
  for rejection in values.rejections {
    for diagnostic in rejection.diagnostics {
      let place = diagnostic.location
      outcome.faults.append("\(place.line):\(place.column ?? 0) \(diagnostic.code.rawValue) \(diagnostic.message)")
    }
  }
  outcome.notes = batch.notes.map(\.message)
  return outcome
}

private func show(_ value: Value, _ text: borrowing TextBuffer) -> String {
  func copy(_ slice: TextSlice) -> [UInt8] {
    let bytes = text.bytes(of: slice)
    return bytes.indices.map { bytes[$0] }
  }
  return switch value {
  case .null: "null"
  case .absent: "absent"
  case .integer(let number): "\(number)"
  case .real(let number): "\(number)"
  case .text(let slice): "'\(String(decoding: copy(slice), as: UTF8.self))'"
  case .blob(let slice): "<\(copy(slice).map { String($0, radix: 16) }.joined(separator: " "))>"
  }
}

func attribute(_ name: String, _ type: AttributeType = .text, _ adjust: (inout Attribute) -> Void = { _ in })
  -> Attribute
{
  var attribute = Attribute(name: name, type: type)
  adjust(&attribute)
  return attribute
}

@Suite struct ValidatingTypes {
  struct Case: Sendable, CustomTestStringConvertible {
    let type: AttributeType
    let cell: Cell
    let value: String
    var testDescription: String { "\(type.name) \(cell)" }
  }

  static let accepted = [
    Case(type: .text, cell: " a ", value: "' a '"), Case(type: .text, cell: .quoted(""), value: "''"),
    Case(type: .text, cell: "", value: "null"), Case(type: .text, cell: .base64("AQI="), value: "'\u{1}\u{2}'"),
    Case(type: .integer(bits: 16), cell: "-32768", value: "-32768"),
    Case(type: .integer(bits: 64), cell: "007", value: "7"),
    Case(type: .decimal(precision: 10, scale: 2), cell: "12.5", value: "12.5"),
    Case(type: .decimal(precision: 10, scale: 2), cell: "-0.10", value: "-0.1"),
    Case(type: .decimal(precision: 10, scale: 2), cell: "12.00", value: "12"),
    Case(type: .decimal(precision: 10, scale: 2), cell: "99999999.99", value: "99999999.99"),
    Case(type: .decimal(precision: 15, scale: 2), cell: "1.5000000000000000000000", value: "1.5"),
    Case(type: .decimal(precision: 15, scale: 2), cell: "122.0000000000000000000000000", value: "122"),
    Case(type: .decimal(precision: 15, scale: 2), cell: "-12.1000000000000000000000000", value: "-12.1"),
    Case(type: .decimal(precision: 20, scale: 2), cell: "-000123456789012345678.5", value: "'-123456789012345678.50'"),
    Case(type: .decimal(precision: 20, scale: 2), cell: ".5", value: "'0.50'"),
    Case(type: .decimal(precision: 20, scale: 0), cell: "-0", value: "'0'"),
    Case(type: .decimal(precision: nil, scale: nil), cell: "1.10", value: "'1.10'"),
    Case(type: .double, cell: "1e3", value: "1000.0"), Case(type: .boolean, cell: "true", value: "1"),
    Case(type: .boolean, cell: "0", value: "0"), Case(type: .date, cell: "2024-02-29", value: "'2024-02-29'"),
    Case(type: .datetime, cell: "2024-02-29T10:00:00+0100", value: "'2024-02-29T10:00:00+0100'"),
    Case(type: .binary, cell: "AAH/", value: "<0 1 ff>"), Case(type: .binary, cell: .quoted(""), value: "<>"),
    Case(type: .uuid, cell: "f81d4fae-7dec-11d0-A765-00a0c91e6bf6", value: "'f81d4fae-7dec-11d0-A765-00a0c91e6bf6'"),
    Case(type: .uri, cell: "urn:x", value: "'urn:x'"),
  ]

  @Test(arguments: accepted) func `a value of the type is kept`(_ example: Case) throws {
    let outcome = try validate([attribute("v", example.type)], [[example.cell]])
    #expect(outcome == Outcome(rows: [[example.value]]))
  }

  static let refused = [
    Case(
      type: .text,
      cell: .bytes([0x61, 0xFF]),
      value: "encoding-error byte 0xFF at offset 1 is not valid UTF-8: no character has such a byte"
    ),
    Case(type: .text, cell: .bytes([0x61, 0]), value: "illegal-character a NUL byte stands in 'a\\x00' at byte 2"),
    Case(type: .text, cell: .base64("A"), value: "type-error 'A' is marked as base64 but is not, from byte 2 on"),
    Case(type: .integer(bits: 16), cell: "32768", value: "out-of-range '32768' is not an integer from -32768 to 32767"),
    Case(type: .integer(bits: 64), cell: "twelve", value: "type-error 'twelve' is not an integer"),
    Case(type: .integer(bits: 64), cell: "12 ", value: "type-error '12 ' is not an integer: ' ' does not belong there"),
    Case(type: .integer(bits: 64), cell: .quoted(""), value: "type-error the value is empty, but should be an integer"),
    Case(
      type: .decimal(precision: 10, scale: 2),
      cell: "1.005",
      value: "out-of-range '1.005' has more than 2 decimals"
    ),
    Case(
      type: .decimal(precision: 4, scale: 2),
      cell: "123",
      value: "out-of-range '123' has more digits before the point than decimal(4,2) allows"
    ),
    Case(type: .decimal(precision: 4, scale: 2), cell: "1e1", value: "type-error '1e1' is not a decimal number"),
    Case(type: .double, cell: "nan", value: "type-error 'nan' is not a number"),
    Case(
      type: .double,
      cell: "9007199254740993",
      value: "out-of-range '9007199254740993' has more digits than a double can hold"
    ),
    Case(type: .boolean, cell: "yes", value: "type-error 'yes' is not true or false"),
    Case(type: .date, cell: "2023-02-29", value: "type-error '2023-02-29' is not a date such as 2024-02-29"),
    Case(type: .binary, cell: "A", value: "type-error 'A' is not base64"),
    Case(type: .uuid, cell: "x", value: "type-error 'x' is not a UUID"),
  ]

  @Test(arguments: refused) func `another value is rejected where it stands`(_ example: Case) throws {
    let outcome = try validate([attribute("first"), attribute("v", example.type)], [["abc", example.cell]])
    let expected =
      example.value.hasPrefix("encoding-error")
      ? example.value.replacing("offset 1", with: "offset 5") : example.value
    // A byte at fault has a place of its own; the second of the field, in both examples.
    let isByte = expected.hasPrefix("encoding-error") || expected.hasPrefix("illegal-character")
    #expect(outcome == Outcome(faults: [(isByte ? "2:6 " : "2:5 ") + expected]))
  }
}

@Suite struct ValidatingRules {
  @Test func `all faults of a record are told, and the next record goes in`() throws {
    let attributes = [
      attribute("nome") { $0.isRequired = true }, attribute("anni", .integer(bits: 16)),
      attribute("nick") { $0.isRequired = true },
    ]
    let outcome = try validate(attributes, [["", "x", .quoted("")], ["Ada", "36", "adab"]])
    #expect(outcome.rows == [["'Ada'", "36", "'adab'"]])
    #expect(
      outcome.faults == [
        "2:1 required required value is missing", "2:2 type-error 'x' is not an integer",
        "2:4 required required value is missing",
      ]
    )
  }

  @Test func `a bare NOT NULL takes the empty string`() throws {
    let name = attribute("n") {
      $0.isRequired = true
      $0.refusesEmptyText = false
    }
    #expect(try validate([name], [[.quoted("")]]).rows == [["''"]])
    #expect(try validate([name], [[""]]).faults.count == 1)
  }

  @Test func `columns find attributes by name in any order, unknown ones are named`() throws {
    let attributes = [attribute("nome"), attribute("cognome"), attribute("nick") { $0.sourceNames = ["nickname"] }]
    let outcome = try validate(attributes, columns: ["nickname", "COGNOME", "email", "nome"], [["a", "b", "c", "d"]])
    #expect(outcome.rows == [["'d'", "'b'", "'a'"]])
    #expect(outcome.notes == ["column 'email' is not in the model: its values are left out"])
  }

  @Test func `a told mapping wins over the name`() throws {
    let outcome = try validate([attribute("a"), attribute("b")], columns: ["b", "x"], [["1", "2"]]) {
      $0.mappings = ["b": "a", "x": "b"]
    }
    #expect(outcome.rows == [["'1'", "'2'"]])
  }

  @Test func `the first of several sources that is there gives the value`() throws {
    let name = attribute("name") { $0.sourceNames = ["label", "title"] }
    let outcome = try validate([name], columns: ["title", "label"], [["t", .absent], ["t", "l"], ["t", ""]])
    #expect(outcome.rows == [["'t'"], ["'l'"], ["null"]])
  }

  @Test func `null tokens count without quotes only, where quotes protect`() throws {
    let cells: [[Cell]] = [["NA"], [.quoted("NA")], [" "]]
    #expect(try validate([attribute("v")], cells) { $0.nullTokens = ["NA"] }.rows == [["null"], ["'NA'"], ["' '"]])
    #expect(
      try validate([attribute("v")], cells) {
        $0.nullTokens = ["NA", " "]
        $0.quotesProtect = false
      }.rows == [["null"], ["null"], ["null"]]
    )
    #expect(
      try validate([attribute("v")], [[.quoted("")]]) {
        $0.nullTokens = [""]
        $0.quotesProtect = false
      }.rows == [["null"]]
    )
  }

  @Test func `defaults fill what is absent or NULL, unless they are not wanted`() throws {
    let attributes = [
      attribute("n", .integer(bits: 64)) { $0.defaultValue = "7" }, attribute("t") { $0.defaultValue = "x" },
      attribute("d", .datetime) { $0.defaultValue = "now" },
    ]
    let filled = try validate(attributes, [["", .absent, ""], ["1", .quoted(""), "2024-01-01T00:00:00"]]) {
      $0.now = 1_356_998_399
    }
    #expect(filled.rows == [["7", "'x'", "'2012-12-31T23:59:59Z'"], ["1", "''", "'2024-01-01T00:00:00'"]])
    #expect(try validate(attributes, [["", "", ""]]) { $0.usesDefaults = false }.rows == [["null", "null", "null"]])
  }

  @Test func `limits, lengths, patterns and lists are checked`() throws {
    let attributes = [
      attribute("i", .integer(bits: 64)) {
        $0.minimum = "1"
        $0.maximum = "10"
      },
      attribute("x", .decimal(precision: 20, scale: 2)) { $0.maximum = "99.5" },
      attribute("d", .date) { $0.minimum = "2000-01-01" },
      attribute("t") {
        $0.minimumLength = 2
        $0.maximumLength = 3
      },
      attribute("p") { $0.pattern = "[a-z]+" },
      attribute("e") { $0.allowedValues = ["red", "blue"] },
    ]
    let outcome = try validate(
      attributes,
      [["1", "99.50", "2000-01-01", "äöü", "abc", "red"], ["11", "99.51", "1999-12-31", "a", "abc1", "green"]]
    )
    #expect(outcome.rows == [["1", "'99.50'", "'2000-01-01'", "'äöü'", "'abc'", "'red'"]])
    #expect(
      outcome.faults == [
        "3:1 out-of-range '11' is not at most 10", "3:4 out-of-range '99.51' is not at most 99.5",
        "3:10 out-of-range '1999-12-31' is not at least 2000-01-01",
        "3:21 length 'a' is too short: at least 2 characters, found 1",
        "3:23 pattern 'abc1' does not match the pattern '[a-z]+'",
        "3:28 enum 'green' is not one of 'red', 'blue'",
      ]
    )
  }

  @Test func `bounds of a text compare letter by letter`() throws {
    let year = attribute("y") {
      $0.minimum = "1900"
      $0.maximum = "1999"
    }
    #expect(try validate([year], [["1899"], ["1900"], ["1999"], ["2000"]]).rows == [["'1900'"], ["'1999'"]])
  }

  @Test func `dates in declared patterns become ISO dates`() throws {
    let attributes = [
      attribute("d", .date) { $0.dateFormats = ["%d/%m/%Y"] },
      attribute("t", .datetime) { $0.dateFormats = ["yyyy-MM-dd'T'HH:mm:ss.SSSZ", "d/M/yyyy", "UnixTime"] },
    ]
    let outcome = try validate(
      attributes,
      [
        ["31/12/2012", "2013-02-11T09:30:00.250+0100"], ["1/2/2013", "1/3/2013"], ["", "1356998399"],
        ["2013-01-01", "2013-01-01T10:00"],
        ["", "31/2/2013"],
      ]
    )
    #expect(
      outcome.rows == [
        ["'2012-12-31'", "'2013-02-11T09:30:00.250+0100'"], ["'2013-02-01'", "'2013-03-01T00:00:00'"],
        ["null", "'2012-12-31T23:59:59Z'"], ["'2013-01-01'", "'2013-01-01T10:00'"],
      ]
    )
    #expect(
      outcome.faults == [
        "6:2 type-error '31/2/2013' is not a real date written as yyyy-MM-dd'T'HH:mm:ss.SSSZ or d/M/yyyy or UnixTime"
      ]
    )
  }

  @Test func `a pattern that could mean another day by an ISO date excludes ISO`() throws {
    let day = attribute("d", .date) { $0.dateFormats = ["yyyy-dd-MM"] }
    let outcome = try validate([day], [["2013-02-11"], ["2013-02-28"]])
    #expect(outcome.rows == [["'2013-11-02'"]])
    #expect(outcome.faults == ["3:1 type-error '2013-02-28' is not a real date written as yyyy-dd-MM"])
  }

  @Test func `a decimal comma is a comma`() throws {
    let attributes = [
      attribute("x", .decimal(precision: 10, scale: 2)), attribute("y", .double),
      attribute("z", .decimal(precision: 20, scale: 1)),
    ]
    let outcome = try validate(attributes, [["1,5", "2,25", "3,5"], ["1.5", "1", "1"]]) {
      $0.decimalMark = UInt8(ascii: ",")
    }
    #expect(outcome.rows == [["1.5", "2.25", "'3.5'"]])
    #expect(outcome.faults.count == 1)
  }

  @Test func `rules that make no sense are refused before any record`() {
    for bad in [
      attribute("a", .integer(bits: 64)) { $0.minimum = "x" }, attribute("a", .boolean) { $0.maximum = "3" },
      attribute("a") { $0.pattern = "(" }, attribute("a", .date) { $0.dateFormats = ["%Q"] },
      attribute("a", .date) { $0.dateFormats = ["%H:%M %F"] },
      attribute("a", .integer(bits: 64)) { $0.defaultValue = "seven" },
    ] {
      #expect(throws: ModelError.self) { try validate([bad], []) }
    }
  }
}
