import Diagnostics
import EntityModel
import Profiling

/// What a person should know of a column before it is loaded.
struct ColumnRemarks {
  private let column: InspectedColumn
  private let profile: ColumnProfile
  private(set) var remarks: [InspectedColumn.Remark] = []

  init(_ column: InspectedColumn, _ profile: ColumnProfile) {
    self.column = column
    self.profile = profile
    if column.type == .text {
      addNearlyTyped()
      addNumbers()
      addDates()
      addWords()
    }
    for remark in profile.remarks { add(remark) }
    addTwins()
    if column.repeatedCount > 0 {
      add(
        "repeated-field",
        column.repeatedCount,
        nil,
        "\(values(column.repeatedCount)) more where a record has several; they are not looked at here"
      )
    }
  }

  private func count(_ kinds: ValueKind...) -> Int64 {
    profile.kinds.filter { kinds.contains($0.kind) }.reduce(0) { $0 + $1.count }
  }

  private func first(_ kind: ValueKind) -> InspectedColumn.Value? {
    profile.kinds.first { $0.kind == kind }.map { InspectedColumn.Value($0.first) }
  }

  /// Values that are not empty, words for nothing and blanks left out.
  private var tellingCount: Int64 { column.valueCount - column.emptyCount - count(.nullWord, .blank) }

  private mutating func add(_ code: String, _ count: Int64, _ first: InspectedColumn.Value?, _ message: String) {
    remarks.append(.init(code: code, count: count, first: first, message: message))
  }

  private func values(_ count: Int64) -> String { count == 1 ? "1 value" : "\(grouped(count)) values" }

  private func shown(_ value: InspectedColumn.Value?) -> String {
    guard let value else { return "" }
    let line = value.line.map { " (line \(grouped(Int64($0))))" } ?? ""
    return "'\(excerpt(of: value.bytes.span))'" + line
  }

  // MARK: - By kind

  /// A column that would have a type but for a few values.
  private mutating func addNearlyTyped() {
    let types: [(kind: ValueKind, type: AttributeType, name: String)] = [
      (.integer, .integer(bits: 64), "integers"), (.decimal, .decimal(precision: nil, scale: nil), "decimal numbers"),
      (.isoDate, .date, "dates"), (.isoDatetime, .datetime, "datetimes"), (.boolean, .boolean, "booleans"),
    ]
    for candidate in types {
      let fitting = count(candidate.kind)
      guard fitting > 0, fitting < column.valueCount, 10 * fitting >= 9 * column.valueCount,
        let other = column.ruledOut.first(where: { $0.type == candidate.type })
      else { continue }
      let misfits = column.valueCount - fitting
      add(
        "nearly-typed",
        misfits,
        other.value,
        "all but \(values(misfits)) of \(grouped(column.valueCount)) are \(candidate.name); the first that is none: "
          + shown(other.value)
      )
    }
  }

  private mutating func addNumbers() {
    let numbers = count(.integer, .decimal, .otherNumber, .commaNumber, .pointGroupedNumber, .groupedNumber)
    guard numbers > 0, 2 * numbers >= tellingCount else { return }
    if count(.integer, .decimal) == tellingCount, let value = first(count(.integer) > 0 ? .integer : .decimal) {
      add(
        "mixed-decimals",
        tellingCount,
        value,
        "numbers with different counts of decimals, such as \(shown(value)), stay text, since one type would print some "
          + "otherwise; --type \(typeArgument)=decimal checks them as numbers and keeps them as they are written"
      )
    }
    let points = count(.pointGroupedNumber)
    if points > 0 {
      add(
        "point-grouped-number",
        points,
        first(.pointGroupedNumber),
        "\(values(points)) with points between thousands, such as \(shown(first(.pointGroupedNumber))): no option reads "
          + "them as numbers; take the points out first"
      )
    }
    let commas = count(.commaNumber)
    if commas > 0, points == 0 {
      add(
        "decimal-comma",
        commas,
        first(.commaNumber),
        "\(values(commas)) with a decimal comma, such as \(shown(first(.commaNumber))); if they are numbers, load with "
          + "--decimal-mark , and a --type"
      )
    }
    let groups = count(.groupedNumber)
    if groups > 0 {
      add(
        "grouped-number",
        groups,
        first(.groupedNumber),
        "\(values(groups)) with a comma before three digits, such as \(shown(first(.groupedNumber))): thousands or "
          + "decimals, the file does not say"
      )
    }
    let others = count(.otherNumber)
    if others > 0, let value = first(.otherNumber) {
      let reason = TypeObstacle.reason(why: value.bytes, isNo: .integer(bits: 64))
      add(
        "number-as-text",
        others,
        value,
        others == 1
          ? "1 value stays text: \(shown(value)) \(reason)"
          : "\(values(others)) stay text, such as \(shown(value)): it \(reason)"
      )
    }
  }

  /// The column's name as an option takes it, quoted for a shell where need be.
  private var typeArgument: String {
    ImporterKit.quotedForShell(column.name)
  }

  private mutating func addDates() {
    let dayFirst = count(.dayFirstDate)
    let monthFirst = count(.monthFirstDate)
    let ambiguous = count(.ambiguousDate)
    let impossible = count(.impossibleDate)
    let yearFirst = count(.yearFirstDate)
    let dates = dayFirst + monthFirst + ambiguous + impossible + yearFirst + count(.isoDate, .isoDatetime)
    guard dates > 0, 2 * dates >= tellingCount else { return }
    if dayFirst + monthFirst + ambiguous > 0 { addDateOrder(dayFirst, monthFirst, ambiguous) }
    if yearFirst > 0 {
      add(
        "year-first-date",
        yearFirst,
        first(.yearFirstDate),
        "\(values(yearFirst)) like \(shown(first(.yearFirstDate))): dates, but not as ISO 8601 writes them; tell "
          + "--date-format"
      )
    }
    if impossible > 0 {
      add(
        "impossible-date",
        impossible,
        first(.impossibleDate),
        "\(values(impossible)) written like a date that is no day of the calendar, such as "
          + shown(first(.impossibleDate))
      )
    }
  }

  private mutating func addDateOrder(_ dayFirst: Int64, _ monthFirst: Int64, _ ambiguous: Int64) {
    let count = dayFirst + monthFirst + ambiguous
    let value = first(dayFirst > 0 ? .dayFirstDate : monthFirst > 0 ? .monthFirstDate : .ambiguousDate)
    let ending = patternEnding(value?.bytes ?? [])
    let rest = ambiguous > 0 ? "; \(grouped(ambiguous)) could be read either way" : ""
    let message: String
    switch (dayFirst > 0, monthFirst > 0) {
    case (true, true):
      message =
        "dates in both orders: \(values(dayFirst)) with the day first, such as \(shown(first(.dayFirstDate))), "
        + "\(values(monthFirst)) with the month first, such as \(shown(first(.monthFirstDate)))" + rest
    case (true, false):
      message =
        "dates with the day first: \(values(dayFirst)), such as \(shown(value))" + rest
        + "; tell --date-format \(ending.quote)%d\(ending.mark)%m\(ending.text)"
    case (false, true):
      message =
        "dates with the month first: \(values(monthFirst)), such as \(shown(value))" + rest
        + "; tell --date-format \(ending.quote)%m\(ending.mark)%d\(ending.text)"
    case (false, false):
      message =
        "dates that do not show whether day or month comes first: \(values(ambiguous)), such as \(shown(value)); tell "
        + "--date-format"
    }
    add("date-order", count, value, message)
  }

  /// What a date's pattern goes on with behind its first two numbers, by an example such as `31/12/24 10:30`.
  private func patternEnding(_ value: [UInt8]) -> (quote: String, mark: String, text: String) {
    let mark = value.first { !(0x30...0x39).contains($0) } ?? UInt8(ascii: "/")
    let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
    let year = parts.first?.split(separator: mark).last?.count ?? 4
    let separator = String(Unicode.Scalar(mark))
    let date = separator + (year == 2 ? "%y" : "%Y")
    guard parts.count == 2 else { return ("", separator, date) }
    let colons = parts[1].count { $0 == UInt8(ascii: ":") }
    return ("'", separator, date + (colons > 1 ? " %H:%M:%S'" : " %H:%M'"))
  }

  private mutating func addWords() {
    let nulls = count(.nullWord)
    if nulls > 0, let value = first(.nullWord) {
      add(
        "null-word",
        nulls,
        value,
        "\(values(nulls)) may stand for NULL, such as \(shown(value)); if so, tell --null \(quotedForShell(value))"
      )
    }
    let blanks = count(.blank)
    if blanks > 0 {
      add("blank", blanks, first(.blank), "\(values(blanks)) of nothing but blanks, first at \(shown(first(.blank)))")
    }
    let words = count(.booleanWord)
    if words > 1, words + count(.boolean) == tellingCount, column.distinct.count <= 6 {
      add(
        "boolean-word",
        words,
        first(.booleanWord),
        "\(values(words)) look like booleans, such as \(shown(first(.booleanWord))); only 'true' and 'false' are taken "
          + "for booleans"
      )
    }
  }

  private func quotedForShell(_ value: InspectedColumn.Value) -> String {
    ImporterKit.quotedForShell(excerpt(of: value.bytes.span))
  }

  // MARK: - By value

  private mutating func add(_ remark: ColumnProfile.Remark) {
    let value = InspectedColumn.Value(remark.first)
    let (code, what) =
      switch remark.remark {
      case .surroundingSpace: ("surrounding-space", "with white space before or after")
      case .lineBreak: ("line-break", "of more than one line")
      case .controlCharacter: ("control-character", "with a control character")
      case .invalidUTF8: ("invalid-utf8", "not in the encoding of the file, which load rejects")
      case .replacementCharacter: ("replacement-character", "with U+FFFD, which stands for a character lost before")
      case .doubleEncoding: ("double-encoding", "that look encoded twice, UTF-8 taken for Latin-1")
      case .invisibleCharacter: ("invisible-character", "with an invisible character")
      }
    // A value of nothing but blanks has a remark of its own.
    let blanks = remark.remark == .surroundingSpace && column.type == .text ? count(.blank) : 0
    guard remark.count > blanks else { return }
    add(code, remark.count, value, "\(values(remark.count)) \(what), first \(shown(value))")
  }

  private mutating func addTwins() {
    guard let twins = profile.caseTwins, column.type == .text else { return }
    let first = InspectedColumn.Value(twins.first)
    add(
      "case-twins",
      twins.count,
      first,
      "\(grouped(twins.count)) of the different values differ only by case, such as \(shown(first)) and "
        + shown(InspectedColumn.Value(twins.second))
    )
  }
}

/// The digits in groups of three, such as `1,234,567`, whatever the locale.
func grouped(_ number: Int64) -> String {
  var text = ""
  for (position, digit) in String(number.magnitude).reversed().enumerated() {
    if position > 0, position % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + String(text.reversed())
}
