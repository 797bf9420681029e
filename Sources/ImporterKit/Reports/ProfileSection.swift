import Diagnostics
import EntityModel
import Glibc
import Reporting

/// What the columns of the inputs hold, as `importer inspect` finds it: a card for each.
///
/// The files are read once more for it, after the run.
enum ProfileSection {
  private static let columnLimit = 60
  private static let fileLimit = 20
  private static let valueLimit = 5

  private final class Silence: DiagnosticSink {
    func note(_ diagnostic: Diagnostic) {}
  }

  /// The cards; nil where no input can be read a second time, or the end was asked for.
  static func section(of job: LoadJob, model: EntityModel?, cancellation: Cancellation) -> ReportPage.Section? {
    let paths = job.inputs.filter(isReadableAgain)
    guard !paths.isEmpty else { return nil }
    var inspection = InspectJob(inputs: Array(paths.prefix(fileLimit)))
    inspection.reading = job.reading
    inspection.dateFormats = job.model.dateFormats
    guard let outcome = try? inspection.run(diagnostics: Silence(), cancellation: cancellation) else { return nil }
    var room = columnLimit
    var parts: [HTML] = []
    for input in outcome.inputs {
      for entity in input.entities where room > 0 && !entity.columns.isEmpty {
        let cards = entity.columns.prefix(room).map { card($0, type: type(of: $0, in: model)) }
        room -= cards.count
        let more = entity.columns.count - cards.count
        let heading: HTML =
          outcome.inputs.count + input.entities.count > 2
          ? "<h3>\(input.path) · \(entity.name), \(counted(entity.recordCount, "record"))</h3>\n" : ""
        let rest: HTML = more > 0 ? "<p class=\"soft\">… and \(Int64(more)) more columns</p>\n" : ""
        parts.append("\(heading)<div class=\"cards\">\n\(cards)</div>\n\(rest)")
      }
    }
    guard !parts.isEmpty else { return nil }
    let left = max(paths.count - fileLimit, 0)
    let rest = left > 0 ? "; \(left) more files are not shown" : ""
    return ReportPage.Section(
      "What the columns hold",
      remark: "All records of the files, rejected ones too\(rest)",
      "\(parts)"
    )
  }

  /// Whether a path is a file or a folder, not a pipe that has been emptied.
  private static func isReadableAgain(_ path: String) -> Bool {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR
  }

  /// The type that the model has for a column of that name, else the one that its values allow.
  private static func type(of column: InspectedColumn, in model: EntityModel?) -> AttributeType {
    for entity in model?.entities ?? [] {
      let known = entity.attributes.first { $0.name == column.name || $0.sourceNames.contains(column.name) }
      if let known { return known.type }
    }
    return column.type
  }

  private static func card(_ column: InspectedColumn, type: AttributeType) -> HTML {
    let all = column.valueCount + column.nullCount
    let filled = all > 0 ? Double(column.valueCount) / Double(all) : 0
    var facts: [HTML] = []
    func add(_ name: String, _ value: HTML) { facts.append("<tr><th>\(name)</th><td>\(value)</td></tr>\n") }
    if column.nullCount > 0 { add("NULL", "\(column.nullCount) \(share(column.nullCount, of: all))") }
    if column.emptyCount > 0 { add("empty", "\(column.emptyCount)") }
    if column.valueCount > 0 {
      let sign = column.distinct.isExact ? "" : "about "
      add("different", "\(sign)\(column.distinct.count)\(column.isKeyCandidate ? ", all" : "")")
    }
    if let least = column.minimum, let greatest = column.maximum, least != greatest {
      add("from", "<span class=\"value\">\(least.text)</span>")
      add("to", "<span class=\"value\">\(greatest.text)</span>")
    }
    if let only = column.minimum, only == column.maximum, column.top.isEmpty {
      add("value", "<span class=\"value\">\(only.text)</span>")
    }
    if let longest = column.longest, longest.characters > 0 {
      add("longest", "\(Int64(longest.characters).counted("character", "characters", spaced: true))")
    }
    let top: [HTML] = column.top.prefix(valueLimit).map { counted in
      """
      <tr><td><span class="value">\(counted.value.text)</span></td><td class="n">\(counted.count)</td></tr>

      """
    }
    let often: HTML =
      top.isEmpty ? "" : "<table><thead><tr><th>most often</th><th></th></tr></thead><tbody>\n\(top)</tbody></table>\n"
    return """
      <div><h3>\(column.name) <span>\(type.name)</span></h3>
      <svg class="bar" viewBox="0 0 1000 6" preserveAspectRatio="none" role="img" aria-label="\(share(column.valueCount, of: all)) filled">\
      <rect class="inserted" width="\(filled * 1_000)" height="6"/></svg>
      <table><tbody>
      \(facts)</tbody></table>
      \(often)</div>

      """
  }

  private static func share(_ count: Int64, of all: Int64) -> String {
    guard all > 0 else { return "" }
    let tenths = Int64((Double(count) * 1_000 / Double(all)).rounded())
    return tenths == 0 && count > 0 ? "(< 0.1 %)" : "(\(tenths / 10).\(tenths % 10) %)"
  }

  private static func counted(_ count: Int64, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count.spaced) \(noun)s"
  }
}
