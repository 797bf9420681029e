import Diagnostics
import EntityModel

/// One kind of record, for people: a table of its columns, with details below each.
///
/// ```text
/// contacts: 5 columns; id tells records apart
///    #  column  type     NULL      distinct  least … greatest
///    1  id      integer     -        unique  1 … 5
///         mean    3
///    2  city    text     1 20 %           2  'Como' … 'Roma'
///         top     'Roma' 3 (75 %), 'Como' 1
/// ```
struct EntityText {
  private let entity: InspectedEntity
  private let isDetailed: Bool

  init(_ entity: InspectedEntity, isDetailed: Bool) {
    self.entity = entity
    self.isDetailed = isDetailed
  }

  var lines: [String] {
    let rows = entity.columns.map { ColumnText($0) }
    let number = max(3, String(entity.columns.count).count + 1)
    let name = min(InspectionLayout.longestName, max(6, rows.map { displayWidth(of: $0.name) }.max() ?? 0))
    let type = max(4, rows.map(\.type.count).max() ?? 0)
    let null = max(4, rows.map(\.null.count).max() ?? 0)
    let distinct = max(8, rows.map(\.distinct.count).max() ?? 0)
    func row(_ cells: (String, String, String, String, String, String)) -> String {
      let start = cells.0.rightAligned(to: number) + "  " + cells.1.cut(to: name).filled(to: name) + "  "
      let middle = cells.2.filled(to: type) + "  " + cells.3.rightAligned(to: null) + "  "
      return start + middle + cells.4.rightAligned(to: distinct) + (cells.5.isEmpty ? "" : "  " + cells.5)
    }
    var lines = title.wrapped(to: InspectionLayout.width)
    lines.append(row(("#", "column", "type", "NULL", "distinct", "least … greatest")))
    for (column, text) in zip(entity.columns, rows) {
      lines.append(row((String(column.position), text.name, text.type, text.null, text.distinct, text.range)))
      lines += (isDetailed ? text.details : []) + text.remarks
    }
    if let estimated = entity.columns.filter({ !$0.distinct.isExact }).map(\.distinct.relativeError).max() {
      lines.append("≈ is an estimate, with a standard error of \(percent(estimated)); ≥ counts at least so many")
    }
    if !isDetailed { lines.append("more than \(InspectedInput.mostDetailedColumns) columns: details with --verbose") }
    if entity.passedOverColumnCount > 0 {
      lines.append("\(grouped(Int64(entity.passedOverColumnCount))) more columns were not looked at")
    }
    return lines
  }

  private var title: String {
    let columns = entity.columns.count == 1 ? "1 column" : "\(grouped(Int64(entity.columns.count))) columns"
    let records = entity.recordCount == 1 ? "1 record" : "\(grouped(entity.recordCount)) records"
    let keys = entity.keyCandidates
    var text = excerpt(of: entity.name, limit: 60) + ": \(records), \(columns)"
    guard entity.recordCount > 1, !keys.isEmpty else { return text }
    text += keys.count == 1 ? "; a key could be " : "; keys could be "
    text += keys.prefix(6).map { "'\(excerpt(of: $0, limit: 40))'" }.joined(separator: ", ")
    return text + (keys.count > 6 ? " and \(keys.count - 6) more" : "")
  }

  private func percent(_ part: Double) -> String {
    let tenths = Int((part * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
