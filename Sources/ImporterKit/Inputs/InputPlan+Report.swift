import ByteStreams
import Diagnostics
import EntityModel
import Reporting

extension InputPlan {
  /// What the report says of the input, once it has been read.
  ///
  /// - Parameter isCut: Whether the run ended before the input did; then it is not read for its digest.
  func reportInput(recordCount: Int64, recordNames: [String], isCut: Bool) throws(ReadError) -> RunReport.Input {
    var input = RunReport.Input(path: content.path, format: format.name + (content.isCompressed ? ", gzip" : ""))
    let digest = try isCut ? nil : content.finishedDigest()
    input.byteCount = digest?.byteCount ?? content.byteCount ?? 0
    input.sha256 = digest?.sha256
    input.dialect = format.traits
    input.encoding = content.encoding.name
    input.encodingReason = content.encoding.reason
    if format.format == .xml, recordCount > 0 {
      let elements = recordNames.prefix(3).map { "<\(excerpt(of: $0))>" }.joined(separator: ", ")
      input.dialect.append("records are " + elements + (recordNames.count > 3 ? ", …" : ""))
    }
    if format.format == .plist, let name = recordNames.first(where: { !$0.isEmpty }) {
      input.dialect.append("records are under '\(excerpt(of: name))'" + (recordNames.count > 1 ? ", …" : ""))
    }
    input.reason = format.reason
    input.recordCount = recordCount
    return input
  }
}
