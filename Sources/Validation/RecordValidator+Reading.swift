import EntityModel
import Records

/// What is wrong with one field's text.
enum FieldFault {
  case text(TextFault)
  case empty
  /// Not of the type; `at` is the offset of the first byte at fault, if one can be named.
  case type(at: Int?)
  /// A file beside the input that cannot be read.
  case file(SiblingFileFault)
  /// Base64 that the format marked so, and that is none.
  case base64(at: Int)
  case integerRange
  case notExact
  case wouldRound(scale: Int)
  case tooManyDigits
  case doubleRange
  case belowMinimum
  case aboveMaximum
  case tooShort
  case tooLong
  case pattern
  case notAllowed
}

/// What reading a field came to.
enum FieldReading {
  case value(Value)
  case fault(FieldFault)
}

extension RecordValidator {
  /// Reads fields as long as each is a text or a number of which nothing but the type is asked, or a NULL.
  ///
  /// What most fields are goes this short way; the first that is anything else, or at fault, is left to `value(of:)`.
  ///
  /// - Returns: The position of the first cell that was not read.
  func appendPlainValues(
    from start: Int,
    kind: Int,
    of header: RecordHeader,
    in batch: borrowing RecordBatch,
    to values: inout [Value]
  ) -> Int {
    let cells = routes[kind].cells
    var index = start
    while index < cells.count {
      let cell = cells[index]
      guard cell.isPlain, cell.column >= 0, cell.column < Int(header.fieldCount) else { break }
      let field = batch.fields[Int(header.fieldStart) + cell.column]
      if field.isNull {
        guard cell.takesNull, !field.isAbsent else { break }
        values.append(.null)
        index += 1
        continue
      }
      guard !field.isBase64 else { break }
      let bytes = batch.text.bytes(of: field.text)
      if case .text = cell.type {
        guard findTextFault(bytes) == nil else { break }
        values.append(.text(field.text))
      } else if case .integer(bits: 64) = cell.type, case .value(let number) = parseInteger(bytes) {
        values.append(.integer(number))
      } else {
        break
      }
      index += 1
    }
    return index
  }

  /// Reads a field that is not NULL as its attribute's type, and checks it against the attribute's rules.
  mutating func read(
    _ field: Field,
    as cell: Cell,
    text: borrowing TextBuffer,
    respelledStart: Int
  ) -> FieldReading {
    if field.isBase64 {
      return readBase64(field, as: cell, text: text, respelledStart: respelledStart)
    }
    if case .binary = cell.type, rules[cell.rule].binarySpelling != .base64 {
      return readSpelledBytes(text.bytes(of: field.text), as: cell, respelledStart: respelledStart)
    }
    return read(
      text.bytes(of: field.text),
      slice: field.text,
      type: cell.type,
      refusesEmptyText: cell.refusesEmptyText,
      hasValueRules: cell.hasValueRules,
      rule: cell.rule,
      respelledStart: respelledStart
    )
  }

  /// Reads bytes that stand at `slice`, which a text value keeps.
  mutating func read(
    _ bytes: Span<UInt8>,
    slice: TextSlice,
    type: AttributeType,
    refusesEmptyText: Bool,
    hasValueRules: Bool,
    rule: Int,
    respelledStart: Int
  ) -> FieldReading {
    let value: Value
    switch type {
    case .text:
      if let fault = findTextFault(bytes) { return .fault(.text(fault)) }
      guard bytes.count > 0 || !refusesEmptyText else { return .fault(.empty) }
      value = .text(slice)
    case .integer(let bits):
      switch parseInteger(bytes) {
      case .value(let number):
        guard bits == 64 || number >> (bits - 1) == number >> 63 else { return .fault(.integerRange) }
        value = .integer(number)
      case .outOfRange: return .fault(.integerRange)
      case .notADigit(let position): return .fault(.type(at: position))
      }
    case .double:
      switch parseDouble(bytes, decimalMark: plan.decimalMark) {
      case .value(let number): value = .real(number)
      case .outOfRange: return .fault(.doubleRange)
      case .notExact: return .fault(.notExact)
      case .malformed(let position): return .fault(.type(at: position))
      }
    case .decimal(let precision, let scale):
      switch readDecimal(bytes, slice: slice, precision: precision, scale: scale ?? 0, respelledStart: respelledStart) {
      case .value(let number): value = number
      case .fault(let fault): return .fault(fault)
      }
    case .boolean:
      guard let truth = readBoolean(bytes, rule: rule) else { return .fault(.type(at: nil)) }
      value = .integer(truth ? 1 : 0)
    case .date, .datetime:
      return readDate(bytes, slice: slice, type: type, rule: rule, respelledStart: respelledStart)
    case .binary:
      let start = respelled.count
      if let position = decodeBase64(bytes, into: &respelled) { return .fault(.type(at: position)) }
      value = .blob(TextSlice(respelledStart + start..<respelledStart + respelled.count))
      if hasValueRules, let fault = lengthFault(respelled.count - start, rule: rule) { return .fault(fault) }
      return .value(value)
    case .uuid:
      guard isUUID(bytes) else { return .fault(.type(at: nil)) }
      value = .text(slice)
    case .uri:
      if let fault = findTextFault(bytes) { return .fault(.text(fault)) }
      guard isURI(bytes) else { return .fault(.type(at: nil)) }
      value = .text(slice)
    }
    if hasValueRules, let fault = ruleFault(value, bytes: bytes, rule: rule) { return .fault(fault) }
    return .value(value)
  }

  /// Reads bytes that are given in hexadecimal digits, or as the name of a file beside the input.
  private mutating func readSpelledBytes(_ bytes: Span<UInt8>, as cell: Cell, respelledStart: Int) -> FieldReading {
    let start = respelled.count
    switch rules[cell.rule].binarySpelling {
    case .base64, .hex:
      if let position = decodeHex(bytes, into: &respelled) { return .fault(.type(at: position)) }
    case .file:
      let fault = plan.files?.read(bytes, limit: plan.fileByteLimit, into: &respelled) ?? nil
      if let fault = plan.files == nil ? .missing : fault { return .fault(.file(fault)) }
    }
    if cell.hasValueRules, let fault = lengthFault(respelled.count - start, rule: cell.rule) { return .fault(fault) }
    return .value(.blob(TextSlice(respelledStart + start..<respelledStart + respelled.count)))
  }

  /// Decodes what the format marked as base64; the result is bytes for a binary attribute, text for others.
  private mutating func readBase64(
    _ field: Field,
    as cell: Cell,
    text: borrowing TextBuffer,
    respelledStart: Int
  ) -> FieldReading {
    if case .binary = cell.type {
      return read(
        text.bytes(of: field.text),
        slice: field.text,
        type: .binary,
        refusesEmptyText: false,
        hasValueRules: cell.hasValueRules,
        rule: cell.rule,
        respelledStart: respelledStart
      )
    }
    var decoded = TextBuffer(capacity: field.count)
    if let position = decodeBase64(text.bytes(of: field.text), into: &decoded) { return .fault(.base64(at: position)) }
    let start = respelledStart + respelled.count
    respelled.append(decoded.bytes)
    return read(
      decoded.bytes,
      slice: TextSlice(start..<start + decoded.count),
      type: cell.type,
      refusesEmptyText: cell.refusesEmptyText,
      hasValueRules: cell.hasValueRules,
      rule: cell.rule,
      respelledStart: respelledStart
    )
  }

  /// The value of an absent field from the model's default; `now` is the run's instant for dates.
  mutating func defaultValue(
    _ spelling: [UInt8],
    rule: Int,
    respelledStart: Int
  ) -> Value {
    let type = rules[rule].attribute.type
    let start = respelled.count
    if type == .date || type == .datetime, spelling == Array("now".utf8),
      let now = CalendarTime(secondsSinceEpoch: plan.now)
    {
      appendISO(now, isDateOnly: type == .date, fractionOf: spelling.span)
      return .text(TextSlice(respelledStart + start..<respelledStart + respelled.count))
    }
    respelled.append(spelling.span)
    let slice = TextSlice(respelledStart + start..<respelledStart + respelled.count)
    let reading = read(
      spelling.span,
      slice: slice,
      type: type,
      refusesEmptyText: false,
      hasValueRules: false,
      rule: rule,
      respelledStart: respelledStart
    )
    // A default that does not fit its own type was refused when the plan was made.
    if case .value(let value) = reading { return value }
    return .null
  }

  private func readBoolean(_ bytes: Span<UInt8>, rule: Int) -> Bool? {
    var spelling: [UInt8] = []
    for index in bytes.indices { spelling.append(bytes[index]) }
    if rules[rule].trueValues.contains(spelling) { return true }
    return rules[rule].falseValues.contains(spelling) ? false : nil
  }
}
