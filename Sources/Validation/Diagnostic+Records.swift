import Diagnostics
import EntityModel
import Records

extension Diagnostic {
  /// A record's kind is no entity of the model, or there is none because no record has a field.
  static func noEntity(named name: String, isAny: Bool, at location: SourceLocation) -> Diagnostic {
    guard isAny else {
      return Diagnostic(
        code: .unknownEntity,
        location: location,
        message: "the record has no fields, and no other record has any, so that there is nothing to make a table of",
        remedy: "check that this is the file you meant, or leave the record out"
      )
    }
    guard !name.isEmpty else {
      return Diagnostic(
        code: .unknownEntity,
        location: location,
        message: "the record does not say what it is, and the model has several entities",
        remedy: "name the entity with --entity"
      )
    }
    return Diagnostic(
      code: .unknownEntity,
      location: location,
      value: excerpt(of: name),
      message: "the model has no entity with attributes for '\(excerpt(of: name))' records",
      remedy: "name the entity with --entity, or the records that are meant with --record-path"
    )
  }

  /// A record stands within one that was rejected; nil for one that is of no entity.
  static func dependsOnRejected(_ enclosing: Entity?, line: Int?, at location: SourceLocation) -> Diagnostic {
    if enclosing == nil, line == nil {
      return Diagnostic(
        code: .unresolvedReference,
        location: location,
        message: "the record that this one hung below is not in the file",
        remedy: "put that record's lines above it again, in an outline of labels with a line '%+' between"
      )
    }
    let name = enclosing.map { "the '\(excerpt(of: $0.name))'" } ?? "the record"
    return Diagnostic(
      code: .dependsOnRejected,
      location: location,
      message: "\(name) around it\(line.map { " (line \($0))" } ?? "") was rejected",
      remedy: "mend that record; this one is within it"
    )
  }

  /// Nothing leads from a record's entity to that of the record around it.
  static func noLink(from entity: Entity, to enclosing: Entity, at location: SourceLocation) -> Diagnostic {
    let (own, other) = (excerpt(of: entity.name), excerpt(of: enclosing.name))
    return Diagnostic(
      code: .unresolvedReference,
      location: location,
      message: "a '\(own)' stands within a '\(other)', but no relationship of the model leads from one to the other",
      remedy: "give '\(own)' a relationship to '\(other)', or '\(other)' one whose inverse tells which is meant"
    )
  }

  /// No field of a record is an attribute; a row of nothing but NULLs would hide that its data is lost.
  static func nothingTaken(from entity: Entity, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .missingLabel,
      location: location,
      message: "no field of the record is an attribute of '\(excerpt(of: entity.name))'",
      remedy: "name the fields that are meant with --map, or another model or entity"
    )
  }

  /// A column that no attribute takes; a warning, since its values are left out.
  static func extraLabel(_ column: String, entity: Entity, file: String) -> Diagnostic {
    let isDisplaced = entity.attribute(named: column) != nil
    let link = entity.relationships.first { $0.name == column }
    return Diagnostic(
      severity: .warning,
      code: .extraLabel,
      location: SourceLocation(file: file),
      entity: entity.name,
      field: column,
      message: "column '\(excerpt(of: column))' "
        + (isDisplaced
          ? "gives way to another one that --map names"
          : link == nil ? "is not in the model" : "is a relationship that no value can tell here")
        + ": its values are left out",
      remedy: link.map { "give '\(excerpt(of: $0.target))' a key, or nest the records" }
        ?? "add it to the model, or name the attribute that it fills with --map"
    )
  }

  /// One value stands for a relationship whose target's key has several parts.
  static func keyOfParts(
    _ value: String,
    for link: Relationship,
    of entity: Entity,
    at location: SourceLocation
  ) -> Diagnostic {
    let parts = entity.attributes.filter { $0.keyPath.first == link.name }.map { "'\(excerpt(of: $0.name))'" }
    return Diagnostic(
      code: .typeError,
      location: location,
      entity: entity.name,
      field: link.name,
      value: value,
      message: "'\(value)' alone cannot tell which '\(excerpt(of: link.target))' is meant: "
        + "its key has \(parts.count) parts",
      remedy: "give \(parts.joined(separator: ", "))"
    )
  }
}
