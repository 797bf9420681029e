package import Diagnostics
package import EntityModel

extension Diagnostic {
  /// A required attribute is NULL or absent (`value` nil), or an empty text.
  package static func required(_ attribute: Attribute, at location: SourceLocation, value: String?) -> Diagnostic {
    Diagnostic(
      code: .required,
      location: location,
      field: attribute.name,
      value: value,
      expected: "a value",
      message: "required value is missing",
      remedy: "give '\(excerpt(of: attribute.name))' a value, or make it optional in the model"
    )
  }
}
