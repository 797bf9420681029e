import EntityModel

/// One setting of a dialect, and what speaks for it.
package struct CSVEvidence: Sendable, Hashable {
  /// What is set.
  package enum Setting: String, Sendable, Hashable, CaseIterable {
    case delimiter, quote, escape, comment
    case skippedLines = "lines before the header"
    case header
    case footer = "lines after the records"
    case lineEnd = "line end"
    case lastCell = "last cell"
  }

  /// What is set.
  package var setting: Setting
  /// To what; `none` where there is none.
  package var value: String
  /// What in the content shows it; `told` where the user told it.
  package var reason: String
}

extension CSVDetection {
  /// Notes what was detected, for the summary and for those who want to know why.
  mutating func add(
    _ setting: CSVEvidence.Setting,
    _ value: String,
    _ reason: String,
    because cause: String,
    first: Bool = false
  ) {
    reasons.insert(reason, at: first ? 0 : reasons.count)
    evidence.append(CSVEvidence(setting: setting, value: value, reason: cause))
  }

  /// Evidence for the settings that were told, and for those that nothing speaks against.
  func settledEvidence(sample: CSVSample, told: CSVSettings) -> [CSVEvidence] {
    func settled(_ setting: CSVEvidence.Setting, _ value: String?, isTold: Bool, else reason: String) -> [CSVEvidence] {
      guard !evidence.contains(where: { $0.setting == setting }) else { return [] }
      return [CSVEvidence(setting: setting, value: value ?? "none", reason: isTold ? "told" : reason)]
    }
    let ends = sample.lineEnds
    return settled(.delimiter, dialect.delimiter, isTold: told.delimiter != nil, else: "assumed")
      + settled(.quote, dialect.quote, isTold: told.quote != nil, else: "the usual one")
      + settled(.escape, dialect.escape, isTold: told.escape != nil, else: "quotes are doubled")
      + settled(.comment, dialect.comment, isTold: told.comment != nil, else: "no line looks like one")
      + settled(.skippedLines, "\(dialect.skippedLines)", isTold: told.skippedLines != nil, else: "none shows")
      + settled(.header, headerText, isTold: told.header != nil, else: "assumed")
      + settled(.footer, "\(dialect.skippedFooterLines)", isTold: told.skippedFooterLines != nil, else: "none shows")
      + settled(.lineEnd, ends.name, isTold: told.lineEnd != nil, else: ends.counts)
      + settled(.lastCell, "kept", isTold: false, else: "a column like the others")
  }

  private var headerText: String {
    if case .lines(let count) = dialect.header { "\(count)" } else { "none" }
  }
}

extension CSVSample {
  /// The line ends of the sample: what they are called, and how many there are of each kind.
  fileprivate var lineEnds: (name: String, counts: String) {
    var counts = [0, 0, 0]
    for index in range {
      if bytes[index] == 0x0A {
        counts[index > range.lowerBound && bytes[index - 1] == 0x0D ? 1 : 0] += 1
      } else if bytes[index] == 0x0D, index + 1 >= bytes.count || bytes[index + 1] != 0x0A {
        counts[2] += 1
      }
    }
    let found = zip(["LF", "CRLF", "CR"], counts).filter { $0.1 > 0 }
    guard found.count != 1 else { return (found[0].0, "\(found[0].1) \(found[0].0)") }
    return (found.isEmpty ? "none" : "mixed", found.map { "\($0.1) \($0.0)" }.joined(separator: ", "))
  }
}
