import EntityModel

/// An input in which everything is as usual, for others that begin with the same header and are written alike.
///
/// Feeds come as many small files of one origin; to find out the dialect of each from nothing costs more than to read it.
/// An input is taken to be like the one before only if it can be nothing else: every line of its sample has the header's
/// number of cells, quotes enclose whole cells, and nothing shows that would have been looked at twice.
package struct CSVPrecedent: Sendable {
  /// The line that names the columns, with its end.
  private let header: [UInt8]
  private let width: Int
  private let delimiter: UInt8
  private let told: CSVSettings
  private let knownNames: [String]
  private let detection: CSVDetection

  private static let quote = UInt8(ascii: "\"")

  /// Makes a precedent of what was detected of an input; nil if anything about it was out of the ordinary.
  ///
  /// - Parameters:
  ///   - detection: What `CSVDetector` has found with the other values.
  ///   - sample: The first bytes of that input.
  package init?(_ detection: CSVDetection, sample: Span<UInt8>, told: CSVSettings, knownNames: [String]) {
    var plain = CSVDialect(delimiter: detection.dialect.delimiter)
    plain.nullTokens = told.nullTokens
    plain.badRows = told.badRows
    guard detection.dialect == plain, detection.isDelimited, detection.frame == CSVRejectFrame(),
      detection.widthWithEmptyLastCell == nil, told.columns == nil, told.lineEnd == nil,
      plain.delimiter.utf8.count == 1, let delimiter = plain.delimiter.utf8.first
    else { return nil }
    var end = 0
    while end < sample.count, sample[end] != 0x0A, sample[end] != 0x0D { end += 1 }
    let cells = (0..<end).map { sample[$0] }.split(separator: delimiter, omittingEmptySubsequences: false)
    // Plain names, told apart: another line cannot belong to the header, another delimiter cannot hide in it.
    guard cells.count > 1, Set(cells.map(CSVHeader.folded)).count == cells.count,
      cells.joined().allSatisfy({ $0 == UInt8(ascii: "_") || isLetterOrDigit($0) }), !cells.contains([]),
      cells.allSatisfy({ CSVCellKind($0) == .text }), end < sample.count
    else { return nil }
    header = (0..<end + (sample[end] == 0x0D && end + 1 < sample.count && sample[end + 1] == 0x0A ? 2 : 1))
      .map { sample[$0] }
    width = cells.count
    self.delimiter = delimiter
    self.told = told
    self.knownNames = knownNames
    self.detection = detection
  }

  /// The detection for an input that is like the precedent; nil if it may be another.
  ///
  /// - Complexity: O(bytes of the sample), once.
  package func detection(
    ofSample sample: Span<UInt8>,
    isWholeInput: Bool,
    told: CSVSettings,
    knownNames: [String]
  ) -> CSVDetection? {
    guard sample.count > header.count, told == self.told, knownNames == self.knownNames,
      begins(sample), !begins(sample.extracting(header.count...)),
      let lineCount = lineCount(of: sample, isWholeInput: isWholeInput), lineCount > 1
    else { return nil }
    var detection = detection
    if told.delimiter == nil {
      let rows = min(lineCount, CSVSample.recordLimit)
      detection.reasons[0] = CSVDetector.reason(for: detection.dialect.delimiter, rows, of: rows, cellCount: width)
    }
    return detection
  }

  /// Whether the header stands here; once more, and it may be one of several lines.
  private func begins(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= header.count && header.indices.allSatisfy { bytes[$0] == header[$0] }
  }

  /// How many whole records there are, the header among them; nil where one has another number of cells, or shows
  /// anything that a detection would weigh.
  private func lineCount(of sample: Span<UInt8>, isWholeInput: Bool) -> Int? {
    let lineEnd = header[header.count - 1]
    let isPair = header.count > 1 && header[header.count - 2] == 0x0D && lineEnd == 0x0A
    var lines = 1
    var cells = 1
    var position = header.count
    /// Whether a cell begins here.
    var isStart = true
    while position < sample.count {
      let byte = sample[position]
      position += 1
      if byte == delimiter {
        cells += 1
        isStart = true
      } else if byte == Self.quote {
        guard isStart, delimiter != 0x09, let end = endOfQuoted(sample, from: position) else { return nil }
        guard end < sample.count else { return isWholeInput ? nil : lines }
        guard sample[end] == delimiter || sample[end] == 0x0A || sample[end] == 0x0D else { return nil }
        position = end
        isStart = false
      } else if byte == 0x0A || byte == 0x0D {
        if isPair {
          guard byte == 0x0D else { return nil }
          guard position < sample.count else { return isWholeInput ? nil : lines }
          guard sample[position] == 0x0A else { return nil }
          position += 1
        } else {
          guard byte == lineEnd else { return nil }
        }
        guard cells == width else { return nil }
        lines += 1
        cells = 1
        isStart = true
      } else {
        // What may begin a comment, or a cell in other quotes.
        if isStart, byte == UInt8(ascii: "'") || (byte == UInt8(ascii: "#") && cells == 1) { return nil }
        isStart = false
      }
    }
    // The last line of a sample that is cut is a piece.
    guard isWholeInput, cells > 1 || !isStart else { return lines }
    return cells == width ? lines + 1 : nil
  }

  /// Where a quoted cell's text ends that begins here, behind the quote; the sample's end if that comes before.
  ///
  /// - Returns: nil for a cell that is longer than any that a person would call regular: a stray quote may have opened it.
  private func endOfQuoted(_ sample: Span<UInt8>, from start: Int) -> Int? {
    var position = start
    let limit = min(sample.count, start + 4096)
    while position < limit {
      guard sample[position] == Self.quote else {
        position += 1
        continue
      }
      guard position + 1 < sample.count, sample[position + 1] == Self.quote else { return position + 1 }
      position += 2
    }
    return limit == sample.count ? limit : nil
  }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}
