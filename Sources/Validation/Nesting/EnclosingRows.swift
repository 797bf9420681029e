import Records

/// The rows that records enclosing others have become, for those to take values from.
///
/// A record always stands behind the one that encloses it: in the same batch, or, where a format lets the enclosing one
/// go early, in a later one. So the rows around the last record of a batch are kept for the next.
struct EnclosingRows: Sendable {
  /// What a record has become.
  struct Row: Sendable {
    /// Position of the entity in the plan; -1 for none.
    var entity: Int
    /// Where its values begin in the batch at hand; -1 where it has none.
    var valueStart: Int
    /// Whether it was rejected.
    var isRejected: Bool
    /// Its line.
    var line: Int
  }

  /// A row of an earlier batch.
  private struct Kept: Sendable {
    var ordinal: Int64
    var parent: Int64
    var row: Row
    var values: [Value]
    var text: [UInt8]
  }

  private var kept: [Kept] = []
  private var rows: [Row] = []
  private var firstOrdinal: Int64 = 0

  /// Turns to a batch; the values of rows kept are put behind those of `values`, their text behind `respelled`.
  mutating func begin(
    _ batch: borrowing RecordBatch,
    values: inout [Value],
    respelled: inout TextBuffer,
    respelledStart: Int
  ) {
    rows.removeAll(keepingCapacity: true)
    firstOrdinal = batch.records.first?.ordinal ?? 0
    for index in kept.indices where kept[index].row.valueStart >= 0 {
      kept[index].row.valueStart = values.count
      let start = respelledStart + respelled.count
      let text = kept[index].text
      respelled.append(text.span)
      values += kept[index].values.map { $0.shifted(by: start) }
    }
  }

  /// Notes what the next record of the batch has become.
  mutating func add(_ row: Row) { rows.append(row) }

  /// What a record has become, by its ordinal.
  func row(of ordinal: Int64) -> Row? {
    let position = ordinal - firstOrdinal
    if position >= 0, position < Int64(rows.count) { return rows[Int(position)] }
    return kept.first { $0.ordinal == ordinal }?.row
  }

  /// Keeps the rows around the last record, and its own, for the next batch.
  mutating func end(
    _ batch: borrowing RecordBatch,
    values: borrowing [Value],
    widths: (Int) -> Int
  ) {
    var open: [Kept] = []
    var ordinal = batch.records.last?.ordinal ?? -1
    while ordinal >= 0 {
      let position = ordinal - firstOrdinal
      if position >= 0, position < Int64(rows.count) {
        let row = rows[Int(position)]
        var entry = Kept(
          ordinal: ordinal,
          parent: batch.records[Int(position)].parent,
          row: row,
          values: [],
          text: []
        )
        if row.valueStart >= 0, row.entity >= 0 {
          for value in values[row.valueStart..<row.valueStart + widths(row.entity)] {
            entry.values.append(value.moved(behind: &entry.text, from: batch.text))
          }
        }
        open.append(entry)
        ordinal = entry.parent
      } else if let known = kept.first(where: { $0.ordinal == ordinal }) {
        open.append(known)
        ordinal = known.parent
      } else {
        break
      }
    }
    if !batch.records.isEmpty { kept = open }
  }
}

extension Value {
  /// The same value of a text that begins elsewhere.
  fileprivate func shifted(by distance: Int) -> Value {
    switch self {
    case .null, .absent, .integer, .real: self
    case .text(let slice): .text(slice.shifted(by: distance))
    case .blob(let slice): .blob(slice.shifted(by: distance))
    }
  }

  /// The same value, its bytes copied behind others.
  fileprivate func moved(behind text: inout [UInt8], from source: borrowing TextBuffer) -> Value {
    func copied(_ slice: TextSlice) -> TextSlice {
      let start = text.count
      let bytes = source.bytes(of: slice)
      for index in bytes.indices { text.append(bytes[index]) }
      return TextSlice(start..<text.count)
    }
    switch self {
    case .null, .absent, .integer, .real: return self
    case .text(let slice): return .text(copied(slice))
    case .blob(let slice): return .blob(copied(slice))
    }
  }
}

extension TextSlice {
  fileprivate func shifted(by distance: Int) -> TextSlice {
    TextSlice(range.lowerBound + distance..<range.upperBound + distance)
  }
}
