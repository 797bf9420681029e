package import Records

/// A cell of a hand-made batch.
package enum Cell: Sendable, ExpressibleByStringLiteral {
  case plain(String)
  case quoted(String)
  case base64(String)
  case absent
  /// Any bytes, such as invalid UTF-8.
  case bytes([UInt8])

  package init(stringLiteral value: String) { self = .plain(value) }
}

/// Makes a batch of records with these cells, one line each, as a CSV reader would: cells joined by commas.
package func makeBatch(columns: [String], shape: String = "", file: String = "test.csv", _ rows: [[Cell]])
  -> RecordBatch
{
  var batch = RecordBatch(file: file, capacity: 64)
  batch.shapes = [RecordShape(name: shape, columns: columns)]
  for (index, cells) in rows.enumerated() {
    let start = batch.text.count
    let fieldStart = batch.fields.count
    for (position, cell) in cells.enumerated() {
      if position > 0 { batch.text.append(UInt8(ascii: ",")) }
      let offset = batch.text.count
      var isQuoted = false
      var isBase64 = false
      switch cell {
      case .plain(let text): batch.text.append(text)
      case .quoted(let text):
        batch.text.append(text)
        isQuoted = true
      case .base64(let text):
        batch.text.append(text)
        isBase64 = true
        isQuoted = true
      case .bytes(let bytes): batch.text.append(bytes.span)
      case .absent:
        batch.fields.append(.absent)
        continue
      }
      batch.fields.append(Field(TextSlice(offset..<batch.text.count), isQuoted: isQuoted, isBase64: isBase64))
    }
    batch.text.append(UInt8(ascii: "\n"))
    batch.records.append(
      RecordHeader(
        ordinal: Int64(index + 1),
        line: index + 2,
        raw: TextSlice(start..<batch.text.count),
        fieldStart: UInt32(fieldStart),
        fieldCount: UInt32(cells.count)
      )
    )
  }
  return batch
}
