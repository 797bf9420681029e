import Profiling
import Records
import TestSupport

/// The profile of one column of values, cut into batches of so many records.
func profile(_ values: [Cell], batchSize: Int = .max, byteBudget: Int = 12 << 20) -> ColumnProfile {
  profiles(columns: ["v"], values.map { [$0] }, batchSize: batchSize, byteBudget: byteBudget)[0].columns[0]
}

/// The profiles of a table, cut into batches of so many records.
func profiles(
  columns: [String],
  _ rows: [[Cell]],
  batchSize: Int = .max,
  nullTokens: [String] = [],
  byteBudget: Int = 12 << 20
) -> [ShapeProfile] {
  var profile = RecordProfile(nullTokens: nullTokens, byteBudget: byteBudget)
  var start = 0
  while start < rows.count {
    let end = min(start + min(batchSize, rows.count), rows.count)
    var batch = makeBatch(columns: columns, Array(rows[start..<end]))
    // As a reader would number them.
    for index in batch.records.indices {
      batch.records[index].line += start
      batch.records[index].ordinal += Int64(start)
    }
    profile.observe(batch)
    start = end
  }
  return profile.profiles([RecordShape(columns: columns)])
}

extension KeptValue {
  /// The value as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
