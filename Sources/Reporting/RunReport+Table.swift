import Diagnostics

extension RunReport {
  /// The report as CSV, for spreadsheets and databases: a fact a line, in four columns.
  ///
  /// | section | subject | name | value |
  /// |---|---|---|---|
  /// | `run` | | `command`, `outcome`, `reason`, `error`, `hint`, `exitStatus`, `database`, `model`, `started`, `seconds` | |
  /// | `setting` | its name | where it came from | its value |
  /// | `input` | its path | `bytes`, `sha256`, `records`, `format`, `dialect`, `encoding`, `rejected`, `faults` | |
  /// | `entity` | its name, or `(total)` | a count, such as `inserted` | |
  /// | `fault`, `warning` | | the code | how many |
  /// | `column` | `entity.field`, or one of them | the code | how many |
  package func csv() -> String {
    var lines: [UInt8] = Array("section,subject,name,value\n".utf8)
    func add(_ section: String, _ subject: String, _ name: String, _ value: String?) {
      guard let value else { return }
      for cell in [section, subject, name, value] { FaultTable.append(cell.isEmpty ? nil : cell, to: &lines) }
      lines[lines.count - 1] = UInt8(ascii: "\n")
    }
    add("run", "", "command", command)
    add("run", "", "outcome", outcome.word)
    add("run", "", "reason", outcome.reason)
    add("run", "", "error", failure?.message)
    add("run", "", "hint", failure?.remedy)
    add("run", "", "exitStatus", String(exitStatus))
    add("run", "", "database", database)
    add("run", "", "model", model?.words(database: database))
    add("run", "", "started", startedAt.map { UTCTime(seconds: $0).text })
    add("run", "", "seconds", elapsed.decimalSeconds)
    for setting in settings { add("setting", setting.name, setting.origin.rawValue, setting.value) }
    var kept = Dictionary(grouping: rejectionFiles, by: \.input).mapValues { $0[...] }
    for input in inputs {
      add("input", input.path, "bytes", String(input.byteCount))
      add("input", input.path, "sha256", input.sha256)
      add("input", input.path, "records", String(input.recordCount))
      add("input", input.path, "format", input.format)
      if !input.dialect.isEmpty { add("input", input.path, "dialect", input.dialect.joined(separator: ", ")) }
      add("input", input.path, "encoding", input.encoding)
      let pair = kept[input.path]?.popFirst()
      add("input", input.path, "rejected", pair?.rejected)
      add("input", input.path, "faults", pair?.faults)
    }
    for entity in entities {
      for (name, count) in entity.namedCounts { add("entity", entity.name, name, String(count)) }
    }
    for (name, count) in total.namedCounts { add("entity", "(total)", name, String(count)) }
    for (section, counts) in [("fault", faultCounts), ("warning", warningCounts)] {
      for (code, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        add(section, "", code.rawValue, String(count))
      }
    }
    for (place, count) in census.sortedPlaces {
      let subject = [place.entity, place.field].compactMap { $0 }.joined(separator: ".")
      add("column", subject, place.code.rawValue, String(count))
    }
    if census.elsewhere > 0 { add("column", "(elsewhere)", "", String(census.elsewhere)) }
    return String(decoding: lines, as: UTF8.self)
  }

  /// The report as plain text: the summary without a bound, the columns at fault, the settings.
  package func text() -> String {
    var lines = startedAt.map { ["importer \(command), begun \(UTCTime(seconds: $0).textForPeople) UTC"] } ?? []
    lines += summaryLines(width: 400, limit: .max)
    if let failure {
      lines.append("error: " + excerpt(of: failure.message, limit: 4_096))
      if let remedy = failure.remedy { lines.append("  help: " + excerpt(of: remedy, limit: 4_096)) }
    }
    let places = census.sortedPlaces
    if !places.isEmpty {
      lines += ["", "faults by column"]
      for (place, count) in places.prefix(Self.columnLimit) {
        let subject = [place.entity, place.field].compactMap { $0 }.map { excerpt(of: $0) }.joined(separator: ".")
        lines.append("  \(count.grouped) \(place.code.rawValue)" + (subject.isEmpty ? "" : " in \(subject)"))
      }
      if places.count > Self.columnLimit { lines.append("  … and \(places.count - Self.columnLimit) more places") }
    }
    let told = settings.filter { $0.origin != .default }
    if !told.isEmpty {
      lines += ["", "settings"]
      lines += told.map { "  \(excerpt(of: $0.name)) = \(excerpt(of: $0.value)) (\($0.origin.words))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let columnLimit = 200
}

extension RunReport.Outcome {
  /// As reports call it.
  var word: String {
    switch self {
    case .committed: "committed"
    case .checked: "checked"
    case .unchanged: "unchanged"
    case .undone: "undone"
    case .stopped: "stopped"
    }
  }

  /// Why it came to that; nil where it is plain.
  var reason: String? {
    switch self {
    case .committed, .checked: nil
    case .unchanged(let reason), .undone(let reason), .stopped(let reason, _): reason
    }
  }
}

extension EntityCounts {
  /// All counts with their names, in the order in which reports have them.
  package var namedCounts: [(name: String, count: Int64)] {
    [
      ("read", read), ("inserted", inserted), ("updated", updated), ("unchanged", unchanged), ("skipped", skipped),
      ("rejected", rejected), ("filtered", filtered), ("made", made), ("deleted", deleted),
    ]
  }
}
