/// What of a text does not count in a comparison.
package struct FoldingOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Upper and lower case are the same: full case folding, so `ß` is `ss`.
  package static let ignoringCase = FoldingOptions(rawValue: 1)
  /// Accents and other nonspacing marks are left out, composed or not: `é` is `e`.
  package static let ignoringDiacritics = FoldingOptions(rawValue: 2)
}
