import Diagnostics
import EntityModel
import JSONSyntax
import Records

/// How the rows of one kind stand in JSON: as the members of an object, without its braces.
struct JSONRowSpelling: Sendable {
  private let columns: [WrittenColumn]
  /// Each column's name with its quotes and colon.
  private let names: [[UInt8]]
  private static let null = Array("null".utf8)

  init(columns: [WrittenColumn]) {
    self.columns = columns
    names = columns.map { Self.member($0.name) }
  }

  /// A name with its quotes and colon.
  static func member(_ name: String) -> [UInt8] {
    var member: [UInt8] = []
    // A `String` is valid Unicode, so that nothing can be refused here.
    _ = JSONString.appendEscaped(Array(name.utf8).span, to: &member)
    return member + [UInt8(ascii: ":")]
  }

  /// Appends the members of a row.
  ///
  /// - Parameters:
  ///   - number: The row's number in the output, for messages.
  ///   - spelling: Scratch space.
  /// - Returns: Whether there are any.
  func append(
    _ row: ValueBatch.Row,
    number: Int64,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    to output: inout [UInt8],
    spelling: inout TextBuffer
  ) throws(WriteError) -> Bool {
    for column in columns.indices {
      if column > 0 { output.append(UInt8(ascii: ",")) }
      output += names[column]
      let value = rows.values[Int(row.valueStart) + column]
      if columns[column].isList, case .text(let list) = value {
        try append(list: text.bytes(of: list), column: column, number: number, to: &output, spelling: &spelling)
      } else {
        try append(value, column: column, number: number, from: text, to: &output, spelling: &spelling)
      }
    }
    return !columns.isEmpty
  }

  /// Appends an array of items.
  private func append(
    list: Span<UInt8>,
    column: Int,
    number: Int64,
    to output: inout [UInt8],
    spelling: inout TextBuffer
  ) throws(WriteError) {
    var items = TextBuffer()
    var position = 0
    var isFirst = true
    while let item = ItemList.next(in: list, at: &position) {
      output.append(isFirst ? UInt8(ascii: "[") : UInt8(ascii: ","))
      isFirst = false
      items.truncate(to: 0)
      let value = ItemList.value(of: list.extracting(item), into: &items)
      try append(value, column: column, number: number, from: items, to: &output, spelling: &spelling)
    }
    output.append(UInt8(ascii: "]"))
  }

  private func append(
    _ value: Value,
    column: Int,
    number: Int64,
    from text: borrowing TextBuffer,
    to output: inout [UInt8],
    spelling: inout TextBuffer
  ) throws(WriteError) {
    let type = columns[column].type
    switch value {
    case .null, .absent: output += Self.null
    case .text(let slice):
      guard type != .binary else { throw cannotHold("a text in a column of bytes", column, number) }
      let bytes = text.bytes(of: slice)
      if case .decimal = type, JSONNumber.isValid(bytes) {
        Self.append(bytes, to: &output)
      } else if let offset = JSONString.appendEscaped(bytes, to: &output) {
        throw cannotHold("a text that is not UTF-8 from its byte \(offset + 1) on", column, number)
      }
    case .blob(let slice):
      guard type == .binary else { throw cannotHold("bytes in a column of the type '\(type.name)'", column, number) }
      spelling.truncate(to: 0)
      ValueSpelling.appendBase64(text.bytes(of: slice), to: &spelling)
      output.append(UInt8(ascii: "\""))
      Self.append(spelling.bytes, to: &output)
      output.append(UInt8(ascii: "\""))
    case .real(let real) where !real.isFinite: throw cannotHold("the number \(real)", column, number)
    case .integer, .real:
      spelling.truncate(to: 0)
      ValueSpelling.append(value, as: type, from: text, to: &spelling)
      Self.append(spelling.bytes, to: &output)
    }
  }

  private static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
  }

  private func cannotHold(_ what: String, _ column: Int, _ number: Int64) -> WriteError {
    .cannotHold("row \(number), column '\(excerpt(of: columns[column].name))': JSON cannot hold \(what)")
  }
}
