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

  /// Whether a file with such a beginning was written in this form.
  package func wrote(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return switch self {
    case .json: text.hasPrefix("{\n  \"version\": ") && text.contains("\n  \"command\": ")
    case .html: text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>")
    case .csv: text.hasPrefix("section,subject,name,value\n")
    case .text: text.hasPrefix("importer load, begun ") || text.hasPrefix("importer check, begun ")
    }
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
