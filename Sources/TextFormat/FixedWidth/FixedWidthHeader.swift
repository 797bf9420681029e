import Diagnostics
import EntityModel
import Records

/// The columns' names, cut from the header lines by the same widths as records.
struct FixedWidthHeader {
  let layout: FixedWidthLayout
  let file: String
  private(set) var lineCount = 0
  private var labels: [String] = []
  private var places: [SourceLocation] = []

  init(layout: FixedWidthLayout, file: String) {
    self.layout = layout
    self.file = file
  }

  /// Takes a header line; several are joined column by column with a space.
  mutating func add(_ content: Span<UInt8>, line: Int, at offset: Int) {
    lineCount += 1
    var bytes: [UInt8] = []
    for index in content.indices { bytes.append(content[index]) }
    let starts = bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
    func offsetOfCharacter(_ number: Int) -> Int { number <= starts.count ? starts[number - 1] : bytes.count }
    for (index, column) in layout.columns.enumerated() {
      var cell = bytes[offsetOfCharacter(column.first)..<(column.last.map { offsetOfCharacter($0 + 1) } ?? bytes.count)]
      func isPadding(_ byte: UInt8) -> Bool {
        LineScan.isBlank(byte) || (layout.hasRulers && byte == UInt8(ascii: "|"))
      }
      if layout.dropsPadding {
        cell = cell.drop(while: isPadding)
        while let last = cell.last, isPadding(last) { cell.removeLast() }
      }
      let name = String(decoding: cell, as: UTF8.self)
      if index == labels.count {
        labels.append(name)
        places.append(
          SourceLocation(
            file: file,
            line: line,
            column: column.first,
            byteOffset: Int64(offset + cell.startIndex),
            byteCount: cell.count
          )
        )
      } else if labels[index].isEmpty {
        labels[index] = name
      } else if !name.isEmpty {
        labels[index] += " " + name
      }
    }
  }

  /// The names: those told, else the header's, else numbers.
  ///
  /// - Throws: `ReadError.refused` for names that are blank or stand twice.
  func names() throws(ReadError) -> [String] {
    if let told = layout.names { return told }
    guard lineCount > 0 else {
      return layout.columns.count == 1 && !layout.dropsPadding
        ? ["line"] : (1...layout.columns.count).map { "column_\($0)" }
    }
    var faults: [Diagnostic] = []
    var first: [String: Int] = [:]
    for (index, label) in labels.enumerated() {
      let range = layout.columns[index]
      if label.isEmpty {
        faults.append(.blankLabel(range, at: places[index]))
      } else if label.utf8.contains(0) {
        faults.append(.illegalLabel(label, at: places[index]))
      } else if let earlier = first[label.lowercased()] {
        faults.append(.repeatedLabel(label, layout.columns[earlier], range, at: places[index]))
      } else {
        first[label.lowercased()] = index
      }
    }
    guard faults.isEmpty else { throw .refused(faults) }
    return labels
  }
}
