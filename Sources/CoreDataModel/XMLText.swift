/// What XML can hold, and how it is written.
package enum XMLText {
  /// Whether all characters are among XML 1.0's.
  package static func canHold(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isCharacter) }

  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// A text as it stands in an element or between quotes, so that a reader gets it back letter by letter.
  ///
  /// What XML cannot hold becomes U+FFFD; who must not lose it asks `canHold` before.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(isCharacter(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }
}

extension XMLElement {
  /// The order in which Xcode writes attributes; others follow by name.
  private static let order = [
    "key", "value", "name", "type", "representedClassName", "isAbstract", "parentEntity", "optional", "transient",
    "toMany", "minCount",
    "maxCount", "deletionRule", "ordered", "attributeType", "minValueString", "maxValueString", "defaultValueString",
    "minDateTimeInterval", "maxDateTimeInterval", "defaultDateTimeInterval", "regularExpressionString",
    "destinationEntity", "inverseName", "inverseEntity", "usesScalarValueType", "syncable",
  ]

  /// Appends the element as Xcode writes it: a line each, indented by four spaces a level.
  func write(to text: inout String, depth: Int = 0) {
    let indentation = String(repeating: "    ", count: depth)
    text += "\(indentation)<\(name)"
    let ranked = attributes.map {
      (rank: Self.order.firstIndex(of: $0.key) ?? Self.order.count, name: $0.key, $0.value)
    }
    for (_, name, value) in ranked.sorted(by: { ($0.rank, $0.name) < ($1.rank, $1.name) }) {
      text += " \(name)=\"\(XMLText.escaped(value))\""
    }
    guard !children.isEmpty else {
      text += "/>\n"
      return
    }
    text += ">\n"
    for child in children { child.write(to: &text, depth: depth + 1) }
    text += "\(indentation)</\(name)>\n"
  }
}
