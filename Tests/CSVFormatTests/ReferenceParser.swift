import EntityModel

/// CSV byte by byte, as plainly as it can be written: whole input in memory, one cell at a time, plain rules only.
///
/// It knows one rule about damage: a quote open at the end of the input ends the record with its line. Records of
/// several lines that come out wrong are marked as `isSuspicious`; what a reader makes of them is its own affair.
struct ReferenceParser {
  struct Record: Equatable {
    var cells: [Cell] = []
    var raw: [UInt8] = []
    var line = 0
    var hasTextAfterQuote = false
    var isUnterminated = false
    var spansLines = false
  }

  var input: [UInt8]
  var delimiter = UInt8(ascii: ",")
  var quote: UInt8? = UInt8(ascii: "\"")
  var comment: UInt8?
  var width: Int
  private var position = 0
  private var line = 1

  init(_ input: [UInt8], width: Int) {
    self.input = input
    self.width = width
  }

  func isSuspicious(_ record: Record) -> Bool {
    record.spansLines && !record.isUnterminated && (record.hasTextAfterQuote || record.cells.count != width)
  }

  /// Takes the line end at the position, if there is one.
  private mutating func takeLineEnd() -> Bool {
    guard position < input.count else { return false }
    if input[position] == 0x0D {
      position += position + 1 < input.count && input[position + 1] == 0x0A ? 2 : 1
    } else if input[position] == 0x0A {
      position += 1
    } else {
      return false
    }
    line += 1
    return true
  }

  private mutating func skipLine() {
    while position < input.count, input[position] != 0x0A, input[position] != 0x0D { position += 1 }
    _ = takeLineEnd()
  }

  /// The next record; nil at the end.
  mutating func next() -> Record? {
    while position < input.count {
      if input[position] == comment {
        skipLine()
        continue
      }
      let start = position
      var record = Record()
      record.line = line
      if takeLineEnd() {
        guard width == 1 else { continue }
        record.cells = [.null]
        record.raw = Array(input[start..<position])
        return record
      }
      while true {
        let more = takeCell(into: &record)
        if record.isUnterminated || !more { break }
      }
      record.raw = Array(input[start..<position])
      return record
    }
    return nil
  }

  /// Takes one cell and what ends it; false if that was the record's last.
  private mutating func takeCell(into record: inout Record) -> Bool {
    let start = position
    var cell: Cell?
    if position < input.count, input[position] == quote {
      let openingLine = line
      var text: [UInt8] = []
      position += 1
      while true {
        if position == input.count {
          position = start
          line = openingLine
          skipLine()
          record.isUnterminated = true
          return false
        }
        if input[position] == quote {
          position += 1
          guard position < input.count, input[position] == quote else { break }
          text.append(input[position])
          position += 1
        } else {
          let before = position
          if takeLineEnd() {
            record.spansLines = true
            text += input[before..<position]
          } else {
            text.append(input[position])
            position += 1
          }
        }
      }
      cell = Cell(text)
    }
    let behindQuote = position
    while position < input.count, input[position] != delimiter, input[position] != 0x0A, input[position] != 0x0D {
      position += 1
    }
    if cell != nil, position > behindQuote {
      record.hasTextAfterQuote = true
      cell = nil
    }
    let bytes = Array(input[start..<position])
    record.cells.append(cell ?? (bytes.isEmpty ? .null : Cell(bytes)))
    if position < input.count, input[position] == delimiter {
      position += 1
      return true
    }
    _ = takeLineEnd()
    return false
  }
}
