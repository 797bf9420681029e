import EntityModel

/// Whether the first line of an input names its columns, and why.
struct CSVHeaderGuess {
  let isHeader: Bool
  /// Whether names tell it.
  private(set) var isByName = false
  /// A short phrase, such as `header (numbers in column 2)`.
  let reason: String

  /// - Parameters:
  ///   - rows: The records of a sample, the questionable one first.
  ///   - modelNames: The attributes that a model knows; empty without one.
  ///   - toldNames: Column names that the user told.
  ///   - assumesHeader: What holds without evidence.
  init(rows: [[CSVTrial.Cell]], modelNames: [String], toldNames: [String]?, assumesHeader: Bool) {
    guard let first = rows.first else {
      self.init(assumesHeader, assumesHeader ? "header assumed" : "no header")
      return
    }
    let names = toldNames ?? modelNames
    let labels = first.map { CSVHeader.folded($0.bytes) }
    let known = Set(names.map { CSVHeader.folded($0.utf8) })
    let matches = labels.filter { known.contains($0) }.count
    if matches > 0, 2 * matches >= min(known.count, labels.count) {
      self.init(true, "header matches \(toldNames == nil ? "the model" : "--columns")")
      isByName = true
      return
    }
    // A header that stands there again, before a second table or a joined file, is no value of its columns.
    let body = rows.dropFirst().filter { !Self.isAlike($0, first) }
    if let column = Self.columnOfOtherKind(first, below: body[...]) {
      self.init(true, "header (\(Self.plural(of: body, column)) in column \(column + 1))")
      return
    }
    if let evidence = Self.evidenceOfRecord(first, labels, below: rows.dropFirst()) {
      self.init(false, "no header (\(evidence))")
      return
    }
    if toldNames != nil {
      self.init(false, "no header (--columns)")
      return
    }
    // Where a header is usual, one that names nothing of the model is told and refused, not stored as a record.
    self.init(assumesHeader, assumesHeader ? "header assumed" : "no header")
  }

  private init(_ isHeader: Bool, _ reason: String) {
    self.isHeader = isHeader
    self.reason = reason
  }

  /// A column whose cells are all numbers, dates or booleans, but not the first.
  static func columnOfOtherKind(_ first: [CSVTrial.Cell], below rows: ArraySlice<[CSVTrial.Cell]>) -> Int? {
    columnsOfOtherKind(first, below: rows).first
  }

  /// The columns whose cells are all numbers, dates or booleans, but not the first.
  static func columnsOfOtherKind(
    _ first: [CSVTrial.Cell],
    below rows: ArraySlice<[CSVTrial.Cell]>
  ) -> [Int] {
    first.indices.filter { column in
      guard CSVCellKind(first[column].bytes) == .text else { return false }
      let kinds = kinds(of: rows, column)
      return kinds.count == 1 && !kinds.contains(.text)
    }
  }

  /// Whether two rows are the same, but for cells that the one has more than the other.
  private static func isAlike(_ row: [CSVTrial.Cell], _ other: [CSVTrial.Cell]) -> Bool {
    guard row.count > 1, other.count > 1 else { return false }
    return 2 * min(row.count, other.count) > max(row.count, other.count)
      && zip(row, other).allSatisfy { $0.bytes == $1.bytes }
  }

  private static func kinds(of rows: ArraySlice<[CSVTrial.Cell]>, _ column: Int) -> Set<CSVCellKind> {
    var kinds = Set<CSVCellKind>()
    for row in rows where column < row.count { kinds.insert(CSVCellKind(row[column].bytes)) }
    kinds.remove(.empty)
    return kinds
  }

  private static func plural(of rows: [[CSVTrial.Cell]], _ column: Int) -> String {
    switch kinds(of: rows[...], column).first {
    case .number: "numbers"
    case .date: "dates"
    default: "booleans"
    }
  }

  /// Why the first line must be a record like the others.
  private static func evidenceOfRecord(
    _ first: [CSVTrial.Cell],
    _ labels: [[UInt8]],
    below rows: ArraySlice<[CSVTrial.Cell]>
  ) -> String? {
    for (column, cell) in first.enumerated() {
      switch CSVCellKind(cell.bytes) {
      case .empty: return "cell \(column + 1) is empty"
      case .number: return "cell \(column + 1) is a number"
      case .date: return "cell \(column + 1) is a date"
      case .boolean: return "cell \(column + 1) is a boolean"
      case .text: break
      }
      if rows.contains(where: { column < $0.count && $0[column].bytes == cell.bytes }) {
        return "cell \(column + 1) recurs below"
      }
    }
    return Set(labels).count < labels.count ? "two cells are alike" : nil
  }
}
