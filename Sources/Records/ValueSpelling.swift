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
    switch (value, type) {
    case (.null, _), (.absent, _): break
    case (.text(let slice), _): output.append(text.bytes(of: slice))
    case (.blob(let slice), _): appendBase64(text.bytes(of: slice), to: &output)
    case (.integer(let number), .boolean) where number == 0 || number == 1:
      output.append(number == 0 ? "false" : "true")
    case (.integer(let number), .decimal(_?, let scale)):
      append(number, to: &output)
      appendZeros(scale ?? 0, to: &output)
    case (.integer(let number), .double):
      append(number, to: &output)
      output.append(".0")
    case (.integer(let number), _): append(number, to: &output)
    case (.real(let number), .decimal(_?, let scale)) where abs(number) < 1e15:
      append(number, scale: scale ?? 0, to: &output)
    case (.real(let number), _): output.append(number.description)
    }
  }

  /// Appends a whole number in digits.
  package static func append(_ number: Int64, to output: inout TextBuffer) {
    unsafe output.fill(20) { room in unsafe write(number, to: room) }
  }

  /// Writes a whole number in digits where there is room for 20 bytes; returns how many it took.
  package static func write(_ number: Int64, to room: UnsafeMutablePointer<UInt8>) -> Int {
    var magnitude = number.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while digits < 19, magnitude >= bound {
      digits += 1
      bound &*= 10
    }
    if digits == 19, magnitude >= 10_000_000_000_000_000_000 { digits = 20 }
    var start = 0
    if number < 0 {
      unsafe room[0] = UInt8(ascii: "-")
      start = 1
    }
    for position in stride(from: start + digits - 1, through: start, by: -1) {
      let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
      unsafe room[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      magnitude = rest
    }
    return start + digits
  }

  /// Appends a number below 10^15 with `scale` decimals; exact for the decimals that are stored as numbers.
  private static func append(_ number: Double, scale: Int, to output: inout TextBuffer) {
    var factor: Int64 = 1
    for _ in 0..<min(scale, 15) { factor *= 10 }
    let scaled = (number * Double(factor)).rounded()
    // A number with more decimals than its type has (another program wrote it) is spelled whole, never rounded.
    guard scaled.magnitude < 9e15, scaled / Double(factor) == number else {
      output.append(number.description)
      return
    }
    let (whole, rest) = Int64(scaled).quotientAndRemainder(dividingBy: factor)
    if scaled < 0, whole == 0 { output.append(UInt8(ascii: "-")) }
    append(whole, to: &output)
    guard scale > 0 else { return }
    output.append(UInt8(ascii: "."))
    var unit = factor / 10
    var digits = rest.magnitude
    while unit > 0 {
      output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits / UInt64(unit)))
      digits %= UInt64(unit)
      unit /= 10
    }
  }

  private static func appendZeros(_ scale: Int, to output: inout TextBuffer) {
    guard scale > 0 else { return }
    output.append(UInt8(ascii: "."))
    for _ in 0..<scale { output.append(UInt8(ascii: "0")) }
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
