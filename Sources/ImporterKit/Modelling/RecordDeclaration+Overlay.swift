import EntityModel
import Records

extension RecordDeclaration {
  /// Lays what an input says of its records over what their values show.
  ///
  /// A declared type wins; a declared date stays a datetime where the values have a time of day, as in rec files.
  func overlay(_ attributes: inout [Attribute], isAllText: Bool) {
    for declared in entity.attributes {
      let index = attributes.firstIndex { $0.name == declared.name } ?? attributes.count
      var attribute = declared
      if index < attributes.count {
        let inferred = attributes[index].type
        if !typedNames.contains(declared.name) || (declared.type == .date && inferred == .datetime) {
          attribute.type = inferred
        }
      } else {
        attributes.append(attribute)
      }
      if isAllText {
        attribute.type = .text
        attribute.minimum = nil
        attribute.maximum = nil
      }
      attributes[index] = attribute
    }
    if let allowedNames { attributes.removeAll { !allowedNames.contains($0.name) } }
    let order = entity.attributes.map(\.name)
    let ranked = attributes.enumerated().map { (order.firstIndex(of: $1.name) ?? order.count + $0, $1) }
    if allowedNames != nil { attributes = ranked.sorted { $0.0 < $1.0 }.map(\.1) }
  }
}
