/// The bytes that a fuzzer gives, the first of them used up as settings.
struct FuzzInput {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next byte; 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of some values.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(byte()) % values.count] }

  /// What is left.
  var bytes: [UInt8] { Array(rest) }

  /// The next bytes up to a separator, which is used up.
  mutating func piece(upTo separator: UInt8) -> [UInt8] {
    let piece = rest.prefix { $0 != separator }
    rest = rest.dropFirst(piece.count + 1)
    return Array(piece)
  }
}

extension Array<UInt8> {
  /// A seed that depends on all the bytes (FNV-1a), so that an input is split the same way each time.
  var seed: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 } }
}
