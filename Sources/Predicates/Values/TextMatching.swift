import Diagnostics
package import TextFolding

/// A regular expression for the whole of texts that have been folded without `[c]`; it ignores case itself.
///
/// - Parameter column: Where it stands in its predicate.
package func matchingExpression(
  _ pattern: String,
  _ options: FoldingOptions,
  at column: Int
) throws(PredicateError) -> Regex<AnyRegexOutput> {
  do {
    // Folding case would turn \S into \s.
    let compiled = try Regex(folded(pattern, options.subtracting(.ignoringCase)))
    return options.contains(.ignoringCase) ? compiled.ignoresCase() : compiled
  } catch {
    throw PredicateError(
      at: column,
      "'\(excerpt(of: pattern))' is not a regular expression",
      remedy: "correct it; \\ before a sign makes it ordinary"
    )
  }
}

/// Whether the whole of a text fits a pattern in which `*` stands for any characters, `?` for one, and `\` makes the
/// next one ordinary.
///
/// - Complexity: O(length of the text × length of the pattern) at most; no recursion.
package func isLike(_ subject: String, _ pattern: String) -> Bool {
  let subject = Array(subject.unicodeScalars)
  let pattern = Array(pattern.unicodeScalars)
  var position = 0
  var next = 0
  // Where to go on when the rest does not fit: the pattern after the last `*`, and the text it has not taken yet.
  var star: (next: Int, position: Int)?
  while position < subject.count {
    if next < pattern.count, pattern[next] == "*" {
      star = (next + 1, position)
      next += 1
      continue
    }
    let isEscape = next + 1 < pattern.count && pattern[next] == "\\"
    let isAny = next < pattern.count && pattern[next] == "?"
    let wanted = isEscape ? pattern[next + 1] : next < pattern.count ? pattern[next] : nil
    if isAny || wanted == subject[position] {
      position += 1
      next += isEscape ? 2 : 1
    } else if let last = star {
      star = (last.next, last.position + 1)
      position = last.position + 1
      next = last.next
    } else {
      return false
    }
  }
  while next < pattern.count, pattern[next] == "*" { next += 1 }
  return next == pattern.count
}
