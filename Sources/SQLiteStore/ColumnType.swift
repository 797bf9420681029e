package import EntityModel

/// What SQLite does to a value on its way into a column; "Datatypes In SQLite", section 3.
enum Affinity: Hashable {
  case text, numeric, integer, real, none

  /// The affinity of a declared type, by SQLite's five rules in their order.
  init(declaredType: String) {
    let name = SQLText.folded(declaredType)
    func contains(_ part: String) -> Bool {
      let bytes = Array(name.utf8)
      let wanted = Array(part.utf8)
      guard bytes.count >= wanted.count else { return false }
      return (0...bytes.count - wanted.count).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
    if contains("int") {
      self = .integer
    } else if contains("char") || contains("clob") || contains("text") {
      self = .text
    } else if contains("blob") || name.isEmpty {
      self = .none
    } else if contains("real") || contains("floa") || contains("doub") {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether a text that looks like a number becomes one.
  var turnsTextIntoNumbers: Bool {
    switch self {
    case .numeric, .integer, .real: true
    case .text, .none: false
    }
  }
}

extension AttributeType {
  /// The type that a column's declaration stands for.
  ///
  /// A declaration of ours means what it says. Any other is read by its affinity, since SQLite enforces no more than
  /// that: every integer has 64 bits, a text no length. A number with digits that SQLite may not keep is a double, and
  /// a name that SQLite takes for a number although it says nothing of the kind (`TIMESTAMP`, `STRING`) is text.
  init(declaredType: String) {
    let (name, numbers) = Self.parts(of: declaredType)
    switch (name, numbers.count) {
    case ("TEXT", 0): self = .text
    case ("INTEGER", 0): self = .integer(bits: 64)
    case ("INTEGER32", 0): self = .integer(bits: 32)
    case ("INTEGER16", 0): self = .integer(bits: 16)
    case ("DECIMAL", 1...2), ("NUMERIC", 1...2):
      let scale = numbers.count == 2 ? numbers[1] : 0
      let isExact = (1...Self.exactDecimalDigits).contains(numbers[0]) && (0...numbers[0]).contains(scale)
      self = isExact ? .decimal(precision: numbers[0], scale: scale) : .double
    case ("DECIMAL_TEXT", 2) where numbers[0] > Self.exactDecimalDigits && (0...numbers[0]).contains(numbers[1]):
      self = .decimal(precision: numbers[0], scale: numbers[1])
    case ("DECIMAL_TEXT", 0): self = .decimal(precision: nil, scale: nil)
    case ("BOOLEAN", 0), ("BOOL", 0): self = .boolean
    case ("DATE", 0): self = .date
    case ("DATETIME", 0): self = .datetime
    case ("UUID_TEXT", 0): self = .uuid
    case ("URI_TEXT", 0): self = .uri
    case ("NUMERIC", _), ("DECIMAL", _), ("NUMBER", _), ("MONEY", _), ("FIXED", _): self = .double
    default:
      switch Affinity(declaredType: declaredType) {
      case .integer: self = .integer(bits: 64)
      case .real: self = .double
      case .none where !declaredType.isEmpty: self = .binary
      case .text, .numeric, .none: self = .text
      }
    }
  }

  /// A declaration's name in upper case and the numbers in its brackets.
  private static func parts(of declaredType: String) -> (name: String, numbers: [Int]) {
    let tokens = SQLToken.tokens(of: declaredType)
    let words = tokens.prefix { !$0.isSymbol("(") }
    var numbers: [Int] = []
    for token in tokens.dropFirst(words.count) where !token.isSymbol("(") && !token.isSymbol(")") {
      if token.isSymbol(",") { continue }
      // Anything but whole numbers is no declaration of ours.
      guard let number = Int(token.text) else { return ("", []) }
      numbers.append(number)
    }
    return (words.map { $0.text.uppercased() }.joined(separator: " "), numbers)
  }
}

extension Attribute {
  /// Whether it is a double in a column that keeps whole numbers as integers, such as `NUMERIC` ones of other programs.
  package var keepsIntegers: Bool {
    get { type == .double && userInfo[Self.affinityKey] == "numeric" }
    set { userInfo[Self.affinityKey] = newValue ? "numeric" : nil }
  }

  private static let affinityKey = "affinity"

  /// What its column is declared as.
  var declaredType: String { keepsIntegers ? "NUMERIC" : type.declaredType }
}
