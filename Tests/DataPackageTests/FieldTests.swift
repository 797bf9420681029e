import DataPackage
import Diagnostics
import EntityModel
import Testing

@Suite struct FieldTests {
  /// Reads one field; `properties` follow its name.
  static func field(_ properties: String) throws(ModelError) -> Attribute? {
    try readPackage(package(field: #"{"name":"f"\#(properties)}"#)).resources[0].entity.attribute(named: "f")
  }

  static let types: [(String, AttributeType)] = [
    ("", .text),
    (#","type":"string""#, .text),
    (#","type":"string","format":"default""#, .text),
    (#","type":"string","format":"email""#, .text),
    (#","type":"string","format":"uri""#, .uri),
    (#","type":"string","format":"uuid""#, .uuid),
    (#","type":"string","format":"binary""#, .binary),
    (#","type":"integer""#, .integer(bits: 64)),
    (#","type":"integer","importerType":"integer16""#, .integer(bits: 16)),
    (#","type":"integer","importerType":"integer32""#, .integer(bits: 32)),
    (#","type":"number""#, .double),
    (#","type":"number","importerType":"decimal(10,2)""#, .decimal(precision: 10, scale: 2)),
    (#","type":"number","importerType":"decimal""#, .decimal(precision: nil, scale: nil)),
    (#","type":"boolean""#, .boolean),
    (#","type":"date""#, .date),
    (#","type":"datetime""#, .datetime),
    (#","type":"year""#, .text),
    (#","type":"yearmonth""#, .text),
    (#","type":"time""#, .text),
    (#","type":"duration""#, .text),
    (#","type":"object""#, .text),
    (#","type":"array""#, .text),
    (#","type":"list""#, .text),
    (#","type":"geopoint""#, .text),
    (#","type":"geojson""#, .text),
    (#","type":"any""#, .text),
  ]
  @Test(arguments: types) func `types of Table Schema map onto the model's`(properties: String, type: AttributeType)
    throws
  {
    #expect(try Self.field(properties)?.type == type)
  }

  static let patterns: [(String, String?)] = [
    (#","type":"year""#, "-?[0-9]{4,}(Z|[+-][0-9]{2}:[0-9]{2})?"),
    (#","type":"string","format":"email""#, "[^@ ]+@[^@ ]+"),
    (#","type":"time","format":"%H:%M""#, "([01][0-9]|2[0-3]):[0-5][0-9]"),
    (#","type":"time","format":"%H.%M""#, "([01][0-9]|2[0-3])[.][0-5][0-9]"),
    (#","type":"time","format":"%Q""#, nil),
    (#","type":"time","format":"any""#, nil),
    (#","type":"year","constraints":{"pattern":"19.."}"#, "19.."),
    (#","type":"string""#, nil),
  ]
  @Test(arguments: patterns)
  func `types that the model lacks are text with a pattern`(properties: String, pattern: String?) throws {
    #expect(try Self.field(properties)?.pattern == pattern)
  }

  static let dates: [(String, [String])] = [
    ("", []),
    (#","format":"default""#, []),
    (#","format":"%d/%m/%Y""#, ["%d/%m/%Y"]),
    (#","format":"fmt:%d.%m.%y""#, ["%d.%m.%y"]),
    (#","format":"any","dateFormats":["dd/MM/yyyy","%Y"]"#, ["dd/MM/yyyy", "%Y"]),
  ]
  @Test(arguments: dates) func `date formats are patterns, or ISO 8601`(properties: String, formats: [String]) throws {
    #expect(try Self.field(#","type":"date""# + properties)?.dateFormats == formats)
    #expect(try Self.field(#","type":"datetime""# + properties)?.dateFormats == formats)
  }

  @Test func `truth values are the standard's unless told`() throws {
    #expect(try Self.field(#","type":"boolean""#)?.trueValues == ["true", "True", "TRUE", "1"])
    #expect(try Self.field(#","type":"boolean""#)?.falseValues == ["false", "False", "FALSE", "0"])
    #expect(try Self.field(#","type":"boolean","trueValues":["sì"],"falseValues":["no"]"#)?.trueValues == ["sì"])
    #expect(try Self.field(#","type":"boolean","trueValues":["true","1"]"#)?.trueValues == [])
  }

  @Test func `constraints become rules, spelled as written`() throws {
    let field = try #require(
      try Self.field(
        #","type":"integer","title":"T","description":"D","default":7,"sourceNames":["F 1"],"constraints":"#
          + #"{"required":true,"unique":true,"minimum":-5,"maximum":"010","enum":[1,"2"],"pattern":"x"}"#
      )
    )
    #expect(field.isRequired && field.isUnique && field.refusesEmptyText)
    #expect(field.minimum == "-5" && field.maximum == "010")
    #expect(field.allowedValues == ["1", "2"])
    #expect(field.pattern == "x")
    #expect(field.defaultValue == "7")
    #expect(field.sourceNames == ["F 1"])
    #expect(field.documentation == "D")
    let text = try #require(try Self.field(#","allowsEmptyText":true,"constraints":{"minLength":1,"maxLength":3}"#))
    #expect(text.minimumLength == 1 && text.maximumLength == 3 && !text.refusesEmptyText)
  }

  static let exclusive: [(String, String?, String?)] = [
    (#"{"exclusiveMinimum":3}"#, "4", nil),
    (#"{"exclusiveMaximum":"3"}"#, nil, "2"),
    (#"{"exclusiveMinimum":3,"minimum":9}"#, "9", nil),
    (#"{"exclusiveMaximum":3,"maximum":9}"#, nil, "2"),
  ]
  @Test(arguments: exclusive)
  func `exclusive limits of whole numbers are the next number`(rules: String, minimum: String?, maximum: String?) throws
  {
    let field = try Self.field(#","type":"integer","constraints":\#(rules)"#)
    #expect(field?.minimum == minimum)
    #expect(field?.maximum == maximum)
  }

  static let remarks: [(String, String)] = [
    (#","type":"array""#, "the values of 'f' are kept as text; that they are of the type 'array' is not checked"),
    (#","type":"array","constraints":{"minLength":2}"#, "'minLength' of a field of the type 'array' is not checked"),
    (#","type":"number","constraints":{"exclusiveMinimum":0}"#, "'exclusiveMinimum' is checked for whole numbers only"),
    (#","type":"object","constraints":{"jsonSchema":{}}"#, "'jsonSchema' is not checked"),
    (
      #","type":"duration","constraints":{"minimum":"P1D"}"#,
      "'minimum' of a field of the type 'duration' is not checked"
    ),
  ]
  @Test(arguments: remarks) func `what is not enforced is said`(properties: String, remark: String) throws {
    let file = try readPackage(package(field: #"{"name":"f"\#(properties)}"#))
    #expect(file.remarks.map(\.message).contains(remark))
    #expect(file.remarks.allSatisfy { $0.source == "in/datapackage.json" && $0.line == 1 })
  }

  @Test func `a plain field draws no remark`() throws {
    #expect(try readPackage(package(field: #"{"name":"f","type":"year","custom":[1]}"#)).remarks.isEmpty)
  }

  static let refused: [(String, String)] = [
    (#","type":"interger""#, "the type 'interger' is unknown; did you mean 'integer'?"),
    (#","type":"varchar""#, "the type 'varchar' is unknown; did you mean 'string'?"),
    (#","type":"zzz""#, "the type 'zzz' is unknown"),
    (#","type":5"#, "'type' must be a string, found a number"),
    (#","type":"date","format":"any""#, "the format 'any' does not say which of day, month and year comes first"),
    (#","type":"date","format":"dd/mm""#, "'dd/mm' is no format of dates"),
    (#","type":"integer","importerType":"bit""#, "'importerType' names the unknown type 'bit'"),
    (#","type":"string","importerType":"integer16""#, "'importerType' integer16 does not fit the type 'string'"),
    (#","type":"number","groupChar":",""#, "numbers with grouped digits are not read"),
    (#","type":"integer","bareNumber":false"#, "numbers with a currency or a percent sign are not read"),
    (#","constraints":{"enum":[]}"#, "'enum' allows nothing at all"),
    (#","constraints":{"minLength":-1}"#, "'minLength' must be a whole number, 0 or greater, found a number"),
    (#","constraints":{"required":"yes"}"#, "'required' must be true or false, found a string"),
    (#","constraints":[]"#, "'constraints' must be an object, found an array"),
    (#","constraints":{"minimum":[1]}"#, "'minimum' must be a string, a number, true or false, found an array"),
  ]
  @Test(arguments: refused) func `a wrong field is refused with its place`(properties: String, message: String) {
    let text = package(field: "\n\n" + #"{"name":"f"\#(properties)}"#)
    #expect(complaint(text) == "in/datapackage.json:3: " + message)
  }

  @Test func `an unknown type is answered with the known ones`() {
    #expect(throws: ModelError.self) { try readPackage(package(field: #"{"name":"f","type":"x"}"#)) }
    do throws(ModelError) { _ = try readPackage(package(field: #"{"name":"f","type":"x"}"#)) } catch {
      #expect(error.remedy?.hasPrefix("use one of string, number, integer, boolean, date, time, datetime") == true)
    }
  }
}
