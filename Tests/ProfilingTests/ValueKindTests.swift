import Profiling
import Testing

@Suite struct LookingAtValues {
  static let cases: [(String, ValueKind)] = [
    ("12", .integer), ("-3", .integer), ("0", .integer), ("999999999999999999", .integer),
    ("1000000000000000000", .otherNumber), ("007", .otherNumber), ("-0", .otherNumber), ("+39", .otherNumber),
    ("1e5", .otherNumber), ("1.5E-3", .otherNumber), (".5", .otherNumber), ("5.", .otherNumber),
    ("00.5", .otherNumber), ("+1.5", .otherNumber),
    ("1.5", .decimal), ("-0.25", .decimal), ("0.5", .decimal),
    ("1,5", .commaNumber), ("12,345", .groupedNumber), ("1,234,567", .groupedNumber), ("1,234.56", .groupedNumber),
    ("1.234,56", .pointGroupedNumber), ("1.234.567", .pointGroupedNumber),
    ("1234,567", .commaNumber), ("0,125", .commaNumber),
    ("-1,5", .commaNumber), ("1,23,456", .text), ("1.2.3.4.5", .text), ("192.168.1.10", .text),
    ("2024-02-29", .isoDate), ("2023-02-29", .impossibleDate), ("2024-13-01", .impossibleDate),
    ("2024-1-5", .yearFirstDate), ("2024/12/31", .yearFirstDate), ("2024.12.31", .yearFirstDate),
    ("2024-02-29T10:00", .isoDatetime), ("2024-02-29 10:00:00+01:00", .isoDatetime), ("2024-02-29 x", .text),
    ("31/12/2024", .dayFirstDate), ("31.12.24", .dayFirstDate), ("12/31/2024", .monthFirstDate),
    ("03/04/2024", .ambiguousDate), ("1/2/24", .ambiguousDate), ("31/31/2024", .impossibleDate),
    ("29-02-2023", .impossibleDate), ("31/12/2024 10:00", .dayFirstDate), ("31/12-2024", .text),
    ("true", .boolean), ("false", .boolean), ("TRUE", .booleanWord), ("yes", .booleanWord), ("N", .booleanWord),
    ("NULL", .nullWord), ("n/a", .nullWord), ("NA", .nullWord), ("#N/A", .nullWord), ("-", .nullWord),
    ("---", .nullWord), ("?", .nullWord), ("\\N", .nullWord), ("None", .nullWord), ("(null)", .nullWord),
    ("no", .booleanWord), ("Nora", .text), ("tru", .text), (" ", .blank), ("\t ", .blank), (" x", .text),
    ("555-1234", .text), ("12a", .text), ("1e", .text), ("e5", .text), ("+", .text), ("1 2", .text), ("Ada", .text),
    ("12345678901234567890123456789012345678901", .text), ("1,", .text), ("12:30", .text), ("é", .text),
  ]

  @Test(arguments: cases) func `a value is taken for what it looks like`(_ text: String, _ kind: ValueKind) {
    let bytes = Array(text.utf8)
    #expect(ValueKind(of: bytes.span) == kind)
  }

  @Test func `any short text of the characters of numbers and dates is looked at without harm`() {
    let alphabet = Array("0179-+.,/eT: nNaA".utf8)
    var indices = [0]
    while indices.count <= 4 {
      let bytes = indices.map { alphabet[$0] }
      _ = ValueKind(of: bytes.span)
      var position = 0
      while position < indices.count, indices[position] == alphabet.count - 1 {
        indices[position] = 0
        position += 1
      }
      if position == indices.count { indices.append(0) } else { indices[position] += 1 }
    }
  }
}
