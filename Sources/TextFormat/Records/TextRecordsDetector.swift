/// Tells whether a text is laid out as `Key: value` blocks.
package enum TextRecordsDetector {
  /// Looks at the beginning of an input.
  ///
  /// It is taken for records if it begins with `%rec:`, or if nearly all lines are fields, continuations or comments, and
  /// several blocks with a key in common, or a block of several keys, show that colons do not stand there by chance. Keys
  /// must look like names: letters, digits, `_`, `-`, `.`, `/`, brackets and single spaces, at most 64 bytes.
  ///
  /// - Parameters:
  ///   - sample: The first bytes, in UTF-8.
  ///   - isWholeInput: Whether they are all; else the last line counts only as the beginning of a field.
  /// - Returns: The answer and its reason, as the second half of a sentence.
  package static func detect(sample: Span<UInt8>, isWholeInput: Bool) -> (isRecords: Bool, reason: String) {
    var survey = Survey()
    var start = sample.count >= 3 && sample[0] == 0xEF && sample[1] == 0xBB && sample[2] == 0xBF ? 3 : 0
    while start < sample.count {
      var end = start
      while end < sample.count, !LineScan.isLineEnd(sample[end]) { end += 1 }
      if end == sample.count, !isWholeInput, survey.lineCount > 0 {
        survey.takeField(sample.extracting(start..<end))
        break
      }
      survey.take(sample.extracting(start..<end))
      let isCRLF = end + 1 < sample.count && sample[end] == 0x0D && sample[end + 1] == 0x0A
      start = end + (isCRLF ? 2 : 1)
    }
    return survey.verdict
  }
}

/// What the lines of a sample are.
private struct Survey {
  private(set) var lineCount = 0
  private var fieldCount = 0
  private var unreadableCount = 0
  private var blockCount = 0
  private var isInBlock = false
  private var hasRecordName = false
  /// Whether `%rec` comes before anything else, as a writer of records puts it.
  private var beginsWithRecordName = false
  /// How many blocks have a key; keys past a limit are not counted, so that no sample makes this large.
  private var blocksByKey: [[UInt8]: Int] = [:]
  private var keysOfBlock: Set<[UInt8]> = []
  private var mostKeys = 0

  mutating func take(_ line: Span<UInt8>) {
    lineCount += 1
    var content = 0
    while content < line.count, LineScan.isBlank(line[content]) { content += 1 }
    if content == line.count {
      isInBlock = false
      return
    }
    switch line[0] {
    case UInt8(ascii: "#"): return
    case UInt8(ascii: "%"):
      let marker = Array("%rec:".utf8)
      if line.count >= marker.count, marker.indices.allSatisfy({ line[$0] == marker[$0] }) {
        hasRecordName = true
        if fieldCount == 0, unreadableCount == 0 { beginsWithRecordName = true }
      }
      return
    case UInt8(ascii: "+"), 0x20, 0x09:
      if !isInBlock { unreadableCount += 1 }
      return
    default: break
    }
    guard let key = Self.key(of: line) else {
      unreadableCount += 1
      return
    }
    fieldCount += 1
    if !isInBlock {
      isInBlock = true
      blockCount += 1
      keysOfBlock = []
    }
    if keysOfBlock.insert(key).inserted, blocksByKey.count < 1000 || blocksByKey[key] != nil {
      blocksByKey[key, default: 0] += 1
    }
    mostKeys = max(mostKeys, keysOfBlock.count)
  }

  /// Takes a line whose end is out of sight, if what there is of it holds a key: a value may be longer than a sample.
  mutating func takeField(_ line: Span<UInt8>) {
    guard line.count > 64, Self.key(of: line) != nil else { return }
    take(line)
  }

  var verdict: (isRecords: Bool, reason: String) {
    if beginsWithRecordName { return (true, "it begins with '%rec:'") }
    guard fieldCount > 0 else { return (false, "no line is 'Key: value'") }
    guard unreadableCount * 4 <= fieldCount else {
      return (false, "\(unreadableCount) of \(lineCount) lines are no 'Key: value'")
    }
    let fields = fieldCount == 1 ? "1 'Key: value' line" : "\(fieldCount) 'Key: value' lines"
    let blocks = blockCount == 1 ? "1 block" : "\(blockCount) blocks parted by blank lines"
    let isRepeated = blocksByKey.values.contains { $0 > 1 }
    guard hasRecordName || isRepeated || mostKeys > 1 else {
      return (false, "\(fields) in \(blocks), without a key in common")
    }
    return (true, "\(fields) in \(blocks)" + (hasRecordName ? ", named by '%rec'" : ""))
  }

  /// The key of a line, if it looks like one.
  private static func key(of line: Span<UInt8>) -> [UInt8]? {
    var key: [UInt8] = []
    var colon = 0
    while colon < line.count, line[colon] != UInt8(ascii: ":") {
      guard colon < 64, isNamePart(line[colon]) else { return nil }
      if line[colon] == 0x20, key.last == 0x20 { return nil }
      key.append(line[colon])
      colon += 1
    }
    // `http://…` is an address and `12:30` a time, not fields.
    guard colon < line.count, colon + 1 == line.count || line[colon + 1] != UInt8(ascii: "/") else { return nil }
    while key.last == 0x20 { key.removeLast() }
    guard key.contains(where: { !(0x30...0x39).contains($0) && $0 != 0x20 }) else { return nil }
    return key
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF, 0x20: true
    default: "_-./()[]#@$'".utf8.contains(byte)
    }
  }
}
