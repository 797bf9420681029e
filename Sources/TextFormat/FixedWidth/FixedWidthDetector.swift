import EntityModel

/// What was found out about the columns of a fixed-width file.
package struct FixedWidthDetection: Sendable {
  /// The layout; nil where no columns could be found.
  package var layout: FixedWidthLayout?
  /// Whether the columns stand there for certain, so that nobody needs to tell that they do.
  package var isCertain = false
  /// What speaks for the columns, or why there are none.
  package var reason: String
  /// Whether the first line names the columns, and why.
  package var headerReason: String?
}

/// Finds the columns of lines that are aligned by spaces.
///
/// ```text
/// name       born  city          gaps: characters that are spaces on every line
/// Ada        1815  London        a gap is certain if it is padding (two spaces or more) on many lines,
/// Zoë Ann    1990  Rome          or if there are many lines
///         ^^^    ^^
/// ```
package enum FixedWidthDetector {
  /// From how many lines on a single space on all of them cannot be chance.
  private static let manyLines = 10
  private static let longestLine = 20_000

  /// Looks at the beginning of an input.
  ///
  /// - Parameters:
  ///   - sample: The first bytes, in UTF-8.
  ///   - isWholeInput: Whether they are all; else the last line is not looked at.
  ///   - settings: What was told of header, comments and lines to skip; its columns, if there are any, are taken.
  ///   - toldHeader: How many header lines there are, if that was told.
  ///   - knownNames: The names that a header may have, from the model.
  package static func detect(
    sample: Span<UInt8>,
    isWholeInput: Bool,
    settings: FixedWidthLayout,
    toldHeader: Int?,
    knownNames: [String]
  ) -> FixedWidthDetection {
    let all = SampleLines(sample, isWholeInput: isWholeInput).lines.dropFirst(settings.skippedLineCount)
    let comment = settings.comment.map { Array($0.utf8) } ?? []
    let lines = all.filter { !SampleLines.isBlank($0) && (comment.isEmpty || !$0.starts(with: comment)) }
    var detection =
      settings.columns.isEmpty
      ? ruled(lines, settings) ?? gapped(lines, settings) : told(lines, settings)
    guard var layout = detection.layout else { return detection }
    if let toldHeader {
      layout.headerLineCount = toldHeader
    } else if !layout.hasRulers {
      let guess = HeaderGuess(lines: lines, columns: layout.columns, names: knownNames)
      layout.headerLineCount = guess.isHeader ? 1 : 0
      detection.headerReason = guess.reason
    }
    detection.layout = layout
    return detection
  }

  // MARK: Told columns

  private static func told(_ lines: [ArraySlice<UInt8>], _ settings: FixedWidthLayout) -> FixedWidthDetection {
    var layout = settings
    layout.isCutShort = hasLostPadding(lines.map(SampleCharacters.init), layout.columns)
    let ruler = Ruler.drawn(for: layout.columns)
    if let position = lines.prefix(3).firstIndex(where: { $0.elementsEqual(ruler) }) {
      // The rejects of an input that has lost its padding.
      layout.hasRulers = true
      layout.isCutShort = true
      layout.headerLineCount = position
    }
    return FixedWidthDetection(layout: layout, isCertain: true, reason: "told")
  }

  /// Whether lines have lost the spaces at their ends, as in many editors.
  ///
  /// None ends in one, their lengths are many, and most of them reach the last column. Else a short line lacks something.
  private static func hasLostPadding(_ lines: [SampleCharacters], _ columns: [CharacterRange]) -> Bool {
    guard let last = columns.last, columns.count > 1 else { return false }
    guard !lines.contains(where: { $0.count > 0 && $0.isBlank($0.count) }) else { return false }
    let lengths = Dictionary(lines.map { ($0.count, 1) }, uniquingKeysWith: +)
    return lengths.count > 2 && (lengths.values.max() ?? 0) * 4 <= lines.count * 3
      && lines.count(where: { $0.count >= last.first }) * 2 >= lines.count
  }

  // MARK: Rulers

  private static func ruled(_ lines: [ArraySlice<UInt8>], _ settings: FixedWidthLayout) -> FixedWidthDetection? {
    guard let position = lines.prefix(3).firstIndex(where: { Ruler.isRuler(Array($0).span) }) else { return nil }
    let columns = Ruler.columns(of: Array(lines[position]).span)
    guard columns.count > 1 else { return nil }
    var layout = settings
    layout.columns = columns
    layout.isFound = true
    layout.hasRulers = true
    layout.isCutShort = true
    let isSecond = position == 0 && lines.count > 3 && Ruler.isRuler(Array(lines[2]).span)
    layout.headerLineCount = isSecond ? 1 : position
    let body = lines.dropFirst(position + 1).filter { !Ruler.isRuler(Array($0).span) }
    let fitting = body.count { line in
      let characters = SampleCharacters(line)
      return zip(columns, columns.dropFirst()).allSatisfy { left, right in
        ((left.last ?? 0) + 1..<right.first).allSatisfy { characters.isBlank($0) || characters.isBar($0) }
      }
    }
    return FixedWidthDetection(
      layout: layout,
      isCertain: !body.isEmpty && fitting * 5 >= body.count * 4,
      reason:
        "\(columns.count) columns, shown by the ruler '\(String(decoding: lines[position].prefix(24), as: UTF8.self))"
        + (lines[position].count > 24 ? "…'" : "'"),
      headerReason: layout.headerLineCount == 0 ? "no header" : "header: above the ruler"
    )
  }

  // MARK: Gaps

  private static func gapped(_ lines: [ArraySlice<UInt8>], _ settings: FixedWidthLayout) -> FixedWidthDetection {
    func none(_ reason: String) -> FixedWidthDetection { FixedWidthDetection(reason: reason) }
    guard lines.count >= 3 else { return none("fewer than three lines") }
    guard !lines.contains(where: { $0.contains(0x09) }) else { return none("lines hold tabs") }
    guard lines.allSatisfy({ $0.count <= longestLine }) else { return none("lines are too long") }
    let characters = lines.map(SampleCharacters.init)
    let gaps = GapSurvey(characters)
    guard !gaps.gaps.isEmpty else { return none("no character is a space on every line") }
    let sure = gaps.gaps.filter { gaps.isPadding($0) || lines.count >= manyLines }
    guard !sure.isEmpty else { return none("the spaces that all lines have in common pad nothing") }
    var layout = settings
    layout.isFound = true
    layout.columns = gaps.columns(partedBy: sure)
    layout.isCutShort = hasLostPadding(characters, layout.columns)
    let places = sure.prefix(6).map { "\($0.lowerBound)" }.joined(separator: ", ") + (sure.count > 6 ? ", …" : "")
    let isFilled = layout.columns.allSatisfy { column in
      let filled = characters.count { line in
        (column.first...max(column.first, min(column.last ?? line.count, line.count))).contains { !line.isBlank($0) }
      }
      return filled * 2 >= characters.count
    }
    let separator = delimiter(of: lines)
    var detection = FixedWidthDetection(
      layout: layout,
      isCertain: sure.count == gaps.gaps.count && isFilled && separator == nil,
      reason: "\(layout.columns.count) columns, gaps at \(places)"
    )
    if let separator {
      detection.reason = "'\(separator)' stands equally often on every line"
    } else if !isFilled {
      detection.reason = "a column would be empty on most lines"
    } else if !detection.isCertain {
      detection.reason = "single spaces on few lines may part columns, or words"
    }
    return detection
  }

  /// A delimiter that stands equally often on every line.
  private static func delimiter(of lines: [ArraySlice<UInt8>]) -> Character? {
    ["|", ";", ","].first { (mark: Character) in
      guard let byte = mark.asciiValue else { return false }
      let counts = Set(lines.map { line in line.count { $0 == byte } })
      return counts.count == 1 && !counts.contains(0)
    }
  }
}

/// The characters of a line, as far as detectors care.
struct SampleCharacters {
  private let marks: [UInt8]

  /// Takes the first byte of each character for it.
  init(_ line: ArraySlice<UInt8>) { marks = line.filter { $0 & 0xC0 != 0x80 } }

  var count: Int { marks.count }

  /// Whether a character, from 1, is a space or lies behind the line's end.
  func isBlank(_ number: Int) -> Bool { number > marks.count || marks[number - 1] == 0x20 }

  func isBar(_ number: Int) -> Bool { number <= marks.count && marks[number - 1] == UInt8(ascii: "|") }
}

/// The characters that are blank on every line.
private struct GapSurvey {
  /// Runs of characters, from 1, with text on both sides.
  private(set) var gaps: [Range<Int>] = []
  private let lines: [SampleCharacters]
  private let first: Int
  /// The last character of a column, by that before its gap.
  private let width: Int

  init(_ lines: [SampleCharacters]) {
    self.lines = lines
    width = lines.map(\.count).max() ?? 0
    var isFree = [Bool](repeating: true, count: width + 2)
    for line in lines {
      for number in 1...max(1, line.count) where isFree[number] && !line.isBlank(number) { isFree[number] = false }
    }
    first = (1...max(width, 1)).first { !isFree[$0] } ?? 1
    var start: Int?
    for number in first...max(first, width) {
      if isFree[number] {
        start = start ?? number
      } else if let begun = start {
        gaps.append(begun..<number)
        start = nil
      }
    }
  }

  /// Whether a gap is padding: on many lines two spaces or more stand around it, with text on both sides.
  func isPadding(_ gap: Range<Int>) -> Bool {
    var both = 0
    var padded = 0
    for line in lines where line.count >= gap.upperBound {
      both += 1
      let isWide =
        gap.count > 1 || line.isBlank(gap.upperBound) || (gap.lowerBound > first && line.isBlank(gap.lowerBound - 1))
      if isWide { padded += 1 }
    }
    return both * 2 >= lines.count && padded * (lines.count < 10 ? 3 : 8) >= both && padded > 0
  }

  func columns(partedBy gaps: [Range<Int>]) -> [CharacterRange] {
    var columns: [CharacterRange] = []
    var start = 1
    for gap in gaps {
      columns.append(CharacterRange(first: start, last: gap.lowerBound - 1))
      start = gap.upperBound
    }
    return columns + [CharacterRange(first: start, last: nil)]
  }
}

/// Whether the first line names the columns.
private struct HeaderGuess {
  var isHeader = false
  var reason: String

  init(lines: [ArraySlice<UInt8>], columns: [CharacterRange], names: [String]) {
    func cells(_ line: ArraySlice<UInt8>) -> [String] {
      let scalars = Array(String(decoding: line, as: UTF8.self).unicodeScalars)
      return columns.map { column in
        let end = min(column.last ?? scalars.count, scalars.count)
        guard column.first <= end else { return "" }
        var cell = String.UnicodeScalarView()
        cell.append(contentsOf: scalars[column.first - 1..<end])
        let text = String(cell)
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
    guard let line = lines.first else {
      reason = "no header"
      return
    }
    let labels = cells(line)
    let known = Set(names.map { $0.lowercased() })
    let matches = labels.count { known.contains($0.lowercased()) }
    let below = lines.dropFirst().prefix(1000).map(cells)
    if matches > 0, 2 * matches >= min(known.count, labels.count) {
      isHeader = true
      reason = "header: \(matches) of \(labels.count) names match the model"
    } else if labels.contains("") || Set(labels).count < labels.count {
      reason = "no header"
    } else if let column = labels.indices.first(where: { column in
      let values = below.map { $0[column] }.filter { !$0.isEmpty }
      return !Self.isNumeric(labels[column]) && 2 * values.count(where: Self.isNumeric) > values.count
    }) {
      isHeader = true
      reason = "header: yes (column \(column + 1) holds numbers or dates below it)"
    } else {
      reason = "no header (nothing shows one)"
    }
  }

  private static func isNumeric(_ text: String) -> Bool {
    var hasDigit = false
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39: hasDigit = true
      case 0x2B...0x2F, UInt8(ascii: ":"), UInt8(ascii: "%"): break
      default: return false
      }
    }
    return hasDigit
  }
}
