package import Diagnostics
package import EntityModel
package import Records

/// Writes rows as CSV (RFC 4180 with LF), in the delimiter, quote and escape of a dialect.
///
/// A cell is quoted only where reading would otherwise give another one: with a delimiter, quote or line end in it, as
/// the empty string, as what looks like a comment, a NULL token or a byte order mark. NULL is written as nothing at
/// all; in a table of one column that makes an empty line, which is read as NULL again.
package struct CSVWriter: RecordWriter, ~Copyable {
  private var sink: any ByteSink & ~Copyable
  private let columns: [WrittenColumn]
  /// Which columns hold integers that are digits alone.
  private let isPlainInteger: [Bool]
  private let quoting: CSVQuoting
  private var output: TextBuffer
  /// What cells are spelled into before it is known whether they need quotes.
  private var scratch = TextBuffer(capacity: 256)
  private var rowCount = 0

  /// How many bytes go to the sink at once.
  private static let flushByteCount = 64 << 10

  /// Makes a writer, and writes the header if there is to be one.
  ///
  /// - Parameters:
  ///   - columns: One for each value of a row, in their order.
  ///   - dialect: What matters of it are the tokens and the NULL tokens.
  /// - Throws: `WriteError.cannotHold` for a dialect that contradicts itself, and for a column name that needs quotes
  ///   where there are none.
  package init(
    _ sink: consuming any ByteSink & ~Copyable,
    columns: [WrittenColumn],
    dialect: CSVDialect,
    writesHeader: Bool
  ) throws(WriteError) {
    self.sink = sink
    self.columns = columns
    let quoting = CSVQuoting(dialect)
    self.quoting = quoting
    isPlainInteger = columns.map { column in
      if case .integer = column.type { return quoting.digitsArePlain }
      return false
    }
    if let contradiction = dialect.contradiction { throw .cannotHold("cannot write such a dialect: \(contradiction)") }
    var output = TextBuffer(capacity: Self.flushByteCount + 4096)
    if writesHeader {
      var name = TextBuffer()
      for (index, column) in columns.enumerated() {
        if index > 0 { output.append(quoting.syntax.delimiter.span) }
        name.truncate(to: 0)
        name.append(column.name)
        guard quoting.append(name.bytes, isFirst: index == 0, isAtStart: index == 0, to: &output) else {
          throw .cannotHold("the column name '\(excerpt(of: column.name))' needs quotes; write with a quote")
        }
      }
      output.append(0x0A)
    }
    self.output = output
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
    for row in rows.rows {
      let isAtStart = rowCount == 0 && output.count == 0
      rowCount += 1
      for index in columns.indices {
        if index > 0 { output.append(quoting.syntax.delimiter.span) }
        let value = rows.values[Int(row.valueStart) + index]
        let isFirst = index == 0
        let isWritten: Bool
        switch value {
        case .null: isWritten = true
        case .integer(let number) where isPlainInteger[index]:
          ValueSpelling.append(number, to: &output)
          isWritten = true
        case .text(let slice):
          let cell = text.bytes(of: slice)
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
      if output.count >= Self.flushByteCount {
        try sink.write(output.bytes)
        output.truncate(to: 0)
      }
    }
  }

  /// Writes what is left and finishes the sink.
  package mutating func finish() throws(WriteError) {
    var output = TextBuffer()
    swap(&output, &self.output)
    if output.count > 0 { try sink.write(output.bytes) }
    try sink.finish()
  }

  private func needsQuotes(_ value: String, column: String) -> WriteError {
    .cannotHold(
      "row \(rowCount): the value '\(value)' of '\(excerpt(of: column))' needs quotes; write with a quote"
    )
  }
}
