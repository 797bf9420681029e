import Records

/// The records and fields of a batch while they are found.
///
/// Its arrays are longer than what is in use, so that the block scanner can write without asking; `finish` cuts them.
struct CSVRecordTable: Sendable {
  var fields: [Field] = []
  var records: [RecordHeader] = []
  /// How many of the fields and records are in use.
  private(set) var fieldCount = 0
  private(set) var recordCount = 0
  /// Positions in `fields` of cells with doubled or escaped quotes.
  var escapedFields: [Int] = []

  /// Empties the table; the arrays keep their storage.
  mutating func begin() {
    fieldCount = 0
    recordCount = 0
    escapedFields.removeAll(keepingCapacity: true)
  }

  /// Cuts the arrays to what was found.
  mutating func finish() {
    fields.removeLast(fields.count - fieldCount)
    records.removeLast(records.count - recordCount)
  }

  /// Lets the block scanner add records.
  mutating func run(
    _ blocks: CSVBlockScanner,
    _ bytes: UnsafePointer<UInt8>,
    to end: Int,
    isEnd: Bool,
    _ progress: inout CSVBlockScanner.Progress
  ) -> CSVBlockScanner.Stop {
    // No more than the bytes can need, in pieces of at most 4096, so that growing costs little per record.
    let needed = min(end - progress.position, 4096)
    makeRoom(forFields: blocks.width + CSVBlockScanner.room, records: CSVBlockScanner.room, growth: needed)
    var fields: [Field] = []
    var records: [RecordHeader] = []
    var escapedFields: [Int] = []
    swap(&fields, &self.fields)
    swap(&records, &self.records)
    swap(&escapedFields, &self.escapedFields)
    let stop = unsafe fields.withUnsafeMutableBufferPointer { fields in
      unsafe records.withUnsafeMutableBufferPointer { records -> CSVBlockScanner.Stop in
        guard let fieldBase = fields.baseAddress, let recordBase = records.baseAddress else { return .odd }
        return unsafe blocks.scan(
          bytes,
          to: end,
          isEnd: isEnd,
          progress: &progress,
          fields: fieldBase,
          fieldRoom: fields.count,
          records: recordBase,
          recordRoom: records.count,
          escapedFields: &escapedFields
        )
      }
    }
    swap(&fields, &self.fields)
    swap(&records, &self.records)
    swap(&escapedFields, &self.escapedFields)
    fieldCount = progress.fieldCount
    recordCount = progress.recordCount
    return stop
  }

  /// Adds a record that the parser read.
  mutating func append(_ parsed: ParsedRecord, raw: Range<Int>, ordinal: Int64, line: Int, isUnreadable: Bool) {
    makeRoom(forFields: parsed.fields.count, records: 1)
    for position in parsed.escapedFields { escapedFields.append(fieldCount + position) }
    for (index, field) in parsed.fields.enumerated() { fields[fieldCount + index] = field }
    records[recordCount] = RecordHeader(
      ordinal: ordinal,
      line: line,
      raw: TextSlice(raw),
      fieldStart: UInt32(truncatingIfNeeded: fieldCount),
      fieldCount: UInt32(truncatingIfNeeded: parsed.fields.count),
      isUnreadable: isUnreadable
    )
    fieldCount += parsed.fields.count
    recordCount += 1
  }

  /// Gives the last record other bytes.
  mutating func extendLast(to raw: Range<Int>) {
    records[recordCount - 1].raw = TextSlice(raw)
  }

  private mutating func makeRoom(forFields fieldRoom: Int, records recordRoom: Int, growth: Int = 0) {
    if fields.count - fieldCount < fieldRoom {
      fields.append(contentsOf: repeatElement(.absent, count: max(fieldRoom, growth)))
    }
    if records.count - recordCount < recordRoom {
      let unused = RecordHeader(ordinal: 0, line: 0, raw: TextSlice(offset: 0, count: 0), fieldStart: 0, fieldCount: 0)
      records.append(contentsOf: repeatElement(unused, count: max(recordRoom, growth / 8)))
    }
  }
}
