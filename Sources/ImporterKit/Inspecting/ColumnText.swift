import Diagnostics
import EntityModel

/// One column, for people.
struct ColumnText {
  let column: InspectedColumn
  private static let indent = "        "
  private static let labelWidth = 8
  private static let room = InspectionLayout.width - 16

  init(_ column: InspectedColumn) {
    self.column = column
  }

  // MARK: - Cells of the table

  var name: String { excerpt(of: column.name, limit: 200) }

  var type: String { column.valueCount == 0 ? "nothing" : column.type.name }

  var null: String {
    guard column.nullCount > 0 else { return "-" }
    return grouped(column.nullCount) + " "
      + share(of: column.nullCount, in: column.nullCount + column.valueCount)
      .rightAligned(to: 5)
  }

  var distinct: String {
    if column.valueCount == 0 { return "-" }
    if column.isUnique == true, column.valueCount > 1 { return "unique" }
    return column.distinct.isExact ? grouped(column.distinct.count) : "≈ " + grouped(rounded(column.distinct.count))
  }

  var range: String {
    guard let least = column.minimum, let greatest = column.maximum else { return "" }
    let first = shown(least, InspectionLayout.longestEnd)
    return least.bytes == greatest.bytes ? first : first + " … " + shown(greatest, InspectionLayout.longestEnd)
  }

  // MARK: - Lines below

  var details: [String] {
    guard column.valueCount > 0 else { return [] }
    var lines: [String] = []
    if !column.top.isEmpty { lines += line("top", items: column.top.map { counted($0) }, limit: 5) }
    if column.top.count < column.distinct.count || column.top.isEmpty {
      let values = column.sample.map { shown($0, 30) }
      if !values.isEmpty { lines += line("first", items: values, limit: 5) }
    }
    var facts: [String] = []
    if let mean = column.mean { facts.append(number(mean)) }
    if let lengths { facts.append(lengths) }
    if column.emptyCount > 0 {
      facts.append(column.emptyCount == 1 ? "1 empty string" : "\(grouped(column.emptyCount)) empty strings")
    }
    if column.nullTokenCount > 0 { facts.append("\(grouped(column.nullTokenCount)) NULLs by a told spelling") }
    if column.absentCount > 0, column.absentCount < column.nullCount {
      facts.append("\(grouped(column.absentCount)) of the NULLs are absent")
    }
    if !facts.isEmpty {
      let label = column.mean != nil ? "mean" : lengths != nil ? "length" : "also"
      lines += line(label, facts.joined(separator: "; "))
    }
    if let why { lines += line("type", why) }
    return lines
  }

  var remarks: [String] { column.remarks.flatMap { line("!", excerpt(of: $0.message, limit: 1_000)) } }

  /// Why the type is no narrower one.
  private var why: String? {
    guard let last = column.ruledOut.last else { return nil }
    switch column.type {
    case .text:
      // The type that the deciding value comes nearest to tells most.
      let decided = column.ruledOut.filter { $0.value == last.value }
      let nearest =
        decided.first { !$0.reason.hasPrefix("is not a") && !$0.value.bytes.isEmpty } ?? decided.first ?? last
      let place = nearest.value.line.map { " on line \(grouped(Int64($0)))" } ?? ""
      let value = shown(nearest.value, 30) + place
      return decided.count > 2 && (nearest.reason.hasPrefix("is not a") || nearest.value.bytes.isEmpty)
        ? "text, since \(value) is no number, date or boolean"
        : "text, not \(nearest.type.name): \(value) \(nearest.reason)"
    case .double, .decimal:
      // Of the values before, the first type was ruled out by how all of them are written.
      guard let other = column.ruledOut.last(where: { isNumber($0.type) }), other.value != column.ruledOut[0].value
      else {
        return nil
      }
      let place = other.value.line.map { " on line \(grouped(Int64($0)))" } ?? ""
      return "\(column.type.name), not \(other.type.name): \(shown(other.value, 30))\(place) \(other.reason)"
    default: return nil
    }
  }

  private func isNumber(_ type: AttributeType) -> Bool {
    switch type {
    case .integer, .decimal, .double: true
    default: false
    }
  }

  private var lengths: String? {
    guard column.type == .text, let shortest = column.shortest, let longest = column.longest else { return nil }
    if shortest.characters == longest.characters {
      return shortest.characters == 1 ? "1 character" : "\(grouped(Int64(shortest.characters))) characters each"
    }
    let line = longest.value.line.map { ", line \(grouped(Int64($0)))" } ?? ""
    return
      "\(grouped(Int64(shortest.characters))) to \(grouped(Int64(longest.characters))) characters, the longest "
      + shown(longest.value, 30) + line
  }

  private func counted(_ value: InspectedColumn.Counted) -> String {
    let sign = column.isTopExact ? "" : "≥ "
    let text = value.value.bytes.isEmpty ? "''" : shown(value.value, 24)
    return "\(text) \(sign)\(grouped(value.count)) (\(share(of: value.count, in: column.valueCount)))"
  }

  /// As many items as fit on a line, and how many there are more.
  private func line(_ label: String, items: [String], limit: Int) -> [String] {
    var text = ""
    for item in items.prefix(limit) {
      let more = text.isEmpty ? item : ", " + item
      guard text.isEmpty || displayWidth(of: text + more) <= Self.room else { break }
      text += more
    }
    return line(label, text)
  }

  private func line(_ label: String, _ text: String) -> [String] {
    text.wrapped(to: Self.room).enumerated().map { position, line in
      Self.indent + (position == 0 ? label : "").filled(to: Self.labelWidth) + line
    }
  }

  // MARK: - Values and numbers

  /// A value, in quotes where it is text.
  private func shown(_ value: InspectedColumn.Value, _ width: Int) -> String {
    let text = excerpt(of: value.bytes.span, limit: 200) + (value.isCut ? "…" : "")
    switch column.type {
    case .text, .uuid, .uri, .binary: return "'" + text.cut(to: width - 2) + "'"
    default: return text.cut(to: width)
    }
  }

  private func share(of count: Int64, in total: Int64) -> String {
    guard total > 0 else { return "0 %" }
    if count == total { return "100 %" }
    let percent = Double(count) * 100 / Double(total)
    if percent < 1 { return "<1 %" }
    return "\(min(99, Int(percent.rounded()))) %"
  }

  /// Three digits of an estimate; more would pretend.
  private func rounded(_ count: Int64) -> Int64 {
    var unit: Int64 = 1
    while count / unit >= 1_000 { unit *= 10 }
    return (count + unit / 2) / unit * unit
  }

  /// A mean in at most eight digits.
  private func number(_ value: Double) -> String {
    guard value.magnitude < 1e15, value.magnitude >= 1e-4 || value == 0 else { return value.description }
    var scale = 1.0
    var decimals = 0
    while decimals < 6, value.magnitude * scale < 1e6 {
      scale *= 10
      decimals += 1
    }
    let scaled = Int64((value.magnitude * scale).rounded())
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
    var fraction = String(rest)
    fraction = String(repeating: "0", count: decimals - fraction.count < 0 ? 0 : decimals - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let sign = value < 0 && scaled != 0 ? "-" : ""
    return sign + String(whole) + (rest == 0 || fraction.isEmpty ? "" : "." + fraction)
  }
}
