/// What was read, and how the run was set.
extension ReportPage {
  private static let fileLimit = 200

  /// The inputs with what was found in them, and where their rejects are.
  var files: Section? {
    guard !report.inputs.isEmpty else { return nil }
    let hasRejects = !report.rejectionFiles.isEmpty
    var kept = Dictionary(grouping: report.rejectionFiles, by: \.input).mapValues { $0[...] }
    let rows: [HTML] = report.inputs.prefix(Self.fileLimit).map { input in
      let pair = kept[input.path]?.popFirst()
      let told = (pair?.options ?? []).joined(separator: " ")
      let reload: HTML = told.isEmpty ? "" : "<br/><span class=\"soft\">to load them again: <code>\(told)</code></span>"
      let rejects: HTML = pair.map { "<code>\($0.rejected)</code><br/><code>\($0.faults)</code>\(reload)" } ?? ""
      let why: HTML = input.reason.map { "<br/><span class=\"soft\">\($0)</span>" } ?? ""
      let digest: HTML =
        input.sha256.map { "<br/><code class=\"soft\" title=\"SHA-256 \($0)\">\(String($0.prefix(12)))…</code>" } ?? ""
      let encoding = input.encoding + (input.encodingReason.map { " (\($0))" } ?? "")
      return """
        <tr><th scope="row">\(shownName(ofInput: input.path))\(digest)</th><td class="n">\(input.byteCount)</td>\
        <td class="n">\(input.recordCount)</td><td>\(([input.format] + input.dialect).joined(separator: ", "))\(why)</td>\
        <td>\(encoding)</td>\(hasRejects ? "<td class=\"names\">\(rejects)</td>" as HTML : "")</tr>

        """
    }
    let more = report.inputs.count - rows.count
    let rest: HTML = more > 0 ? "<p class=\"soft\">… and \(Int64(more)) more files</p>\n" : ""
    return Section(
      "Files",
      remark: report.model.map { model in
        model == .inferred
          ? "Types are those that all values allow" : "Validated against " + model.words(database: report.database)
      },
      """
      <div class="wide"><table class="files">
      <thead><tr><th>file</th><th class="n">bytes</th><th class="n">records</th><th>format</th><th>encoding</th>\
      \(hasRejects ? "<th>rejects and reasons</th>" as HTML : "")</tr></thead>
      <tbody>
      \(rows)</tbody>
      </table></div>
      \(rest)
      """
    )
  }

  /// The settings and where they come from; the told ones are shown at once.
  var settings: Section? {
    guard !report.settings.isEmpty else { return nil }
    func table(_ settings: [RunReport.Setting]) -> HTML {
      let rows: [HTML] = settings.map { setting in
        "<tr><th scope=\"row\"><code>\(setting.name)</code></th><td>\(setting.value)</td>"
          + "<td class=\"soft\">\(setting.origin.words)</td></tr>\n"
      }
      return "<div class=\"wide\"><table><tbody>\n\(rows)</tbody></table></div>\n"
    }
    let told = report.settings.filter { $0.origin != .default }
    let defaults = report.settings.filter { $0.origin == .default }
    let first: HTML = told.isEmpty ? "<p class=\"soft\">all as they are unless told otherwise</p>\n" : table(told)
    let second: HTML = defaults.isEmpty ? "" : "<details><summary>defaults</summary>\(table(defaults))</details>\n"
    return Section("Settings", "\(first)\(second)")
  }
}

extension HTML {
  static func + (one: HTML, other: HTML) -> HTML { "\(one)\(other)" }
}

extension RunReport.Origin {
  /// Such as `from an options file`.
  var words: String {
    switch self {
    case .default: "default"
    case .detected: "detected"
    case .environment: "from the environment"
    case .optionsFile: "from an options file"
    case .option: "told"
    }
  }
}

extension Int64 {
  /// A size such as `512 bytes` or `1.5 MB`, by thousands.
  var bytesForPeople: String {
    var (value, unit) = (Double(self), -1)
    while value >= 1_000, unit < 3 { (value, unit) = (value / 1_000, unit + 1) }
    guard unit >= 0 else { return counted("byte", "bytes") }
    let tenths = Int64((value * 10).rounded())
    let fraction = tenths % 10 == 0 || tenths >= 1_000 ? "" : ".\(tenths % 10)"
    return "\((tenths / 10).spaced)\(fraction) \(["kB", "MB", "GB", "TB"][unit])"
  }
}
