package import Diagnostics
package import EntityModel

/// What an input itself says of one kind of its records, such as text records in their `%` lines.
package struct RecordDeclaration: Sendable {
  /// The attributes that are named, with their rules, and the key.
  package var entity: Entity
  /// The attributes whose types are declared; the others' are inferred.
  package var typedNames: Set<String>
  /// All names that fields may have; nil where there are no limits.
  package var allowedNames: [String]?
  /// What is said and not honoured.
  package var remarks: [ModelError]

  /// Makes a declaration.
  package init(entity: Entity, typedNames: Set<String> = [], allowedNames: [String]?, remarks: [ModelError]) {
    self.entity = entity
    self.typedNames = typedNames
    self.allowedNames = allowedNames
    self.remarks = remarks
  }
}
