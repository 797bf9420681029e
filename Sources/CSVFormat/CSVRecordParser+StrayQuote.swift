/// What tells a quote that was never meant to open a cell from one that was.
extension CSVRecordParser {
  /// The opening quote that is likely a stray one, in a multi-line record that plain rules find wrong.
  ///
  /// Two signs count, both within the record's own bytes. First: the quote that closes a cell of several lines stands
  /// where a cell begins and has text behind it, so it was meant to open. Second: at least three of the lines between
  /// the first and the last, and nine in ten, are records of the right width by themselves.
  func strayQuote(in record: ParsedRecord, _ bytes: UnsafePointer<UInt8>, width: Int) -> Int? {
    if let opening = record.strayOpening { return opening }
    guard width > 1, let opening = record.multilineOpening else { return nil }
    let lines = unsafe linesLikeRecords(bytes, from: opening, to: record.end, width: width)
    return lines.sound >= 3 && lines.sound >= 9 * lines.unsound ? opening : nil
  }

  /// How many of the lines between the first and the last are records of the right width by themselves, and how many
  /// are not.
  func linesLikeRecords(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    width: Int
  ) -> (sound: Int, unsound: Int) {
    var trial = ParsedRecord()
    var sound = 0
    var unsound = 0
    var position = unsafe syntax.firstLineEnd(bytes, from: start, to: end)
    var end = end - 1
    while unsafe end > position && bytes[end - 1] != 0x0A && bytes[end - 1] != 0x0D { end -= 1 }
    // Each trial may run to the end; a budget keeps the sum in proportion.
    var budget = 4 * (end - position) + 1024
    while position < end, budget > 0 {
      if let length = unsafe syntax.lineEndLength(bytes, at: position, end: end, isEnd: true), length > 0 {
        position += length
        continue
      }
      let outcome = unsafe parse(bytes, from: position, to: end, isEnd: true, wanted: 0, into: &trial)
      if outcome == .complete, trial.cellCount == width, trial.brokenQuotes.isEmpty {
        sound += 1
        budget -= trial.end - position
        position = trial.end
      } else {
        unsound += 1
        budget -= outcome == .complete ? trial.end - position : end - position
        position = unsafe syntax.firstLineEnd(bytes, from: position, to: end)
      }
    }
    return (sound, unsound)
  }

  /// Whether the quote before `textStart`, which closes the cell at `cellStart`, was rather meant to open one.
  ///
  /// The cell has several lines then, and the run of quotes that ends there stands where a cell begins; in a cell of
  /// its own it would be the opening quote and pairs.
  func closesWhereOneOpens(textStart: Int, cellStart: Int, _ bytes: UnsafePointer<UInt8>) -> Bool {
    let quote = syntax.quote
    let contentStart = cellStart + quote.count
    var run = textStart
    while run - quote.count >= contentStart,
      unsafe match(quote, bytes, at: run - quote.count, end: textStart, isEnd: true) == .yes
    {
      run -= quote.count
    }
    guard run > contentStart, unsafe syntax.firstLineEnd(bytes, from: contentStart, to: run) < run else { return false }
    let before = unsafe bytes[run - 1]
    if before == 0x0A || before == 0x0D { return true }
    let delimiterStart = run - syntax.delimiter.count
    return unsafe delimiterStart >= contentStart
      && match(syntax.delimiter, bytes, at: delimiterStart, end: run, isEnd: true) == .yes
  }
}
