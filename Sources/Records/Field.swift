/// One field of a record: a slice, whether it was quoted, and whether it is there at all.
///
/// Public like `TextSlice` and `RecordHeader`, since the compiler inlines `@inlinable` across modules for public
/// declarations only: with `package`, each access of a field is a call.
///
/// `""` is not nothing: a quoted empty field is the empty string, an unquoted one NULL, an absent one a missing key.
public struct Field: Sendable, Hashable {
  @usableFromInline var offset: UInt32
  /// The count in the lower 29 bits; above it, the three flags.
  @usableFromInline var countAndFlags: UInt32

  @usableFromInline static let quotedFlag: UInt32 = 1 << 31
  @usableFromInline static let absentFlag: UInt32 = 1 << 30
  @usableFromInline static let base64Flag: UInt32 = 1 << 29

  /// A field that stands in the record.
  ///
  /// - Parameters:
  ///   - slice: Less than 2^29 bytes.
  ///   - isQuoted: See the property.
  ///   - isBase64: See the property.
  @inlinable
  public init(_ slice: TextSlice, isQuoted: Bool = false, isBase64: Bool = false) {
    offset = slice.offset
    countAndFlags = slice.count | (isQuoted ? Self.quotedFlag : 0) | (isBase64 ? Self.base64Flag : 0)
  }

  /// A field that the record does not have.
  @inlinable
  public static var absent: Field {
    var field = Field(TextSlice(offset: 0, count: 0))
    field.countAndFlags = absentFlag
    return field
  }

  /// Its bytes in the batch's text, unquoted and unescaped.
  @inlinable
  public var text: TextSlice { TextSlice(offset: offset, count: countAndFlags & (Self.base64Flag - 1)) }

  /// How many bytes it has.
  @inlinable
  public var count: Int { Int(countAndFlags & (Self.base64Flag - 1)) }

  /// Whether it was marked as text: quoted in CSV, present in formats that have no quotes.
  @inlinable
  public var isQuoted: Bool { countAndFlags & Self.quotedFlag != 0 }

  /// Whether the file says that its bytes are base64 of what is meant, as XML must for characters it cannot hold.
  @inlinable
  public var isBase64: Bool { countAndFlags & Self.base64Flag != 0 }

  /// Whether the record lacks it.
  @inlinable
  public var isAbsent: Bool { countAndFlags & Self.absentFlag != 0 }

  /// Whether it is NULL before any `--null` token is looked at: absent, or empty and not quoted.
  @inlinable
  public var isNull: Bool { countAndFlags == 0 || isAbsent }
}
