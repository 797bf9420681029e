/// How a file gives the bytes of a binary attribute.
public enum BinarySpelling: String, Sendable, Hashable, CaseIterable {
  /// In base64 (RFC 4648, section 4).
  case base64
  /// Two hexadecimal digits a byte.
  case hex
  /// The name of a file beside the input that holds them.
  case file
}
