/// The remedy "did you mean '…'?" for a word that is not known; nil where nothing is near.
///
/// Near is an edit distance below 4 and below half the word's length, without regard to case; else the only candidate
/// that begins with the word.
package func suggestion(for word: String, among candidates: [String]) -> String? {
  nearest(to: word, among: candidates).map { "did you mean '\(excerpt(of: $0))'?" }
}

/// The candidate nearest to a word; the first of those that are equally near.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let stem = word.drop { $0 == "-" }.lowercased()
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(stem, candidate.drop { $0 == "-" }.lowercased())
    guard distance < 4, distance * 2 < max(stem.count, 2), distance < best?.distance ?? .max else { continue }
    best = (candidate, distance)
  }
  if let best { return best.candidate }
  guard stem.count > 1 else { return nil }
  let longer = candidates.filter { $0.drop { $0 == "-" }.lowercased().hasPrefix(stem) }
  return longer.count == 1 ? longer[0] : nil
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour to make one word of another.
///
/// The optimal string alignment distance: no part of a word is changed twice.
/// - Complexity: O(`first.count` × `second.count`).
package func editDistance(_ first: String, _ second: String) -> Int {
  let first = Array(first.unicodeScalars)
  let second = Array(second.unicodeScalars)
  // Words this far apart in length are no typing errors; this bounds the work for hostile input.
  guard abs(first.count - second.count) < 16 else { return abs(first.count - second.count) }
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for row in 0..<first.count {
    var current = [row + 1]
    current.reserveCapacity(second.count + 1)
    for column in 0..<second.count {
      let isEqual = first[row] == second[column]
      var least = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isEqual ? 0 : 1))
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        least = min(least, beforePrevious[column - 1] + 1)
      }
      current.append(least)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[second.count]
}
