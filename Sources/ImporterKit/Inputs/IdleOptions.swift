import Diagnostics
package import EntityModel

/// Which options of reading have no use for a format; a told setting never does nothing in silence.
package enum IdleOptions {
  private static let ofQuotes: Set<String> = ["delimiter", "quote", "escape", "line-terminator"]
  private static let ofCells: Set<String> = ofQuotes.union(["header", "skip-footer", "bad-rows"])
  private static let ofText: Set<String> = ["layout", "widths"]

  /// The names of the options without use.
  ///
  /// - Parameters:
  ///   - format: nil where it is still to be detected.
  ///   - layout: That of plain text; nil where it is still to be detected.
  package static func names(_ format: FileFormat?, _ layout: TextLayout?) -> Set<String> {
    switch format {
    case .xml, .plist, .json, .ndjson: return ofCells.union(ofText).union(["comment", "skip-lines"])
    case .csv, .tsv: return ofText.union(["record-path"])
    case .text, nil: break
    }
    switch layout {
    case .delimited: return ["record-path", "widths"]
    case .records: return ofCells.union(["record-path", "widths"])
    case .fixed: return ofQuotes.union(["record-path", "skip-footer"])
    case .outline:
      return ["quote", "escape", "line-terminator", "header", "skip-footer", "bad-rows", "record-path", "widths"]
    case .lines: return ofQuotes.union(["record-path", "widths", "skip-footer", "bad-rows"])
    case nil: return format == .text ? ["record-path"] : []
    }
  }
}

extension InputPlan {
  /// The names of the options without use for this input.
  private var idleOptions: Set<String> {
    let layout: TextLayout? =
      switch format.spelling {
      case .delimited: format.format == .text ? .delimited : nil
      case .records: .records
      case .fixed: .fixed
      case .lines: .lines
      case .outline: .outline
      case .xml, .propertyList, .json: nil
      }
    return IdleOptions.names(format.format, layout)
  }

  /// Refuses what the user told if it has no use for any of the inputs, as they were found to be.
  static func refuseIdleOptions(_ options: ReadingOptions, of inputs: [InputPlan]) throws(UsageFailure) {
    guard let first = inputs.first else { return }
    var told = options.toldSettings(byUser: options).map(\.name)
    // That there is no header is true of every format that has none.
    if options.header == CSVDialect.Header.none { told.removeAll { $0 == "header" } }
    if options.badRows != .reject { told.append("bad-rows") }
    guard let idle = told.first(where: { name in inputs.allSatisfy { $0.idleOptions.contains(name) } }) else { return }
    let others = inputs.count > 1 ? ", nor for any of the other inputs" : ""
    throw UsageFailure(
      "--\(idle) has no meaning for '\(excerpt(of: first.content.path))', which is \(first.format.name)\(others)",
      remedy: "leave it out, or tell the --format if that is not so"
    )
  }

  /// What is wrong when no record was found where the user told.
  var recordPathFailure: UsageFailure? {
    guard let path = format.recordPath else { return nil }
    let isXML = format.format == .xml
    return UsageFailure(
      "--record-path: '\(excerpt(of: content.path))' has no \(isXML ? "element" : "records at") '\(excerpt(of: path))'",
      remedy: "name \(isXML ? "an element" : "a key") that stands in the document, or leave the option out"
    )
  }
}
