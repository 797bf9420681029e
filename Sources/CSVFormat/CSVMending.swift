import Records

/// Finds the likeliest reading of a record whose quotes do not fit.
///
/// Every cell that begins with a quote can be read in three ways: closed at the first quote that is neither doubled nor
/// escaped, if a delimiter or a line end follows it; closed at the first quote that either of them follows, quotes within
/// being text; or not quoted at all. Of the readings that give as many cells as a record has, the one with the fewest
/// liberties is taken.
///
/// ```text
/// 1,"stray,"a, b",x      four cells wanted: 1 │ "stray │ a, b │ x
/// 1,"5" bolt",x          three cells wanted: 1 │ 5" bolt │ x
/// ```
struct CSVMending {
  /// A way to read one cell.
  private enum Way: CaseIterable {
    /// In quotes that fit.
    case sound
    /// In quotes, with others within that are text.
    case loose
    /// In quotes, of which the last stands behind another that is text.
    case trailing
    /// Without quotes.
    case plain
  }

  /// A cell in one of the readings.
  private struct Step {
    var start: Int
    var content: Range<Int>
    var way: Way
    var hasPairs = false
    /// Where the next cell begins, or the next record.
    var next = 0
    var endsRecord = false
    var lineEnds = 0
    /// Whether a quote had to be taken for text.
    var isLiberty = false
    var cost = 0
    /// The step before, in the layer before; -1 for the first cell.
    var previous = -1
  }

  let parser: CSVRecordParser
  /// How many cells are wanted.
  let width: Int

  /// How far from its start a record is looked at; bytes behind that cannot change what is found.
  let sightByteCount: Int
  /// Parsers with the other delimiters that people use.
  private let others: [CSVRecordParser]
  /// How many readings are followed at once.
  private static let readingLimit = 24

  init(parser: CSVRecordParser, width: Int) {
    self.parser = parser
    self.width = width
    sightByteCount = min(64 << 10, parser.recordByteCount)
    others = ["\t", ";", "|", " ", ","].compactMap { delimiter in
      guard let syntax = parser.syntax.parting(by: delimiter) else { return nil }
      return CSVRecordParser(
        syntax: syntax,
        recordByteCount: parser.recordByteCount,
        fieldByteCount: parser.fieldByteCount
      )
    }
  }

  /// Reads the record at `start` anew.
  ///
  /// - Parameters:
  ///   - end: Where the bytes end; at least `sightByteCount` behind the start unless the input ends there, as `isEnd`
  ///     says.
  ///   - record: Takes the cells; nothing happens to it without a reading.
  /// - Returns: What had to be taken for text, or nil if no reading has the wanted number of cells.
  /// - Complexity: O(`sightByteCount`), times a small constant.
  func mend(
    _ bytes: UnsafePointer<UInt8>,
    from start: Int,
    to end: Int,
    isEnd: Bool,
    into record: inout ParsedRecord
  ) -> [FoundFault.Kind]? {
    let isEnd = isEnd && end <= start + sightByteCount
    let end = min(end, start + sightByteCount)
    var budget = 16 * sightByteCount
    var layers: [[Step]] = []
    var positions: [(position: Int, cost: Int, step: Int)] = [(start, 0, -1)]
    for column in 0..<width {
      var layer: [Step] = []
      for place in positions {
        for way in Way.allCases {
          // What reaches the end of sight goes on behind it.
          guard var step = unsafe cell(bytes, at: place.position, to: end, way, budget: &budget),
            step.endsRecord == (column == width - 1), step.next < end || isEnd
          else { continue }
          step.cost += place.cost
          step.previous = place.step
          layer.append(step)
        }
      }
      guard !layer.isEmpty, budget > 0 else { return nil }
      // Of those that go on from the same place, the one with the fewest liberties is enough.
      var best: [Int: Int] = [:]
      for (index, step) in layer.enumerated() where step.cost < best[step.next].map({ layer[$0].cost }) ?? .max {
        best[step.next] = index
      }
      let kept = best.values.sorted { (layer[$0].cost, layer[$0].next) < (layer[$1].cost, layer[$1].next) }
      positions = kept.prefix(Self.readingLimit).map { (layer[$0].next, layer[$0].cost, $0) }
      layers.append(layer)
    }
    guard let last = positions.first else { return nil }
    return take(layers, last: last.step, into: &record)
  }

  /// Reads a line anew that hardly has the delimiter, with another one.
  ///
  /// It must give exactly the wanted number of cells, and no unquoted cell may hold the real delimiter.
  ///
  /// - Parameter end: Where the record ends, by the real delimiter.
  /// - Returns: What parts the line's cells, or nil and the record as it was.
  func reread(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, into record: inout ParsedRecord) -> String? {
    guard width > 2, 2 * record.cellCount <= width else { return nil }
    let length = unsafe parser.syntax.firstLineEnd(bytes, from: start, to: end) - start
    guard length <= sightByteCount else { return nil }
    for other in others {
      var trial = ParsedRecord()
      let outcome = unsafe other.parse(bytes, from: start, to: end, isEnd: true, wanted: width, into: &trial)
      guard outcome == .complete, trial.cellCount == width, trial.brokenQuotes.isEmpty else { continue }
      let holdsDelimiter = trial.fields.contains { field in
        !field.isQuoted
          && field.text.range.contains { position in
            unsafe match(parser.syntax.delimiter, bytes, at: position, end: field.text.range.upperBound, isEnd: true)
              == .yes
          }
      }
      guard !holdsDelimiter else { continue }
      record = trial
      return String(decoding: other.syntax.delimiter, as: UTF8.self)
    }
    return nil
  }

  /// Makes the record of the steps that lead to the last one.
  private func take(_ layers: [[Step]], last: Int, into record: inout ParsedRecord) -> [FoundFault.Kind] {
    var steps: [Step] = []
    var index = last
    for layer in layers.reversed() where index >= 0 {
      steps.append(layer[index])
      index = layer[index].previous
    }
    record.reset()
    var faults: [FoundFault.Kind] = []
    for (column, step) in steps.reversed().enumerated() {
      if step.hasPairs { record.escapedFields.append(column) }
      if step.content.count > parser.fieldByteCount, record.longField == nil {
        record.longField = (column, step.content)
      }
      let kept = step.content.prefix(parser.fieldByteCount)
      record.fields.append(Field(TextSlice(kept.lowerBound..<kept.upperBound), isQuoted: step.way != .plain))
      record.lineEnds += step.lineEnds
      record.end = step.next
      guard step.isLiberty else { continue }
      faults.append(
        step.way == .plain
          ? .quoteAsText(step.content, column: column) : .quoteWithinCell(step.content, column: column)
      )
    }
    record.cellCount = record.fields.count
    return faults
  }

  /// Reads the cell at `start` in one way; nil if it cannot be read so.
  private func cell(
    _ bytes: UnsafePointer<UInt8>,
    at start: Int,
    to end: Int,
    _ way: Way,
    budget: inout Int
  ) -> Step? {
    let syntax = parser.syntax
    let isQuoted = unsafe match(syntax.quote, bytes, at: start, end: end, isEnd: true) == .yes
    if way == .plain {
      var position = start
      while position < end, unsafe parser.syntax.endsCell(bytes, at: position, end: end, isEnd: true) == .no {
        position += 1
      }
      budget -= position - start
      return unsafe finish(
        Step(start: start, content: start..<position, way: .plain, isLiberty: isQuoted, cost: isQuoted ? 3 : 0),
        bytes,
        at: position,
        to: end
      )
    }
    return isQuoted ? unsafe quotedCell(bytes, at: start, to: end, way, budget: &budget) : nil
  }

  private func quotedCell(
    _ bytes: UnsafePointer<UInt8>,
    at start: Int,
    to end: Int,
    _ way: Way,
    budget: inout Int
  ) -> Step? {
    let (quote, escape) = (parser.syntax.quote, parser.syntax.escape)
    func has(_ token: [UInt8], _ position: Int) -> Bool {
      unsafe match(token, bytes, at: position, end: end, isEnd: true) == .yes
    }
    let isLiberty = way != .sound
    var step = Step(start: start, content: start..<start, way: way, isLiberty: isLiberty, cost: isLiberty ? 2 : 0)
    let contentStart = start + quote.count
    var position = contentStart
    defer { budget -= position - start }
    var hasLoneQuote = false
    while position < end {
      if has(escape, position) {
        position += escape.count
        for token in [quote, escape] where has(token, position) {
          step.hasPairs = true
          position += token.count
          break
        }
      } else if has(quote, position) {
        let next = position + quote.count
        let isPair = parser.syntax.doublesQuotes && has(quote, next)
        let behind = isPair ? next + quote.count : next
        let closes = unsafe parser.syntax.endsCell(bytes, at: behind, end: end, isEnd: true) == .yes
        if isPair {
          step.hasPairs = true
          if closes, way == .trailing {
            step.content = contentStart..<next
            return unsafe finish(step, bytes, at: behind, to: end)
          }
        } else if closes {
          // What the sound way reads is no liberty.
          guard way == .sound || (way == .loose && hasLoneQuote) else { return nil }
          step.content = contentStart..<position
          return unsafe finish(step, bytes, at: behind, to: end)
        } else {
          guard isLiberty else { return nil }
          hasLoneQuote = true
        }
        position = behind
      } else {
        if unsafe parser.syntax.endsLine(bytes, at: position, end: end) {
          step.lineEnds += 1
          // A damaged record rather ends with its line.
          if step.lineEnds == 1 { step.cost += 4 }
        }
        position += 1
      }
    }
    return nil
  }

  /// Completes a cell whose delimiter or line end stands at `position`.
  private func finish(_ step: Step, _ bytes: UnsafePointer<UInt8>, at position: Int, to end: Int) -> Step? {
    var step = step
    let syntax = parser.syntax
    if position < end, unsafe match(syntax.delimiter, bytes, at: position, end: end, isEnd: true) == .yes {
      step.next = position + syntax.delimiter.count
      return step
    }
    let length = unsafe syntax.lineEndLength(bytes, at: position, end: end, isEnd: true) ?? 0
    step.endsRecord = true
    step.next = position + length
    if length > 0 { step.lineEnds += 1 }
    return step
  }
}
