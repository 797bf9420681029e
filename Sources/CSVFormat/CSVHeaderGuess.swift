import EntityModel

/// Whether the first line of an input names its columns, and why.
struct CSVHeaderGuess {
  var isHeader: Bool
  var reason: String

  /// - Parameters:
  ///   - rows: The records of a sample, the questionable one first.
  ///   - modelNames: The attributes that a model knows; empty without one.
  ///   - toldNames: Column names that the user told.
  ///   - assumesHeader: What holds without evidence.
  init(rows: [[CSVTrial.Cell]], modelNames: [String], toldNames: [String]?, assumesHeader: Bool) {
    guard let first = rows.first else {
      self.init(assumesHeader, assumesHeader ? "assumed" : "none")
      return
    }
    let names = toldNames ?? modelNames
    let labels = first.map { Self.folded($0.bytes) }
    let known = Set(names.map { Self.folded(Array($0.utf8)) })
    let matches = labels.filter { known.contains($0) }.count
    if matches > 0, 2 * matches >= min(known.count, labels.count) {
      let whole = matches == labels.count && matches == known.count
      let source = toldNames == nil ? "the model" : "those told"
      self.init(true, whole ? "names match \(source)" : "\(matches) of \(labels.count) names match \(source)")
      return
    }
    if let column = Self.columnOfOtherKind(first, below: rows.dropFirst()) {
      self.init(true, "yes (column \(column + 1) holds \(Self.plural(of: rows, column)) below it)")
      return
    }
    if let evidence = Self.evidenceOfRecord(first, labels, below: rows.dropFirst()) {
      self.init(false, "none (\(evidence))")
      return
    }
    if toldNames != nil {
      self.init(false, "none (columns are told)")
      return
    }
    // Where a header is usual, one that names nothing of the model is told and refused, not stored as a record.
    self.init(assumesHeader, assumesHeader ? "assumed" : "none (nothing shows one)")
  }

  private init(_ isHeader: Bool, _ reason: String) {
    self.isHeader = isHeader
    self.reason = "header: " + reason
  }

  /// A column whose cells are all numbers, dates or booleans, but not the first.
  private static func columnOfOtherKind(_ first: [CSVTrial.Cell], below rows: ArraySlice<[CSVTrial.Cell]>) -> Int? {
    first.indices.first { column in
      guard CSVCellKind(first[column].bytes) == .text else { return false }
      let kinds = kinds(of: rows, column)
      return kinds.count == 1 && !kinds.contains(.text)
    }
  }

  private static func kinds(of rows: ArraySlice<[CSVTrial.Cell]>, _ column: Int) -> Set<CSVCellKind> {
    var kinds = Set<CSVCellKind>()
    for row in rows where column < row.count { kinds.insert(CSVCellKind(row[column].bytes)) }
    kinds.remove(.empty)
    return kinds
  }

  private static func plural(of rows: [[CSVTrial.Cell]], _ column: Int) -> String {
    switch kinds(of: rows.dropFirst(), column).first {
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
      case .empty: return "cell \(column + 1) of the first line is empty"
      case .number: return "cell \(column + 1) of the first line is a number"
      case .date: return "cell \(column + 1) of the first line is a date"
      case .boolean: return "cell \(column + 1) of the first line is a boolean"
      case .text: break
      }
      if rows.contains(where: { column < $0.count && $0[column].bytes == cell.bytes }) {
        return "cell \(column + 1) of the first line stands below it again"
      }
    }
    return Set(labels).count < labels.count ? "two cells of the first line are alike" : nil
  }

  private static func folded(_ name: [UInt8]) -> [UInt8] {
    name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
