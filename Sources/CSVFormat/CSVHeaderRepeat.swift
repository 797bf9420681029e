import Records

/// Finds records that say what the header says: files that were joined, or a second table in one file.
///
/// Such a line is no data, and is rejected. Where bad rows are repaired, the table ends with it, since what follows would
/// be padded and cut until it fits whatever it is; the records behind it are rejected, too.
struct CSVHeaderRepeat: Sendable {
  /// The cells of the header line; none where nothing is looked for.
  private let header: [[UInt8]]
  /// Which of them have quotes: what says the same wholly in quotes, where the header is not, is data.
  private let quotes: [Bool]
  private let repairs: Bool
  /// The line of the second table's header, once it was found under `repairs`.
  private var endLine: Int?

  /// - Parameter header: The cells of the only header line; of a single column, a repetition tells nothing.
  init?(header: [[UInt8]], quotes: [Bool], repairs: Bool) {
    guard header.count > 1, !header.contains([]), quotes.count >= header.count else { return nil }
    self.quotes = quotes
    self.header = header
    self.repairs = repairs
  }

  /// Rejects repeated headers among a batch's records.
  ///
  /// - Parameter faults: In record order, and so afterwards.
  mutating func mark(_ faults: inout [FoundFault], in batch: inout RecordBatch) {
    var found: [FoundFault] = []
    let first = header[0]
    for index in batch.records.indices {
      if let endLine {
        found.append(FoundFault(record: index, kind: .secondTable(line: endLine), isRepaired: false))
        continue
      }
      let record = batch.records[index]
      guard record.fieldCount > 1, batch.fields[Int(record.fieldStart)].count == first.count,
        !record.isUnreadable, isHeader(record, in: batch)
      else { continue }
      found.append(FoundFault(record: index, kind: .repeatedHeader(ends: repairs), isRepaired: false))
      if repairs { endLine = record.line }
    }
    guard !found.isEmpty else { return }
    // What is rejected for this has no other fault: it was never meant to be a record of this table.
    let rejected = Set(found.map(\.record))
    for index in rejected { batch.records[index].isUnreadable = true }
    let others = faults.filter { !rejected.contains($0.record) || !$0.isRepaired }
    faults = (others + found).sorted { $0.record < $1.record }
  }

  /// Whether the cells are those of the header; some may be missing at the end if most are there.
  private func isHeader(_ record: RecordHeader, in batch: borrowing RecordBatch) -> Bool {
    var equal = 0
    var quoted = 0
    var isHeaderQuoted = true
    for (column, name) in header.enumerated() where column < Int(record.fieldCount) {
      let field = batch.fields[Int(record.fieldStart) + column]
      let bytes = batch.text.bytes(of: field.text)
      guard bytes.count == name.count, name.indices.allSatisfy({ bytes[$0] == name[$0] }) else {
        guard bytes.count == 0, !field.isQuoted, 2 * equal > header.count else { return false }
        continue
      }
      equal += 1
      if field.isQuoted { quoted += 1 }
      if !quotes[column] { isHeaderQuoted = false }
    }
    return equal > 1 && 2 * equal > header.count && (quoted < equal || isHeaderQuoted)
  }
}
