import Diagnostics
import Records

/// Counts the records of one input that are not in its encoding, to say once when that is all of them.
struct EncodingFaults {
  private var recordCount: Int64 = 0
  /// The advice of each fault, and how many gave it.
  private var remedies: [String: Int64] = [:]

  mutating func add(_ rejections: [Rejection]) {
    var last = -1
    for rejection in rejections where rejection.record != last {
      guard let fault = rejection.diagnostics.first(where: { $0.code == .encodingError }) else { continue }
      last = rejection.record
      recordCount += 1
      remedies[fault.remedy, default: 0] += 1
    }
  }

  /// The remark that an input is in another encoding as a whole; nil where some record is fine.
  func remark(of input: InputPlan, recordCount all: Int64) -> Diagnostic? {
    guard recordCount > 1, recordCount == all else { return nil }
    let remedy = remedies.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return Diagnostic(
      severity: .warning,
      code: .encodingError,
      location: SourceLocation(file: input.content.path),
      expected: input.content.encoding.name,
      message: "not one of the \(recordCount) records is valid \(input.content.encoding.name)",
      remedy: remedy ?? "tell the file's encoding with --encoding"
    )
  }
}
