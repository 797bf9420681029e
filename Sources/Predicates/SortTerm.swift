package import TextFolding

/// One step of an order: by which value, and in which direction.
package struct SortTerm: Sendable, Hashable {
  /// Whose values are compared.
  package var path: KeyPath
  /// Whether the greatest comes first.
  package var isDescending: Bool
  /// What does not count: `[c]`, `[d]`.
  package var options: FoldingOptions

  /// Reads an order such as `name,-date,artist.label.name[cd]`; a term at least.
  ///
  /// - Throws: Names the place, what was found and what was expected.
  package static func parse(_ text: String) throws(PredicateError) -> [SortTerm] {
    do throws(PredicateError) { return try PredicateParser.parseOrder(text) } catch { throw error.inOrder }
  }
}
