import Diagnostics
import EntityModel
import Records

extension RecordValidator {
  /// Says what is wrong with a field, where, and what would have been right.
  func diagnostic(
    for fault: FieldFault,
    field: Field,
    rule: Int,
    in batch: borrowing RecordBatch,
    record: Int
  ) -> Diagnostic {
    let rule = rules[rule]
    let attribute = rule.attribute
    let bytes = batch.text.bytes(of: field.text)
    let shown = excerpt(of: bytes)
    let place = batch.location(of: field, in: record)
    func make(_ code: DiagnosticCode, _ message: String, expected: String? = nil, remedy: String) -> Diagnostic {
      Diagnostic(
        code: code,
        location: place,
        field: attribute.name,
        value: shown,
        expected: expected,
        message: message,
        remedy: remedy
      )
    }
    switch fault {
    case .text(.nul(let offset)):
      var diagnostic = make(
        .illegalCharacter,
        "a NUL byte stands in '\(shown)' at byte \(offset + 1)",
        remedy: "remove it, or make the attribute binary"
      )
      if let offset = offsetOfNUL(in: field, of: batch, record: record) {
        diagnostic.location = batch.location(atOffset: offset, byteCount: 1, in: record)
      }
      return diagnostic
    case .text(.invalidUTF8):
      var diagnostic = encodingFault(of: field, in: batch, record: record)
      diagnostic.field = attribute.name
      diagnostic.value = shown
      if let coding = batch.source?.coding { diagnostic.showInvalid(of: coding) }
      return diagnostic
    case .empty: return .required(attribute, at: place, value: "")
    case .file(let fault): return fileFault(fault, shown: shown) { make($0, $1, expected: $2, remedy: $3) }
    case .base64(let position):
      return make(
        .typeError,
        "'\(shown)' is marked as base64 but is not, from byte \(position + 1) on",
        expected: "base64",
        remedy: "encode the value again, or take the mark away"
      )
    case .type(let position):
      if rule.binarySpelling == .hex, attribute.type == .binary, !field.isBase64 {
        return hexFault(shown: shown, position, count: bytes.count) { make($0, $1, expected: $2, remedy: $3) }
      }
      return typeFault(attribute, bytes: bytes, shown: shown, position: position, make)
    case .integerRange:
      let range = integerRange(of: attribute.type)
      return make(
        .outOfRange,
        "'\(shown)' is not \(range)",
        expected: range,
        remedy: "correct the number, or give the attribute a wider type"
      )
    case .notExact:
      return make(
        .outOfRange,
        "'\(shown)' has more digits than a double can hold",
        expected: "at most 15 significant digits",
        remedy: "give the attribute the type 'decimal' or 'text'"
      )
    case .doubleRange:
      return make(
        .outOfRange,
        "'\(shown)' is beyond the range of a double",
        expected: "a number from 2.3e-308 to 1.7e308",
        remedy: "correct the number, or give the attribute the type 'decimal' or 'text'"
      )
    case .wouldRound(let scale):
      return make(
        .outOfRange,
        "'\(shown)' has more than \(counted(scale, "decimal"))",
        expected: attribute.type.name,
        remedy: "correct the number, or give the attribute more decimals"
      )
    case .tooManyDigits:
      return make(
        .outOfRange,
        "'\(shown)' has more digits before the point than \(attribute.type.name) allows",
        expected: attribute.type.name,
        remedy: "correct the number, or give the attribute more digits"
      )
    case .belowMinimum, .aboveMaximum:
      let (limit, word) =
        if case .belowMinimum = fault { (rule.minimum?.spelling ?? "", "least") } else {
          (rule.maximum?.spelling ?? "", "most")
        }
      return make(
        .outOfRange,
        "'\(shown)' is not at \(word) \(limit)",
        expected: "at \(word) \(limit)",
        remedy: "correct the value, or the limit in the model"
      )
    case .tooShort, .tooLong: return lengthFault(attribute, bytes: bytes, isTooShort: fault.isTooShort, make)
    case .pattern:
      return make(
        .pattern,
        "'\(shown)' does not match the pattern '\(excerpt(of: attribute.pattern ?? "", limit: 60))'",
        expected: attribute.pattern,
        remedy: "correct the value, or the pattern in the model"
      )
    case .notAllowed:
      let allowed = (attribute.allowedValues ?? []).prefix(8).map { "'\(excerpt(of: $0, limit: 40))'" }
      let list = allowed.joined(separator: ", ") + ((attribute.allowedValues?.count ?? 0) > 8 ? ", …" : "")
      return make(
        .enum,
        "'\(shown)' is not one of \(list)",
        expected: "one of \(list)",
        remedy: "correct the value, or add it to the model"
      )
    }
  }

  private func typeFault(
    _ attribute: Attribute,
    bytes: Span<UInt8>,
    shown: String,
    position: Int?,
    _ make: (DiagnosticCode, String, String?, String) -> Diagnostic
  ) -> Diagnostic {
    let expected = expectation(of: attribute)
    if bytes.count == 0 {
      return make(
        .typeError,
        "the value is empty, but should be \(expected)",
        expected,
        "give a value, or leave the field out for NULL (in CSV an empty cell without quotes)"
      )
    }
    let detail: String
    if let position, position > 0, position < bytes.count {
      detail = ": '\(excerpt(of: bytes.extracting(position..<bytes.count), limit: 12))' does not belong there"
    } else {
      detail = ""
    }
    return make(
      .typeError,
      "'\(shown)' is not \(expected)\(detail)",
      expected,
      remedy(for: attribute)
    )
  }

  private func lengthFault(
    _ attribute: Attribute,
    bytes: Span<UInt8>,
    isTooShort: Bool,
    _ make: (DiagnosticCode, String, String?, String) -> Diagnostic
  ) -> Diagnostic {
    let unit = attribute.type == .binary ? "byte" : "character"
    let limit = (isTooShort ? attribute.minimumLength : attribute.maximumLength) ?? 0
    let bound = "at \(isTooShort ? "least" : "most") \(counted(limit, unit))"
    let found = attribute.type == .binary ? "" : ", found \(scalarCount(of: bytes))"
    return make(
      .length,
      "'\(excerpt(of: bytes))' is too \(isTooShort ? "short" : "long"): \(bound)\(found)",
      bound,
      "correct the value, or the length in the model"
    )
  }

  /// A second value for an attribute that holds one.
  func repeatedField(_ repeated: RepeatedField, in batch: borrowing RecordBatch, entity: Int) -> Diagnostic {
    let name = batch.shapes[Int(batch.records[repeated.record].kind)].columns[repeated.column]
    return Diagnostic(
      code: .extraCell,
      location: batch.location(of: repeated.field, in: repeated.record),
      entity: plan.entities[entity].name,
      field: name,
      value: excerpt(of: batch.text.bytes(of: repeated.field.text)),
      expected: "one value",
      message: "the field '\(excerpt(of: name))' stands twice in one record",
      remedy: "leave one of its values, or leave the field out by naming the others with --columns"
    )
  }

  private func expectation(of attribute: Attribute) -> String {
    switch attribute.type {
    case .text: "text"
    case .integer: "an integer"
    case .decimal: "a decimal number"
    case .double: "a number"
    case .boolean:
      attribute.trueValues.isEmpty && attribute.falseValues.isEmpty
        ? "true or false"
        : "one of "
          + (attribute.trueValues + attribute.falseValues).map { "'\(excerpt(of: $0, limit: 20))'" }
          .joined(separator: ", ")
    case .date, .datetime:
      if attribute.dateFormats.isEmpty {
        attribute.type == .date ? "a date such as 2024-02-29" : "a date and time such as 2024-02-29T18:30:00Z"
      } else {
        "a real date written as " + attribute.dateFormats.map { excerpt(of: $0, limit: 40) }.joined(separator: " or ")
      }
    case .binary: "base64"
    case .uuid: "a UUID"
    case .uri: "a URI"
    }
  }

  private func remedy(for attribute: Attribute) -> String {
    switch attribute.type {
    case .integer: "write digits only, such as 12, or give the attribute the type 'text'"
    case .decimal, .double: "write it like 12.50, name another decimal mark with --decimal-mark, or use the type 'text'"
    case .date, .datetime: "correct the date, or name its pattern with --date-format"
    case .boolean: "write true or false, or give the attribute the type 'text'"
    case .binary: "encode the bytes in base64"
    case .text, .uuid, .uri: "correct the value, or give the attribute the type 'text'"
    }
  }

  private func integerRange(of type: AttributeType) -> String {
    switch type {
    case .integer(bits: 16): "an integer from -32768 to 32767"
    case .integer(bits: 32): "an integer from -2147483648 to 2147483647"
    default: "an integer from -9223372036854775808 to 9223372036854775807"
    }
  }
}

extension FieldFault {
  fileprivate var isTooShort: Bool {
    if case .tooShort = self { true } else { false }
  }
}

/// A number with its noun, such as `1 decimal` or `2 decimals`.
private func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
