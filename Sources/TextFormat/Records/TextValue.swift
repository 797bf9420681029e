import Records

/// How a text stands behind its key.
enum TextValue {
  /// Appends a text and its line ends, each followed by a line that begins with `+`.
  ///
  /// - Parameter indentation: Stands before each further line.
  static func append(_ value: Span<UInt8>, indentation: [UInt8], to output: inout TextBuffer) {
    var start = 0
    while true {
      var end = start
      while end < value.count, !LineScan.isLineEnd(value[end]) { end += 1 }
      if end > start {
        output.append(0x20)
        output.append(value.extracting(start..<end))
      }
      guard end < value.count else { return }
      let isCRLF = value[end] == 0x0D && end + 1 < value.count && value[end + 1] == 0x0A
      start = end + (isCRLF ? 2 : 1)
      output.append(value.extracting(end..<start))
      output.append(indentation.span)
      output.append(UInt8(ascii: "+"))
    }
  }
}
