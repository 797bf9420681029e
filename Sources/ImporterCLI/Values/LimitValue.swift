import Diagnostics
import ImporterKit

/// Reads how many rows or records something may happen to: digits, or a share of all with `%`.
func parseLimit(_ text: String, of noun: String) throws(ValueFault) -> LoadJob.Limit {
  let isShare = text.hasSuffix("%")
  let digits = isShare ? text.dropLast() : text[...]
  guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits),
    !isShare || number <= 100
  else {
    throw ValueFault(
      "'\(excerpt(of: text, limit: 40))' is neither a number of \(noun) nor a share of them",
      remedy: "write digits, such as 500, or a whole share from 0% to 100%"
    )
  }
  return isShare ? .percent(number) : .count(number)
}
