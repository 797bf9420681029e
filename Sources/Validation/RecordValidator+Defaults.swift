import Diagnostics
import EntityModel
package import Records

/// The defaults of the attributes as values.
extension RecordValidator {
  /// The defaults of every entity's attributes, for a writer that fills them in; nil where there is none.
  package mutating func constantDefaults() -> [[ConstantValue?]] {
    plan.entities.indices.map { entity in
      plan.entities[entity].attributes.indices.map { attribute in
        let index = ruleStarts[entity] + attribute
        return rules[index].defaultBytes.flatMap { constantDefault($0, rule: index) }
      }
    }
  }

  private mutating func constantDefault(_ spelling: [UInt8], rule: Int) -> ConstantValue? {
    defer { respelled.truncate(to: 0) }
    func bytes(_ slice: TextSlice) -> [UInt8] {
      let span = respelled.bytes(of: slice)
      return span.indices.map { span[$0] }
    }
    switch defaultValue(spelling, rule: rule, respelledStart: 0) {
    case .null, .absent: return nil
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .text(let slice): return .text(bytes(slice))
    case .blob(let slice): return .blob(bytes(slice))
    }
  }

  /// A default must be a value of its own attribute.
  mutating func checkDefaults() throws(ModelError) {
    for index in rules.indices {
      guard let spelling = rules[index].defaultBytes else { continue }
      let value = defaultValue(spelling, rule: index, respelledStart: 0)
      respelled.truncate(to: 0)
      guard case .null = value else { continue }
      let attribute = rules[index].attribute
      throw ModelError(
        source: attribute.name,
        message: "the default '\(excerpt(of: attribute.defaultValue ?? ""))' is no \(attribute.type.name)",
        remedy: "correct the default in the model"
      )
    }
  }
}
