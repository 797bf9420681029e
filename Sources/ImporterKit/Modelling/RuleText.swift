import Diagnostics
import EntityModel

/// The rules of an attribute or a relationship in a few words each, for people.
enum RuleText {
  /// What an attribute's values must be, besides of its type.
  static func rules(of attribute: Attribute, in entity: Entity) -> [String] {
    var rules: [String] = []
    if entity.key.contains(attribute.name) { rules.append("key") }
    if attribute.isRequired {
      rules.append(attribute.refusesEmptyText || !mayBeEmpty(attribute.type) ? "required" : "required, may be empty")
    }
    if attribute.isUnique { rules.append("unique") }
    if let value = attribute.defaultValue {
      rules.append("default \(quoted(value))" + (attribute.usesDefaultWhenAbsent ? ", also of rows that exist" : ""))
    }
    if let range = range(attribute.minimum, attribute.maximum) { rules.append(range) }
    if let lengths = lengths(attribute) { rules.append(lengths) }
    if let pattern = attribute.pattern { rules.append("matches \(quoted(pattern))") }
    if let allowed = attribute.allowedValues { rules.append("one of " + list(allowed)) }
    if !attribute.dateFormats.isEmpty { rules.append("written " + list(attribute.dateFormats)) }
    if !attribute.trueValues.isEmpty { rules.append("true is " + list(attribute.trueValues)) }
    if !attribute.falseValues.isEmpty { rules.append("false is " + list(attribute.falseValues)) }
    if !attribute.sourceNames.isEmpty { rules.append("from " + list(attribute.sourceNames)) }
    return rules
  }

  /// How a relationship behaves.
  static func rules(of link: Relationship, in entity: Entity) -> [String] {
    var rules: [String] = []
    if entity.key.contains(link.name), entity.attribute(named: link.name) == nil { rules.append("key") }
    if link.isRequired { rules.append("required") }
    if link.isOrdered { rules.append("ordered") }
    if let counts = counts(link) { rules.append(counts) }
    if let inverse = link.inverse { rules.append("inverse \(quoted(inverse))") }
    if !link.attributes.isEmpty { rules.append("by " + list(link.attributes)) }
    if !link.targetAttributes.isEmpty { rules.append("refers to " + list(link.targetAttributes)) }
    rules.append(onDelete(link.deleteRule))
    if !link.sourceNames.isEmpty { rules.append("from " + list(link.sourceNames)) }
    return rules
  }

  private static func onDelete(_ rule: Relationship.DeleteRule) -> String {
    switch rule {
    case .cascade: "delete cascades"
    case .nullify: "delete nullifies"
    case .deny: "delete is denied"
    case .noAction: "delete does nothing"
    }
  }

  private static func mayBeEmpty(_ type: AttributeType) -> Bool {
    switch type {
    case .text, .uri, .uuid: true
    default: false
    }
  }

  private static func range(_ minimum: String?, _ maximum: String?) -> String? {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): "\(quoted(minimum)) … \(quoted(maximum))"
    case (let minimum?, nil): "≥ \(quoted(minimum))"
    case (nil, let maximum?): "≤ \(quoted(maximum))"
    case (nil, nil): nil
    }
  }

  private static func lengths(_ attribute: Attribute) -> String? {
    let unit = attribute.type == .binary ? "bytes" : "characters"
    return switch (attribute.minimumLength, attribute.maximumLength) {
    case (let minimum?, let maximum?): "\(minimum) … \(maximum) \(unit)"
    case (let minimum?, nil): "≥ \(minimum) \(unit)"
    case (nil, let maximum?): "≤ \(maximum) \(unit)"
    case (nil, nil): nil
    }
  }

  private static func counts(_ link: Relationship) -> String? {
    switch (link.minimumCount, link.maximumCount) {
    case (let minimum?, let maximum?): "\(minimum) … \(maximum)"
    case (let minimum?, nil): "≥ \(minimum)"
    case (nil, let maximum?): "≤ \(maximum)"
    case (nil, nil): nil
    }
  }

  /// The first of some texts, in quotes.
  static func list(_ texts: [String]) -> String {
    texts.prefix(6).map(quoted).joined(separator: ", ") + (texts.count > 6 ? " and \(texts.count - 6) more" : "")
  }

  static func quoted(_ text: String) -> String { "'\(excerpt(of: text, limit: 40))'" }
}
