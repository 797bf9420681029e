import Diagnostics
import Records

/// Waiting rows as a batch, to be written.
extension ParkedRows {
  /// Fills a batch with waiting rows of one input that fulfil a condition, in the order of the input.
  ///
  /// - Parameters:
  ///   - last: The number of the last row seen; 0 at first.
  ///   - rows: Replaced; every row has its own position as its record.
  ///   - batch: Replaced; it has no raw bytes.
  /// - Returns: The rows' numbers; none at the end.
  func fill(
    _ rows: inout ValueBatch,
    of batch: inout RecordBatch,
    after last: Int64,
    where condition: String,
    entity: UInt16,
    files: [String]
  ) throws(StoreError) -> [Int64] {
    rows.reset()
    batch.reset()
    let columns = (0..<width).map { ", c\($0)" }.joined()
    let list = try Statement(
      """
      SELECT n, file, line, record, absent, holds\(columns) FROM \(table) AS f
      WHERE n > \(last) AND state = 0 AND \(condition) ORDER BY n LIMIT 1000
      """,
      on: connection
    )
    var numbers: [Int64] = []
    var file: Int64 = -1
    while batch.text.count < 128 << 10, try list.step() {
      guard numbers.isEmpty || list.integer(1) == file else { break }
      file = list.integer(1)
      numbers.append(list.integer(0))
      var row = ValueBatch.Row(entity: entity, record: UInt32(batch.count), valueStart: UInt32(rows.values.count))
      row.holdsOthers = list.integer(5) & 1 != 0
      row.way = UInt8(truncatingIfNeeded: list.integer(5) / 2)
      rows.rows.append(row)
      let valueStart = rows.values.count
      if row.way > 0 { rows.carriers.append(ValueBatch.Carrier(record: batch.count, valueStart: valueStart)) }
      for column in 0..<width { rows.values.append(list.value(column + 6, into: &batch.text)) }
      if case .blob(let slice) = list.value(4, into: &batch.text) {
        let absent = batch.text.bytes(of: slice)
        // What has been filled in since is there.
        for column in 0..<width where absent[column] == 1 && rows.values[valueStart + column] == .null {
          rows.values[valueStart + column] = .absent
        }
      }
      batch.records.append(
        RecordHeader(
          ordinal: list.integer(3),
          line: Int(list.integer(2)),
          raw: TextSlice(0..<0),
          fieldStart: 0,
          fieldCount: 0
        )
      )
    }
    batch.file = Int(file) >= 0 && Int(file) < files.count ? files[Int(file)] : ""
    return numbers
  }
}
