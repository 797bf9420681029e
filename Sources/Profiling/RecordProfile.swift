package import Records

/// Counts what the columns of an input hold, batch by batch, in bounded memory.
///
/// What comes out depends on the records and their order alone, not on how they were cut into batches.
package struct RecordProfile {
  /// How the records end.
  package struct LineEnds: Sendable, Hashable {
    /// Records that end with LF.
    package var lf: Int64 = 0
    /// Records that end with CR LF.
    package var crlf: Int64 = 0
    /// Records that end with CR alone.
    package var cr: Int64 = 0
    /// Records without a line end, such as a last one.
    package var none: Int64 = 0
  }

  private struct Shape {
    var recordCount: Int64 = 0
    var columns: [ColumnTally] = []
    /// How many records had at least so many fields as a column's position; makes the rest absent.
    var readableCount: Int64 = 0
    /// The readable records before a column was first met.
    var startCounts: [Int64] = []
    var passedOverCount = 0
  }

  /// The records, unreadable ones included.
  package private(set) var recordCount: Int64 = 0
  /// How the records end.
  package private(set) var lineEnds = LineEnds()
  private var shapes: [Shape] = []
  private var columnCount = 0
  private var budget: ProfileBudget
  private let nullTokens: [[UInt8]]
  private let quotesProtect: Bool

  /// The most columns of all kinds of records together that are looked at.
  package static let mostColumns = 20_000

  /// Starts with nothing counted.
  ///
  /// - Parameters:
  ///   - nullTokens: Further spellings of NULL.
  ///   - quotesProtect: Whether a quoted null token is a text.
  ///   - byteBudget: The memory that all exact counts share.
  package init(nullTokens: [String] = [], quotesProtect: Bool = true, byteBudget: Int = 12 << 20) {
    self.nullTokens = nullTokens.map { Array($0.utf8) }
    self.quotesProtect = quotesProtect
    budget = ProfileBudget(byteCount: byteBudget)
  }

  /// Takes the records of a batch into account; broken ones are counted, and their fields passed over.
  package mutating func observe(_ batch: borrowing RecordBatch) {
    var start = 0
    while start < batch.records.count {
      let kind = Int(batch.records[start].kind)
      var end = start + 1
      while end < batch.records.count, Int(batch.records[end].kind) == kind { end += 1 }
      while shapes.count <= kind { shapes.append(Shape()) }
      // Taken out meanwhile, so that each field costs one look into an array and no more.
      var shape = Shape()
      swap(&shape, &shapes[kind])
      for record in start..<end { observe(record, of: batch, &shape) }
      swap(&shape, &shapes[kind])
      start = end
    }
    for further in batch.repeats {
      let kind = Int(batch.records[further.record].kind)
      guard further.column < shapes[kind].columns.count else { continue }
      shapes[kind].columns[further.column].repeatedCount += 1
    }
  }

  /// The profiles of all kinds of records.
  ///
  /// - Parameter names: The kinds with their columns, as the reader knows them at the end.
  package func profiles(_ names: [RecordShape]) -> [ShapeProfile] {
    names.enumerated().map { kind, name in
      let shape = kind < shapes.count ? shapes[kind] : Shape()
      let columns = name.columns.prefix(Self.mostColumns).enumerated().map { column, columnName in
        var tally = column < shape.columns.count ? shape.columns[column] : ColumnTally()
        let missing = column < shape.columns.count ? shape.startCounts[column] : shape.readableCount
        tally.nullCount += missing
        tally.absentCount += missing
        return tally.profile(name: columnName)
      }
      return ShapeProfile(
        name: name.name,
        recordCount: shape.recordCount,
        columns: columns,
        passedOverCount: max(shape.passedOverCount, name.columns.count - columns.count)
      )
    }
  }

  private mutating func observe(_ record: Int, of batch: borrowing RecordBatch, _ shape: inout Shape) {
    let header = batch.records[record]
    recordCount += 1
    shape.recordCount += 1
    countLineEnd(header.raw, in: batch)
    guard !header.isUnreadable else { return }
    let fieldCount = Int(header.fieldCount)
    if fieldCount > shape.columns.count { addColumns(&shape, fieldCount) }
    let start = Int(header.fieldStart)
    let width = min(fieldCount, shape.columns.count)
    let bytes = batch.text.bytes
    for column in 0..<width {
      let field = batch.fields[start + column]
      guard !field.isNull else {
        shape.columns[column].nullCount += 1
        if field.isAbsent { shape.columns[column].absentCount += 1 }
        continue
      }
      let text = bytes.extracting(field.text.range)
      if !nullTokens.isEmpty, isNullToken(text, field: field) {
        shape.columns[column].nullCount += 1
        shape.columns[column].nullTokenCount += 1
        continue
      }
      shape.columns[column].take(
        text,
        budget: &budget,
        columnCount: columnCount,
        place: ValuePlace(record: record, field: field),
        in: batch
      )
    }
    for column in width..<max(width, shape.columns.count) {
      shape.columns[column].nullCount += 1
      shape.columns[column].absentCount += 1
    }
    shape.readableCount += 1
  }

  private mutating func addColumns(_ shape: inout Shape, _ count: Int) {
    while shape.columns.count < count {
      guard columnCount < Self.mostColumns else {
        shape.passedOverCount = max(shape.passedOverCount, count - shape.columns.count)
        return
      }
      shape.columns.append(ColumnTally())
      shape.startCounts.append(shape.readableCount)
      columnCount += 1
    }
  }

  private func isNullToken(_ text: Span<UInt8>, field: Field) -> Bool {
    guard !(field.isQuoted && quotesProtect) else { return false }
    return nullTokens.contains { areEqual($0.span, text) }
  }

  private mutating func countLineEnd(_ raw: TextSlice, in batch: borrowing RecordBatch) {
    let bytes = batch.text.bytes
    let end = Int(raw.offset) + Int(raw.count)
    guard raw.count > 0 else { return }
    switch bytes[end - 1] {
    case 0x0A:
      if raw.count > 1, bytes[end - 2] == 0x0D { lineEnds.crlf += 1 } else { lineEnds.lf += 1 }
    case 0x0D: lineEnds.cr += 1
    default: lineEnds.none += 1
    }
  }
}
