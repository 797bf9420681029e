package import EntityModel

/// Writes values the way every format spells them; quoting and escaping are the format's own.
package enum ValueSpelling {
  /// Appends the spelling of a value that is not NULL.
  ///
  /// - Parameters:
  ///   - value: As the store holds it. A value that does not have the storage class of its type (a text in an integer
  ///     column of a database that others wrote) is spelled by its own class.
  ///   - type: The attribute's type; it decides the digits of a decimal, `true` and `false`, and base64.
  ///   - text: What slices point into; not `output`.
  package static func append(
    _ value: Value,
    as type: AttributeType,
    from text: borrowing TextBuffer,
    to output: inout TextBuffer
  ) {
    switch value {
    case .null, .absent: break
    case .text(let slice): output.append(text.bytes(of: slice))
    case .blob(let slice): appendBase64(text.bytes(of: slice), to: &output)
    case .integer(let number): unsafe output.fill(byteBound(of: type)) { unsafe write(number, as: type, to: $0) }
    case .real(let number): unsafe output.fill(byteBound(of: type)) { unsafe write(number, as: type, to: $0) }
    }
  }

  /// Appends a whole number in digits.
  package static func append(_ number: Int64, to output: inout TextBuffer) {
    unsafe output.fill(20) { room in unsafe write(number, to: room) }
  }

  /// Appends bytes in base64 with padding (RFC 4648, section 4).
  package static func appendBase64(_ bytes: Span<UInt8>, to output: inout TextBuffer) {
    let alphabet = StaticString("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    func letter(_ sextet: UInt32) -> UInt8 { unsafe alphabet.utf8Start[Int(sextet & 63)] }
    var position = 0
    while position < bytes.count {
      let count = min(3, bytes.count - position)
      var triple = UInt32(bytes[position]) << 16
      if count > 1 { triple |= UInt32(bytes[position + 1]) << 8 }
      if count > 2 { triple |= UInt32(bytes[position + 2]) }
      output.append(letter(triple >> 18))
      output.append(letter(triple >> 12))
      output.append(count > 1 ? letter(triple >> 6) : UInt8(ascii: "="))
      output.append(count > 2 ? letter(triple) : UInt8(ascii: "="))
      position += 3
    }
  }
}

/// What a writer must know of one column.
package struct WrittenColumn: Sendable, Hashable {
  /// Its name in the file.
  package var name: String
  /// Its type, which decides the spelling of values.
  package var type: AttributeType
  /// Whether its values are lists of such, as `ItemList` spells them; each is written with every item by itself.
  package var isList: Bool

  /// Makes a column.
  package init(name: String, type: AttributeType, isList: Bool = false) {
    self.name = name
    self.type = type
    self.isList = isList
  }
}
