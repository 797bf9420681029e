import Diagnostics
import EntityModel
import Records
import SQLiteStore
import Validation

/// Whether a load would take the values of an attribute as they are stored.
struct ValueCheck {
  private let type: AttributeType
  /// Whether whole numbers of a double are integers, and come back as such.
  private let keepsIntegers: Bool
  /// The greatest whole number up to which all are doubles.
  private static let greatestDouble = Int64(1) << 53

  init(_ attribute: Attribute) {
    type = attribute.type
    keepsIntegers = attribute.keepsIntegers
  }

  /// Whether a value comes back as it is.
  func holds(_ value: Value, in text: borrowing TextBuffer) -> Bool {
    switch (value, type) {
    case (.null, _), (.absent, _): true
    case (.text(let slice), .text): findTextFault(text.bytes(of: slice)) == nil
    case (.integer(let number), .integer(let bits)): bits == 64 || number >> (bits - 1) == number >> 63
    case (.real(let number), .double): number.isFinite
    case (.integer(let number), .double): keepsIntegers && number.magnitude <= Self.greatestDouble.magnitude
    case (.integer(let number), .boolean): number == 0 || number == 1
    case (.blob, .binary): true
    case (.text(let slice), .uuid): isUUID(text.bytes(of: slice))
    case (.text(let slice), .uri): findTextFault(text.bytes(of: slice)) == nil && isURI(text.bytes(of: slice))
    case (.text(let slice), .date): parseISODate(text.bytes(of: slice)) != nil
    case (.text(let slice), .datetime): parseISODateTime(text.bytes(of: slice)) != nil
    case (_, .decimal(let precision, let scale)): holdsDecimal(value, precision, scale ?? 0, text)
    default: false
    }
  }

  private func holdsDecimal(_ value: Value, _ precision: Int?, _ scale: Int, _ text: borrowing TextBuffer) -> Bool {
    switch value {
    case .text(let slice):
      if case .parts = parseNumber(text.bytes(of: slice)) { return true }
      return false
    case .integer(let number):
      guard let precision else { return false }
      return precision - scale >= 19 || number.magnitude < Self.power(precision - scale)
    case .real(let number):
      // Neither a number that has more digits than its type, nor one that its column would have as an integer.
      guard let precision, precision <= 15, abs(number) < 1e15 else { return false }
      let scaled = (number * Double(Self.power(scale))).rounded()
      return scaled / Double(Self.power(scale)) == number && scaled.magnitude < Double(Self.power(precision))
    default: return false
    }
  }

  private static func power(_ exponent: Int) -> UInt64 {
    (0..<max(0, min(exponent, 19))).reduce(1) { power, _ in power * 10 }
  }

  /// What is wrong with a value that does not come back, and what to do about it.
  func objection(to value: Value, in text: borrowing TextBuffer) -> String {
    let found: String
    let remedy: String
    switch value {
    case .blob: (found, remedy) = ("bytes", "declare it as BLOB, or make it a text")
    case .integer where type == .double:
      (found, remedy) = ("a whole number, and others that are none", "make all of them REAL, or declare it as NUMERIC")
    case .integer(let number):
      (found, remedy) = (isOfNumbers ? "the number \(number)" : "a number", numberRemedy)
    case .real(let number):
      (found, remedy) = (isOfNumbers || !number.isFinite ? "the number \(number)" : "a number", numberRemedy)
    case .text(let slice):
      if type == .binary {
        (found, remedy) = ("a text", "make it bytes")
      } else if let fault = findTextFault(text.bytes(of: slice)) {
        switch fault {
        case .invalidUTF8(let offset):
          (found, remedy) = ("a text that is not UTF-8 from its byte \(offset + 1) on", "make it bytes, or mend it")
        case .nul(let offset):
          (found, remedy) = ("a text with NUL as its byte \(offset + 1)", "make it bytes, or take the NUL out")
        }
      } else {
        (found, remedy) = ("'\(excerpt(of: text.bytes(of: slice)))'", "mend it, or declare the column as TEXT")
      }
    case .null, .absent: (found, remedy) = ("nothing", "give it a value")
    }
    return "\(found), but its type is '\(type.name)'; \(remedy)"
  }

  private var isOfNumbers: Bool {
    switch type {
    case .integer, .double, .decimal, .boolean: true
    default: false
    }
  }

  private var numberRemedy: String {
    switch type {
    case .binary: "make it bytes"
    case .text, .uuid, .uri, .date, .datetime: "declare it as INTEGER or REAL, or make it a text"
    case .integer, .double, .decimal, .boolean: "mend it, or declare the column otherwise"
    }
  }
}
