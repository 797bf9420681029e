import Records

extension ConstantValue {
  /// The value as a literal; SQLite, "Literal Values".
  var sql: String {
    switch self {
    case .integer(let number): number == .min ? "(-9223372036854775807 - 1)" : String(number)
    case .real(let number): number.description
    case .text(let bytes):
      // A literal ends at the first zero byte.
      bytes.contains(0) ? "CAST(\(Self.hex(bytes)) AS TEXT)" : SQLText.literal(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): Self.hex(bytes)
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }
}
