import Diagnostics
import EntityModel
import Records
import TestSupport
import Validation

/// The grammars of values: each against another reader of the same, and every value printed back.
enum ValueTarget {
  static func run(_ bytes: [UInt8]) throws(LawBreach) {
    var input = FuzzInput(bytes)
    let grammar = input.byte() & 7
    let text = input.bytes
    switch grammar {
    case 0: try checkInteger(text)
    case 1: try checkDouble(text)
    case 2: try checkDatePattern(&input)
    case 3: try checkBase64(text)
    case 4: try checkIdentifiers(text)
    case 5: try checkText(text)
    case 6: try checkTyped(&input)
    default: try checkInference(text)
    }
  }

  /// The library's own reader takes the same integers.
  private static func checkInteger(_ text: [UInt8]) throws(LawBreach) {
    let parsed = parseInteger(text.span)
    let reference = String(validating: text, as: UTF8.self).flatMap { Int64($0) }
    switch parsed {
    case .value(let number): try expect(reference == number, "\(shown(text)) is read as \(number)")
    case .outOfRange:
      let digits = text.dropFirst(text.first == 0x2B || text.first == 0x2D ? 1 : 0)
      try expect(reference == nil && digits.allSatisfy { (0x30...0x39).contains($0) }, "\(shown(text)) is out of range")
    case .notADigit(let position):
      try expect(reference == nil, "\(shown(text)) is no integer")
      try expect((0...text.count).contains(position), "\(shown(text)) is wrong at \(position)")
    }
  }

  /// A number that is read as a double is the nearest one, and its spelling has the same digits.
  private static func checkDouble(_ text: [UInt8]) throws(LawBreach) {
    for mark in [UInt8(ascii: "."), UInt8(ascii: ",")] {
      let spelling = String(decoding: text.map { $0 == mark ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
      switch parseDouble(text.span, decimalMark: mark) {
      case .value(let number):
        let reference = Double(spelling)
        try expect(
          reference?.bitPattern == number.bitPattern,
          "\(shown(text)) is read as \(number), not \(String(describing: reference))"
        )
        let again = parseDouble(Array(number.description.utf8).span)
        try expect(again == .value(number), "\(number) is read again as \(again)")
      case .malformed(let position):
        try expect((0...text.count).contains(position), "\(shown(text)) is wrong at \(position)")
      case .outOfRange, .notExact: break
      }
    }
  }

  private static func checkDatePattern(_ input: inout FuzzInput) throws(LawBreach) {
    let spelling = input.piece(upTo: 0x0A)
    let text = input.bytes
    guard let spelling = String(validating: spelling, as: UTF8.self), let pattern = try? DatePattern(spelling) else {
      return
    }
    guard let time = pattern.parse(text.span) else { return }
    try expect(time.isValid, "'\(spelling)' makes \(time) of \(shown(text))")
    try expect(time.fraction.map { $0.upperBound <= text.count } ?? true, "the fraction of \(shown(text)) is outside")
    // An offset may lead out of the calendar's years.
    guard let again = CalendarTime(secondsSinceEpoch: time.secondsSinceEpoch) else { return }
    try expect(again.secondsSinceEpoch == time.secondsSinceEpoch, "\(time) is \(again) when it is counted back")
    try expect(again.isValid, "\(again) is no time")
  }

  private static func checkBase64(_ text: [UInt8]) throws(LawBreach) {
    var output = TextBuffer()
    if let position = decodeBase64(text.span, into: &output) {
      try expect((0...text.count).contains(position), "\(shown(text)) is wrong at \(position)")
      try expect(output.count == 0, "\(shown(text)) is refused, and leaves bytes")
    } else {
      var spelled = TextBuffer()
      ValueSpelling.appendBase64(output.bytes, to: &spelled)
      let packed = text.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
      try expect(copy(spelled.bytes) == packed, "\(shown(text)) is spelled \(shown(copy(spelled.bytes)))")
    }
    var spelled = TextBuffer()
    ValueSpelling.appendBase64(text.span, to: &spelled)
    var decoded = TextBuffer()
    let fault = decodeBase64(spelled.bytes, into: &decoded)
    try expect(fault == nil && copy(decoded.bytes) == text, "\(shown(text)) does not survive base64")
  }

  private static func checkIdentifiers(_ text: [UInt8]) throws(LawBreach) {
    let isReference =
      text.count == 36
      && text.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == 0x2D : Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
      }
    try expect(isUUID(text.span) == isReference, "\(shown(text)) is\(isReference ? "" : " not") a UUID")
    if isURI(text.span) {
      try expect(text.contains(0x3A) && !text.contains { $0 <= 0x20 || $0 == 0x7F }, "\(shown(text)) is no URI")
    }
  }

  /// The library's own validation of UTF-8 says the same.
  private static func checkText(_ text: [UInt8]) throws(LawBreach) {
    let fault = findTextFault(text.span)
    let isValid = String(validating: text, as: UTF8.self) != nil
    if fault == nil { try expect(isValid && !text.contains(0), "\(shown(text)) has no fault") }
    if !isValid { try expect(fault != nil, "\(shown(text)) has no fault and is no UTF-8") }
    if isValid, !text.contains(0) { try expect(fault == nil, "\(shown(text)) has a fault") }
    if isValid {
      let count = String(decoding: text, as: UTF8.self).unicodeScalars.count
      try expect(scalarCount(of: text.span) == count, "\(shown(text)) has \(count) characters")
    }
  }

  private static let types: [AttributeType] = [
    .text, .integer(bits: 16), .integer(bits: 32), .integer(bits: 64), .decimal(precision: nil, scale: nil),
    .decimal(precision: 5, scale: 2), .decimal(precision: 15, scale: 3), .decimal(precision: 20, scale: 4), .double,
    .boolean, .date, .datetime, .binary, .uuid, .uri,
  ]

  /// A value that is accepted, printed and read again is the same value.
  private static func checkTyped(_ input: inout FuzzInput) throws(LawBreach) {
    let type = input.pick(types)
    let settings = input.byte()
    var attribute = Attribute(name: "c", type: type)
    if settings & 1 != 0, type == .date || type == .datetime {
      attribute.dateFormats =
        type == .date ? ["dd/MM/yyyy", "%Y%m%d"] : ["dd/MM/yyyy HH:mm:ssZ", "%Y%m%d %H:%M", "%s"]
    }
    let mark = settings & 2 == 0 ? UInt8(ascii: ".") : UInt8(ascii: ",")
    let text = input.bytes
    guard !text.isEmpty, let value = try validate(text, attribute, mark: mark) else { return }
    guard let again = try validate(value.spelled, Attribute(name: "c", type: type), mark: UInt8(ascii: ".")) else {
      throw LawBreach("\(shown(text)) as \(type.name) is spelled \(shown(value.spelled)), which is refused")
    }
    try expect(
      again == value,
      "\(shown(text)) as \(type.name) is \(value), spelled \(shown(value.spelled)), and then \(again)"
    )
    if [.text, .uuid, .uri].contains(type) {
      try expect(value.spelled == text, "\(shown(text)) is stored as \(shown(value.spelled))")
    }
  }

  /// A column's type is one that gives every value back as it was written.
  private static func checkInference(_ text: [UInt8]) throws(LawBreach) {
    let values = text.split(separator: 0x0A).map { Array($0) }
    guard !values.isEmpty else { return }
    let batch = makeBatch(columns: ["c"], values.map { [.bytes($0)] })
    var inference = TypeInference()
    inference.observe(batch)
    let attribute = inference.attributes(ofShape: 0)[0]
    guard attribute.type != .text else { return }
    for value in values {
      guard let found = try validate(value, attribute, mark: UInt8(ascii: ".")) else {
        throw LawBreach("\(attribute.type.name) is inferred for \(shown(text)), and refuses \(shown(value))")
      }
      try expect(
        found.spelled == value,
        "\(attribute.type.name) is inferred for \(shown(text)), and spells \(shown(found.spelled))"
      )
    }
  }

  /// A value as it is stored and as it is written out.
  private struct Found: Equatable {
    var number: Value?
    var bytes: [UInt8]
    var spelled: [UInt8]
  }

  /// Validates one field; nil if it is rejected or NULL.
  private static func validate(_ text: [UInt8], _ attribute: Attribute, mark: UInt8) throws(LawBreach) -> Found? {
    // What is spelled with no bytes at all needs quotes to be no NULL.
    var batch = makeBatch(columns: ["c"], [[text.isEmpty ? .quoted("") : .bytes(text)]])
    var entity = Entity(name: "e")
    entity.attributes = [attribute]
    var plan = ValidationPlan(entities: [entity])
    plan.decimalMark = mark
    guard var validator = try? RecordValidator.compiling(plan) else {
      throw LawBreach("\(attribute) cannot be compiled")
    }
    var rows = ValueBatch()
    validator.validate(&batch, into: &rows)
    try expect(rows.rows.count + rows.rejections.count == 1, "\(shown(text)) became \(rows.rows.count) rows")
    for diagnostic in rows.rejections.flatMap(\.diagnostics) {
      try expect(!diagnostic.message.isEmpty && !diagnostic.remedy.isEmpty, "\(diagnostic.code) says nothing")
    }
    guard let value = rows.values.first, value != .null, !rows.rows.isEmpty else { return nil }
    var spelled = TextBuffer()
    ValueSpelling.append(value, as: attribute.type, from: batch.text, to: &spelled)
    switch value {
    case .text(let slice), .blob(let slice):
      return Found(number: nil, bytes: copy(batch.text.bytes(of: slice)), spelled: copy(spelled.bytes))
    default: return Found(number: value, bytes: [], spelled: copy(spelled.bytes))
    }
  }
}
