import Diagnostics
import Reporting

/// Reads where a report goes; the extension tells its form.
func parseReport(_ text: String) throws(ValueFault) -> String {
  guard ReportForm(path: text) != nil else {
    throw ValueFault(
      "'\(excerpt(of: text, limit: 200))' does not say how the report is written",
      remedy: "let the name end with .html, .json, .csv or .txt"
    )
  }
  return text
}
