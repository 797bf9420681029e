package import Diagnostics

extension RecordBatch {
  /// Ties the batch to the source that its text was decoded from; places that were worked out before are translated.
  ///
  /// From now on `raw` and all places are the source's.
  package mutating func attach(_ source: SourceText) {
    for index in faults.indices { faults[index].diagnostic.translate(by: source) }
    for index in notes.indices { notes[index].translate(by: source) }
    sourceBytes = source.bytes
    self.source = source
  }

  /// The bytes at the head of an invalid sequence, and what is wrong with them.
  ///
  /// - Parameter offset: In the batch's text; the byte there is no valid UTF-8.
  package func invalidSequence(atOffset offset: Int) -> (bytes: [UInt8], fault: SourceFault) {
    guard let source else { return ([text.bytes[offset]], SourceFault(byteCount: 1)) }
    let start = source.position(ofText: byteOffset + Int64(offset))
    let fault = source.coding.fault(in: source.bytes.span.extracting(start...))
    return (Array(source.bytes[start..<min(start + fault.byteCount, source.bytes.count)]), fault)
  }
}

extension Diagnostic {
  /// Turns a place in the text that readers see into one in the source, and what was said of UTF-8 into its encoding.
  package mutating func translate(by source: SourceText) {
    // What is said of the input as a whole has no place in it.
    if location.byteOffset > 0 || location.byteCount > 0 {
      (location.byteOffset, location.byteCount) = source.place(ofText: location.byteOffset, count: location.byteCount)
    }
    // A fault that readers call one of UTF-8; half a surrogate pair among JSON's escapes is none.
    guard code == .encodingError, expected?.hasSuffix("UTF-8") ?? false else { return }
    showInvalid(of: source.coding)
    message = message.replacing("UTF-8", with: source.coding.name)
    remedy = source.coding.remedy
  }

  /// Shows the replacement character where the value holds what is no character; says what was expected.
  package mutating func showInvalid(of coding: any SourceCoding) {
    // As `excerpt(of:)` writes an `invalidByte`.
    let (mark, shown) = ("\\xFF", "\u{FFFD}")
    value = value.map { $0.replacing(mark, with: shown) }
    message = message.replacing(mark, with: shown)
    expected = coding.name
  }
}

extension SourceCoding {
  /// What to do about bytes that are no character.
  package var remedy: String { "correct the bytes, or tell the file's real encoding with --encoding" }
}
