import CSQLite
import Diagnostics
import Predicates
import TextFolding

private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

extension Connection {
  /// Makes the functions known that predicates and orders use: `importer_fold`, `importer_like`, `importer_decimal` and
  /// `importer_instant`.
  func addComparisonFunctions() throws(StoreError) {
    try unsafe add("importer_fold", argumentCount: 2) { context, _, arguments in
      let options = unsafe FoldingOptions(rawValue: sqlite3_value_int(arguments?[1]))
      unsafe answer(context, with: argument(arguments, 0) { folded($0, options) })
    }
    try unsafe add("importer_like", argumentCount: 2) { context, _, arguments in
      guard let subject = unsafe argument(arguments, 0, { String(decoding: copied($0), as: UTF8.self) }),
        let pattern = unsafe argument(arguments, 1, { String(decoding: copied($0), as: UTF8.self) })
      else { return }
      unsafe sqlite3_result_int(context, isLike(subject, pattern) ? 1 : 0)
    }
    try unsafe add("importer_decimal", argumentCount: 1) { context, _, arguments in
      // A number's text in SQLite has 15 digits, its shortest one may have 17.
      if unsafe sqlite3_value_type(arguments?[0]) == SQLITE_FLOAT {
        let spelling = unsafe sortableDecimal(Array(sqlite3_value_double(arguments?[0]).description.utf8).span)
        unsafe answer(context, with: spelling.map { Array($0.utf8) })
        return
      }
      let spelling = unsafe argument(arguments, 0) { sortableDecimal($0) }
      unsafe answer(context, with: spelling.flatMap { $0.map { Array($0.utf8) } })
    }
    try unsafe add("importer_instant", argumentCount: 1) { context, _, arguments in
      let spelling = unsafe argument(arguments, 0) { sortableInstant($0) }
      unsafe answer(context, with: spelling.flatMap { $0.map { Array($0.utf8) } })
    }
  }

  /// Makes a function of one argument known that tells whether the whole of a text matches a regular expression.
  ///
  /// - Returns: Its name.
  func addMatching(_ pattern: String, options: FoldingOptions, at column: Int) throws(PredicateError) -> String {
    let expression = try matchingExpression(pattern, options, at: column)
    let name = "importer_matches_\(column)"
    let box = unsafe Unmanaged.passRetained(MatchingExpression(expression))
    let code = unsafe sqlite3_create_function_v2(
      handle,
      name,
      1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      box.toOpaque(),
      { context, _, arguments in
        guard let data = unsafe sqlite3_user_data(context),
          let subject = unsafe argument(arguments, 0, { String(decoding: copied($0), as: UTF8.self) })
        else { return }
        let expression = unsafe Unmanaged<MatchingExpression>.fromOpaque(data).takeUnretainedValue().expression
        unsafe sqlite3_result_int(context, (try? expression.wholeMatch(in: subject)) == nil ? 0 : 1)
      },
      nil,
      nil,
      { data in
        if let data = unsafe data { unsafe Unmanaged<MatchingExpression>.fromOpaque(data).release() }
      }
    )
    precondition(code == SQLITE_OK, "a function of a fresh name can be added")
    return name
  }

  private func add(
    _ name: String,
    argumentCount: CInt,
    _ body: @escaping @convention(c) (OpaquePointer?, CInt, Arguments?) -> Void
  ) throws(StoreError) {
    let code = unsafe sqlite3_create_function_v2(
      handle,
      name,
      argumentCount,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      nil,
      body,
      nil,
      nil,
      nil
    )
    guard code == SQLITE_OK else { throw failure(code) }
  }
}

/// Keeps a regular expression for as long as its function is known.
private final class MatchingExpression {
  let expression: Regex<AnyRegexOutput>

  init(_ expression: Regex<AnyRegexOutput>) { self.expression = expression }
}

/// Reads one argument as text; nil for NULL.
private func argument<Result>(
  _ arguments: Arguments?,
  _ position: Int,
  _ body: (Span<UInt8>) -> Result
) -> Result? {
  guard let value = unsafe arguments?[position], let bytes = unsafe sqlite3_value_text(value) else { return nil }
  let count = unsafe Int(sqlite3_value_bytes(value))
  return unsafe body(Span(_unsafeStart: bytes, count: count))
}

private func copied(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

/// Answers with a text; without one the answer stays NULL.
private func answer(_ context: OpaquePointer?, with text: [UInt8]?) {
  guard let text else { return }
  unsafe text.withUnsafeBytes { bytes in
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    if let start = unsafe start {
      unsafe csqlite_result_text_copy(context, start, Int64(text.count))
    } else {
      unsafe csqlite_result_text_copy(context, "", 0)
    }
  }
}
