import Diagnostics
import Records
import Reporting

/// What holds of every reader and every input, sound or broken.
package enum ReaderLaws {
  /// Checks that records stand in the input, in order, with their fields inside.
  ///
  /// - Parameter countsLines: Whether lines of the format are ended by LF, CRLF and CR in the input's own bytes.
  package static func checkPlaces(_ reading: Reading, in input: [UInt8], countsLines: Bool = true) throws(LawBreach) {
    var topEnd: Int64 = 0
    var lines = LineCounter()
    for (index, record) in reading.records.enumerated() {
      let name = "record \(record.ordinal) \(shown(record.raw))"
      // XML keeps nothing of a record past the limit.
      if record.raw.isEmpty, record.faults.contains(where: { $0.code == .recordTooLong }) { continue }
      if record.parent < 0 {
        try expect(record.offset >= topEnd, "\(name) begins at \(record.offset), within the one that ends at \(topEnd)")
        topEnd = record.end
        if countsLines {
          let line = lines.line(at: Int(record.offset), in: input)
          try expect(record.line == line, "\(name) is said to begin on line \(record.line), and begins on \(line)")
        }
      }
      try expect(record.end <= Int64(input.count), "\(name) ends behind the input")
      try expect(
        input[Int(record.offset)..<Int(record.end)].elementsEqual(record.raw),
        "\(name) does not stand at \(record.offset)"
      )
      try expect(
        index == 0 || reading.records[index - 1].ordinal != record.ordinal,
        "\(name) has the ordinal of the one before"
      )
      try expect(record.kind < reading.shapes.count, "\(name) has no shape")
      let width = reading.shapes[record.kind].columns.count
      try expect(
        record.cells.count <= width || !record.faults.isEmpty,
        "\(name) has \(record.cells.count) fields for \(width) columns and no fault"
      )
      for cell in record.cells + record.repeats.map(\.cell) where !cell.isAbsent {
        try expect(
          (record.offset...record.end).contains(cell.offset),
          "\(name) has a field at \(cell.offset): \(shown(cell.bytes))"
        )
      }
      try expect(!record.isUnreadable || !record.faults.isEmpty, "\(name) is unreadable without a fault")
      for fault in record.faults {
        let place = fault.location
        try expect(
          (record.offset...record.end).contains(place.byteOffset) || place.byteOffset == 0 && record.offset == 0,
          "\(name) has the fault \(fault.code.rawValue) at \(place.byteOffset)"
        )
        try expect(place.record == record.ordinal, "\(name) has a fault of record \(place.record)")
        try expect(place.line >= record.line, "\(name) of line \(record.line) has a fault on line \(place.line)")
        try expect(!fault.message.isEmpty && !fault.remedy.isEmpty, "the fault \(fault.code.rawValue) says nothing")
      }
    }
    if reading.records.allSatisfy({ $0.parent < 0 }) {
      for (index, record) in reading.records.enumerated() {
        try expect(record.ordinal == Int64(index + 1), "record \(index + 1) has the ordinal \(record.ordinal)")
      }
    }
  }

  /// Checks that two readings of one input are the same.
  ///
  /// A reader that refuses its input may have handed out more or fewer records before.
  package static func checkSame(_ one: Reading, _ other: Reading, _ how: some CustomStringConvertible) throws(LawBreach)
  {
    try expect(
      one.failure == other.failure,
      "\(how): ends with \(other.failure.map(describe) ?? "success"), and not with \(one.failure.map(describe) ?? "success")"
    )
    for (record, same) in zip(one.records, other.records) where record != same {
      throw LawBreach("\(how): \(same)\ninstead of\n\(record)")
    }
    guard one.failure == nil else { return }
    try expect(
      one.records.count == other.records.count,
      "\(how): \(other.records.count) records, and not \(one.records.count)"
    )
    try expect(one.shapes == other.shapes, "\(how): the shapes \(other.shapes), and not \(one.shapes)")
    try expect(one.framing == other.framing, "\(how): the framing \(other.framing), and not \(one.framing)")
    try expect(one.notes == other.notes, "\(how): the notes \(other.notes), and not \(one.notes)")
  }

  private static func describe(_ error: ReadError) -> String {
    guard case .refused(let diagnostics) = error else { return "\(error)" }
    return "\(diagnostics)"
  }

  /// The records that have no fault, as a file of their own in the framing of their input.
  package static func refiled(_ reading: Reading, nested: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    var framed = FramedRecords()
    for record in reading.records where record.faults.isEmpty && (nested || record.parent < 0) {
      bytes += framed.bytes(before: record.raw.span, in: reading.framing) + record.raw
    }
    return bytes + framed.ending(in: reading.framing)
  }

  /// Checks that records kept as they stand are read again as the same: what makes rejected records loadable.
  ///
  /// - Parameter nested: Whether records that hang below others are kept apart from those.
  package static func checkRefiled(
    _ reading: Reading,
    nested: Bool = false,
    readingAgain read: ([UInt8]) -> Reading
  ) throws(LawBreach) {
    let sound = reading.records.filter { $0.faults.isEmpty && (nested || $0.parent < 0) }
    guard !sound.isEmpty else { return }
    let file = refiled(reading, nested: nested)
    let again = read(file)
    try expect(
      again.failure == nil,
      "the sound records \(shown(file)) are refused: \(again.failure.map(describe) ?? "")"
    )
    try expect(
      again.records.count == sound.count,
      "\(sound.count) sound records in a file of their own are \(again.records.count): \(shown(file))"
    )
    for (record, same) in zip(sound, again.records) {
      try expect(
        reading.values(of: record) == again.values(of: same) && same.faults.isEmpty
          && (!nested || reading.shapes[record.kind].name == again.shapes[same.kind].name),
        "\(record)\nin a file of its own is\n\(same)\n\(shown(file))"
      )
    }
  }
}

extension Reading {
  /// A record's fields by the names of their columns, without their places.
  func values(of record: Record) -> [String: [Cell]] {
    let names = shapes[record.kind].columns
    var values: [String: [Cell]] = [:]
    let cells = record.cells.enumerated().map { ($0.offset, $0.element) } + record.repeats.map { ($0.column, $0.cell) }
    for (column, var cell) in cells where !cell.isAbsent {
      cell.offset = 0
      values[column < names.count ? names[column] : "\(column)", default: []].append(cell)
    }
    return values
  }
}

/// Counts LF, CRLF and CR, by which the lines of an input are numbered.
struct LineCounter {
  private var position = 0
  private var line = 1

  /// The line of an offset; offsets must not go back.
  mutating func line(at offset: Int, in input: [UInt8]) -> Int {
    while position < offset {
      if input[position] == 0x0A { line += 1 }
      if input[position] == 0x0D, position + 1 == input.count || input[position + 1] != 0x0A { line += 1 }
      position += 1
    }
    return line
  }
}
