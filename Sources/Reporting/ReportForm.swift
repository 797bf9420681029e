/// How a report file is written; its name says it.
package enum ReportForm: Sendable, Hashable, CaseIterable {
  case json, html, csv, text

  /// The form that a file's name asks for; nil for any other name.
  package init?(path: String) {
    let name = path.lowercased()
    let found = Self.allCases.first { form in form.extensions.contains { name.hasSuffix($0) } }
    guard let found else { return nil }
    self = found
  }

  private var extensions: [String] {
    switch self {
    case .json: [".json"]
    case .html: [".html", ".htm"]
    case .csv: [".csv"]
    case .text: [".txt"]
    }
  }
}
