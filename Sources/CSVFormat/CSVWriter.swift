package import Diagnostics
package import EntityModel
package import Records

/// Writes rows as CSV (RFC 4180 with LF), in the delimiter, quote and escape of a dialect.
///
/// A cell is quoted only where reading would otherwise give another one: with a delimiter, quote or line end in it, as
/// the empty string, as what looks like a comment, a NULL token or a byte order mark. NULL is written as nothing at
/// all; in a table of one column that makes an empty line, which is read as NULL again.
///
/// With `guardsCells`, text that a spreadsheet would take for a formula gets an apostrophe before it, and so is another
/// text when it is read again.
package struct CSVWriter: RecordWriter, ~Copyable {
  private var sink: any ByteSink & ~Copyable
  let columns: [WrittenColumn]
  /// How many bytes a number takes at most in each column; 0 where numbers could need quotes.
  private let numberBounds: [Int]
  let quoting: CSVQuoting
  private let guardsCells: Bool
  private var output: TextBuffer
  /// What cells are spelled into before it is known whether they need quotes.
  private var scratch = TextBuffer(capacity: 256)
  var rowCount = 0
  /// The names that the header says, if there is one that a row could repeat.
  let header: [[UInt8]]

  /// How many bytes go to the sink at once.
  private static let flushByteCount = 64 << 10

  /// Makes a writer, and writes the header if there is to be one.
  ///
  /// - Parameters:
  ///   - columns: One for each value of a row, in their order.
  ///   - dialect: What matters of it are the tokens and the NULL tokens.
  ///   - guardsCells: Whether text that begins like a formula gets an apostrophe.
  /// - Throws: `WriteError.cannotHold` for a dialect that contradicts itself, and for a column name that needs quotes
  ///   where there are none.
  package init(
    _ sink: consuming any ByteSink & ~Copyable,
    columns: [WrittenColumn],
    dialect: CSVDialect,
    writesHeader: Bool,
    guardsCells: Bool = false
  ) throws(WriteError) {
    self.sink = sink
    self.guardsCells = guardsCells
    self.columns = columns
    let quoting = CSVQuoting(dialect)
    self.quoting = quoting
    numberBounds = columns.map { quoting.numbersArePlain ? ValueSpelling.byteBound(of: $0.type) : 0 }
    if let contradiction = dialect.contradiction { throw .cannotHold("cannot write such a dialect: \(contradiction)") }
    var output = TextBuffer(capacity: Self.flushByteCount + 4096)
    if writesHeader {
      var name = TextBuffer()
      for (index, column) in columns.enumerated() {
        if index > 0 { output.append(quoting.syntax.delimiter.span) }
        name.truncate(to: 0)
        if guardsCells, Self.beginsFormula(column.name.utf8.first) { name.append(Self.guardMark) }
        name.append(column.name)
        guard quoting.append(name.bytes, isFirst: index == 0, isAtStart: index == 0, to: &output) else {
          throw .cannotHold("the column name '\(excerpt(of: column.name))' needs quotes; write with a quote")
        }
      }
      output.append(0x0A)
    }
    self.output = output
    header = writesHeader && columns.count > 1 && !guardsCells ? columns.map { Array($0.name.utf8) } : []
  }

  /// Writes the rows; each has as many values as there are columns.
  package mutating func write(_ rows: borrowing ValueBatch, text: borrowing TextBuffer) throws(WriteError) {
    // In variables of their own while cells go from one to the other.
    var output = TextBuffer()
    var scratch = TextBuffer()
    swap(&output, &self.output)
    swap(&scratch, &self.scratch)
    defer {
      swap(&output, &self.output)
      swap(&scratch, &self.scratch)
    }
    var index = 0
    var nextRepeat = repeatedHeader(in: rows, from: 0, text: text)
    while index < rows.rows.count {
      // The very first cell is looked at apart: it could be taken for a byte order mark.
      if rowCount > 0 || output.count > 0 {
        index = appendPlainRows(rows, index..<nextRepeat, text: text, to: &output)
      }
      if index == nextRepeat, index < rows.rows.count {
        try appendQuoted(rows.rows[index], of: rows, text: text, to: &output)
        index += 1
        nextRepeat = repeatedHeader(in: rows, from: index, text: text)
      } else if index < rows.rows.count, output.count < Self.flushByteCount {
        try append(rows.rows[index], of: rows, text: text, to: &output, scratch: &scratch)
        index += 1
      }
      if output.count >= Self.flushByteCount {
        try sink.write(output.bytes)
        output.truncate(to: 0)
      }
    }
  }

  /// Appends rows of what most dialects write alike: NULLs, numbers and text.
  ///
  /// - Returns: The position of the first row that is not such a one, or for which there is no room.
  private mutating func appendPlainRows(
    _ rows: borrowing ValueBatch,
    _ range: Range<Int>,
    text: borrowing TextBuffer,
    to output: inout TextBuffer
  ) -> Int {
    let start = range.lowerBound
    guard quoting.syntax.delimiter.count == 1 else { return start }
    let delimiter = quoting.syntax.delimiter[0]
    let width = columns.count
    let quoting = quoting
    let canQuote = quoting.doublesSingleQuotes
    let columns = columns
    let numberBounds = numberBounds
    let guardsCells = guardsCells
    let end = range.upperBound
    // One piece of the output for all of them: asking for room costs more than a short row.
    let room = max(0, Self.flushByteCount - output.count) + 4096
    var next = start
    unsafe text.withUnsafeBytes { base, _ in
      unsafe output.fill(room) { output in
        var position = 0
        rows: while next < end {
          let first = Int(rows.rows[next].valueStart)
          let begin = position
          for column in 0..<width {
            // Besides the delimiter and the line end; a row for which the room ends is written again.
            let left = room - position - 2
            guard left >= 0 else {
              position = begin
              break rows
            }
            if column > 0 {
              unsafe output[position] = delimiter
              position += 1
            }
            switch rows.values[first + column] {
            case .null, .absent: continue
            case .integer(let number):
              let bound = numberBounds[column]
              if bound > 0, left >= bound {
                unsafe position += ValueSpelling.write(number, as: columns[column].type, to: output + position)
                continue
              }
            case .real(let number):
              let bound = numberBounds[column]
              if bound > 0, left >= bound {
                unsafe position += ValueSpelling.write(number, as: columns[column].type, to: output + position)
                continue
              }
            case .text(let slice):
              let count = Int(slice.count)
              let cell = unsafe base + Int(slice.offset)
              if left >= 2 * count + 2, unsafe !guardsCells || count == 0 || !Self.beginsFormula(cell.pointee) {
                if unsafe !quoting.needsQuotes(cell, count, isFirst: column == 0) {
                  unsafe (output + position).update(from: cell, count: count)
                  position += count
                  continue
                }
                if canQuote {
                  unsafe position += quoting.writeQuoted(cell, count, to: output + position)
                  continue
                }
              }
            case .blob: break
            }
            position = begin
            break rows
          }
          unsafe output[position] = 0x0A
          position += 1
          next += 1
        }
        return position
      }
    }
    rowCount += next - start
    return next
  }

  /// Appends any row.
  private mutating func append(
    _ row: ValueBatch.Row,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    to output: inout TextBuffer,
    scratch: inout TextBuffer
  ) throws(WriteError) {
    let isAtStart = rowCount == 0 && output.count == 0
    rowCount += 1
    for index in columns.indices {
      if index > 0 { output.append(quoting.syntax.delimiter.span) }
      let value = rows.values[Int(row.valueStart) + index]
      let isFirst = index == 0
      let isWritten: Bool
      switch value {
      case .null, .absent: isWritten = true
      case .text(let slice):
        let cell = text.bytes(of: slice)
        if guardsCells, cell.count > 0, Self.beginsFormula(cell[0]) {
          scratch.truncate(to: 0)
          scratch.append(Self.guardMark)
          scratch.append(cell)
          isWritten = quoting.append(scratch.bytes, isFirst: isFirst, isAtStart: isAtStart && isFirst, to: &output)
          break
        }
        isWritten = quoting.append(cell, isFirst: isFirst, isAtStart: isAtStart && isFirst, to: &output)
      case .integer, .real, .blob:
        scratch.truncate(to: 0)
        ValueSpelling.append(value, as: columns[index].type, from: text, to: &scratch)
        isWritten = quoting.append(scratch.bytes, isFirst: isFirst, isAtStart: isAtStart && isFirst, to: &output)
      }
      guard isWritten else {
        scratch.truncate(to: 0)
        ValueSpelling.append(value, as: columns[index].type, from: text, to: &scratch)
        throw needsQuotes(excerpt(of: scratch.bytes), column: columns[index].name)
      }
    }
    output.append(0x0A)
  }

  /// Writes what is left and finishes the sink.
  package mutating func finish() throws(WriteError) {
    var output = TextBuffer()
    swap(&output, &self.output)
    if output.count > 0 { try sink.write(output.bytes) }
    try sink.finish()
  }

  private static let guardMark = UInt8(ascii: "'")

  /// Whether a spreadsheet may run what begins with a byte; OWASP's "CSV Injection" lists them.
  private static func beginsFormula(_ byte: UInt8?) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D, 0x0A: true
    default: false
    }
  }

  private func needsQuotes(_ value: String, column: String) -> WriteError {
    .cannotHold(
      "row \(rowCount): the value '\(value)' of '\(excerpt(of: column))' needs quotes; write with a quote"
    )
  }
}
