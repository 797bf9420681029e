import Diagnostics

/// The greatest record or field that may be told, 1 GiB.
let greatestByteCount = 1 << 30

/// Reads a count of lines.
func parseCount(_ text: String) throws(ValueFault) -> Int {
  guard isDigits(text), let count = Int(text) else {
    throw ValueFault("'\(excerpt(of: text, limit: 40))' is not a count", remedy: "write digits, such as 2")
  }
  return count
}

/// Reads a count of records, from 1.
func parseRecordCount(_ text: String) throws(ValueFault) -> Int64 {
  guard isDigits(text), let count = Int64(text), count > 0 else {
    throw ValueFault(
      "'\(excerpt(of: text, limit: 40))' is not a count of records",
      remedy: "write digits, such as 100000; 1 at least"
    )
  }
  return count
}

/// Reads how many columns there may be, from 1 to a million.
func parseColumnCount(_ text: String) throws(ValueFault) -> Int {
  let count = try parseCount(text)
  guard (1...1_000_000).contains(count) else {
    throw ValueFault("'\(excerpt(of: text, limit: 40))' is out of range", remedy: "give a count from 1 to 1000000")
  }
  return count
}

/// Reads a number of bytes: digits, perhaps with K, M or G for powers of 1024, from 1 to 1 GiB.
func parseByteCount(_ text: String) throws(ValueFault) -> Int {
  let shown = "'\(excerpt(of: text, limit: 40))'"
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  let shift: Int? =
    switch text[digits.endIndex...].uppercased() {
    case "", "B": 0
    case "K", "KB", "KIB": 10
    case "M", "MB", "MIB": 20
    case "G", "GB", "GIB": 30
    default: nil
    }
  guard !digits.isEmpty, let shift else {
    throw ValueFault("\(shown) is not a size", remedy: "write bytes, or K, M or G after the number, such as 16M")
  }
  guard let count = Int(digits), count > 0, count <= greatestByteCount >> shift else {
    throw ValueFault("\(shown) is out of range", remedy: "give a size from 1 to 1G")
  }
  return count << shift
}

/// Reads seconds: digits with at most one point, down to milliseconds, up to a year.
func parseSeconds(_ text: String) throws(ValueFault) -> Duration {
  let fault = ValueFault(
    "'\(excerpt(of: text, limit: 40))' is no number of seconds",
    remedy: "write digits, such as 30 or 0.5"
  )
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count <= 2, parts.allSatisfy({ isDigits($0) }), let whole = parts.first.flatMap({ Int64($0) }) else {
    throw fault
  }
  guard whole <= 366 * 86_400 else { throw ValueFault("\(whole) seconds are more than a year") }
  guard parts.count == 2 else { return .seconds(whole) }
  guard parts[1].count <= 3, let fraction = Int64(parts[1] + String(repeating: "0", count: 3 - parts[1].count)) else {
    throw ValueFault("'\(excerpt(of: text, limit: 40))' is finer than a millisecond")
  }
  return .seconds(whole) + .milliseconds(fraction)
}

/// Whether a text is ASCII digits, at least one.
private func isDigits(_ text: some StringProtocol) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
}
