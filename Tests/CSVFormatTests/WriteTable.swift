import CSVFormat
import Diagnostics
import EntityModel
import Records
import TestSupport

/// One value to write; slices are made when it is.
enum Written: Hashable {
  case null
  case text([UInt8])
  case integer(Int64)
  case real(Double)
  case blob([UInt8])
}

extension Written: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .text(Array(value.utf8)) }
}

/// Writes a whole table, in batches of so many rows.
func write(
  _ rows: [[Written]],
  columns: [WrittenColumn],
  _ dialect: CSVDialect = CSVDialect(),
  header: Bool = true,
  rowsPerBatch: Int = 3
) throws(WriteError) -> [UInt8] {
  let written = WrittenBytes()
  var writer = try CSVWriter(MemorySink(written), columns: columns, dialect: dialect, writesHeader: header)
  var text = TextBuffer()
  var batch = ValueBatch()
  func slice(_ bytes: [UInt8]) -> TextSlice {
    let start = text.count
    text.append(bytes.span)
    return TextSlice(start..<text.count)
  }
  var rest = rows[...]
  while !rest.isEmpty {
    batch.reset()
    text.truncate(to: 0)
    for row in rest.prefix(rowsPerBatch) {
      batch.rows.append(.init(entity: 0, record: 0, valueStart: UInt32(batch.values.count)))
      for value in row {
        switch value {
        case .null: batch.values.append(.null)
        case .text(let bytes): batch.values.append(.text(slice(bytes)))
        case .integer(let number): batch.values.append(.integer(number))
        case .real(let number): batch.values.append(.real(number))
        case .blob(let bytes): batch.values.append(.blob(slice(bytes)))
        }
      }
    }
    rest = rest.dropFirst(rowsPerBatch)
    try writer.write(batch, text: text)
  }
  try writer.finish()
  return written.bytes
}

/// Text columns with these names.
func textColumns(_ names: [String]) -> [WrittenColumn] {
  names.map { WrittenColumn(name: $0, type: .text) }
}
