/// A place that stands both in the text and in the source, where decoding can begin afresh.
package struct SourceMark: Sendable, Hashable {
  /// Offset in the UTF-8 that readers see.
  package var text: Int64
  /// Offset in the source.
  package var source: Int64

  /// Makes a mark.
  package init(text: Int64, source: Int64) {
    self.text = text
    self.source = source
  }
}

/// The source bytes of a batch that was read from another encoding than UTF-8, and how to find a place in them.
///
/// ```text
/// text     │ n;città\n …          marks  (0, 2)         (2050, 4098) …
/// source   │ FF FE 6E 00 3B 00 63 00 …       each a place where decoding can begin
/// ```
///
/// Only marks are kept; a place between two is found by decoding from the mark before it, so that nothing is spent on
/// records without a fault.
package struct SourceText: Sendable {
  /// The encoding.
  package let coding: any SourceCoding
  /// The source, from the first mark on.
  package let bytes: [UInt8]
  /// In ascending order; the first is where `bytes` begins.
  package let marks: [SourceMark]

  /// Gathers a part of a source.
  ///
  /// - Parameter marks: At least one.
  package init(coding: any SourceCoding, bytes: [UInt8], marks: [SourceMark]) {
    precondition(!marks.isEmpty, "decoding begins at a mark")
    self.coding = coding
    self.bytes = bytes
    self.marks = marks
  }

  /// Position in `bytes` of the character in which a byte of the text stands.
  ///
  /// - Parameter textOffset: In the whole input; one outside of this part counts as its nearest end.
  /// - Complexity: Decodes from the mark before it.
  package func position(ofText textOffset: Int64) -> Int {
    var low = 0
    var high = marks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if marks[middle].text <= textOffset { low = middle } else { high = middle }
    }
    let start = Int(marks[low].source - marks[0].source)
    let textCount = Int(textOffset - marks[low].text)
    guard textCount > 0 else { return start }
    return start + coding.sourceCount(ofText: textCount, in: bytes.span.extracting(start...))
  }

  /// Offset in the input of a position in `bytes`.
  package func offset(ofPosition position: Int) -> Int64 { marks[0].source + Int64(position) }

  /// Where in the source a part of the text stands.
  package func place(ofText textOffset: Int64, count: Int) -> (offset: Int64, byteCount: Int) {
    let start = position(ofText: textOffset)
    let end = count == 0 ? start : position(ofText: textOffset + Int64(count))
    return (offset(ofPosition: start), end - start)
  }
}
