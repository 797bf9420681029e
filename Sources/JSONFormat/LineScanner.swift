import JSONSyntax
import Records

/// Finds the records of NDJSON, an object a line.
///
/// A string cannot hold a line end, so that lines are found without a look at what they hold. LF and CRLF end one; a
/// line of white space is no record.
struct LineScanner: RecordScanner {
  var assembly: RecordAssembly
  private(set) var ordinal: Int64 = 0
  private let limit: Int
  /// Where the next line begins, and its place.
  private var lineStart = 0
  private var place = JSONPlace()
  /// Up to where no line end was found.
  private var searched = 0

  init(limits: ReadLimits, assembly: RecordAssembly) {
    limit = limits.recordByteCount
    self.assembly = assembly
  }

  mutating func scan(_ batch: inout RecordBatch, isComplete: Bool) throws(ScanFailure) -> ScanProgress {
    while let line = nextLine(in: batch.text.bytes, isComplete: isComplete) {
      guard line.count <= limit else { throw .tooLong(line, place: place) }
      readLine(line, into: &batch)
      lineStart = line.upperBound
    }
    return ScanProgress(end: lineStart, place: place, isInRecord: false)
  }

  mutating func discard(_ byteCount: Int, of bytes: Span<UInt8>) {
    lineStart -= byteCount
    searched -= byteCount
  }

  private mutating func nextLine(in bytes: Span<UInt8>, isComplete: Bool) -> Range<Int>? {
    while searched < bytes.count {
      searched += 1
      if bytes[searched - 1] == 0x0A { return lineStart..<searched }
    }
    return isComplete && lineStart < bytes.count ? lineStart..<bytes.count : nil
  }

  private mutating func readLine(_ line: Range<Int>, into batch: inout RecordBatch) {
    var tokenizer = JSONTokenizer(at: line.lowerBound, place: place)
    defer { place = tokenizer.place(at: line.upperBound, in: batch.text.bytes) }
    guard !isBlank(line, in: batch.text.bytes) else { return }
    assembly.beginRecord(at: line.lowerBound, memberDepth: 1)
    do throws(JSONSyntaxError) {
      let first = try tokenizer.next(in: batch.text.bytes.extracting(0..<line.upperBound), isComplete: true)
      if first.kind != .beginObject { assembly.addFault(.notAnObject(first.kind.valueName, at: line)) }
      var isInObject = first.kind == .beginObject
      while true {
        let token = try tokenizer.next(in: batch.text.bytes.extracting(0..<line.upperBound), isComplete: true)
        if token.kind == .end { break }
        if isInObject { isInObject = !assembly.take(token, depth: tokenizer.depth, in: batch) }
      }
    } catch {
      assembly.refuseRecord(.malformedLine(error, isCut: isCut(line, in: batch.text.bytes)))
    }
    ordinal += Int64(assembly.endRecord(ordinal: ordinal + 1, place: place, raw: line, in: &batch))
  }

  /// Whether a line without a line end is the beginning of an object.
  private func isCut(_ line: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard bytes[line.upperBound - 1] != 0x0A else { return false }
    var tokenizer = JSONTokenizer(at: line.lowerBound, place: place)
    do throws(JSONSyntaxError) {
      while true {
        let token = try tokenizer.next(in: bytes.extracting(0..<line.upperBound), isComplete: false)
        if token.kind == .incomplete { return true }
        if token.kind == .end { return false }
      }
    } catch {
      return false
    }
  }

  private func isBlank(_ line: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    for index in line {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return false
      }
    }
    return true
  }
}
