import Diagnostics
public import EntityModel

/// What one column of a file holds.
///
/// Counts are exact unless they say otherwise. NULL is an empty cell without quotes, a field that the record lacks, or a
/// spelling of NULL that was told.
public struct InspectedColumn: Sendable, Hashable {
  /// A value, or the beginning of a long one.
  public struct Value: Sendable, Hashable {
    /// Its bytes, at most 200 of them, as the file has them once quotes and escapes are undone.
    public var bytes: [UInt8]
    /// Whether more bytes follow.
    public var isCut: Bool
    /// The line on which it stands first, from 1; nil where that is not known.
    public var line: Int?

    /// The value as text: cut with `…`, and with bytes that are not UTF-8 written as `\xFF`.
    public var text: String {
      let whole = String(validating: bytes, as: UTF8.self) ?? excerpt(of: bytes.span, limit: bytes.count)
      return whole + (isCut ? "…" : "")
    }
  }

  /// How many different values there are.
  public struct Distinct: Sendable, Hashable {
    /// The number, or an estimate of it.
    public var count: Int64
    /// Whether it is exact.
    public var isExact: Bool
    /// The standard error of an estimate as a part of the count; 0 where it is exact.
    public var relativeError: Double
  }

  /// A value with its length.
  public struct Measured: Sendable, Hashable {
    /// The value.
    public var value: Value
    /// How many characters (Unicode scalars) it has; bytes where it is not UTF-8.
    public var characters: Int
  }

  /// A value with how often it occurs.
  public struct Counted: Sendable, Hashable {
    /// The value.
    public var value: Value
    /// How often it occurs; at least so often where `isTopExact` is false.
    public var count: Int64
  }

  /// A type that the column does not have.
  public struct RuledOut: Sendable, Hashable {
    /// The type.
    public var type: AttributeType
    /// The first value that is none of it.
    public var value: Value
    /// Why it is none, such as `leading zeros would be lost`.
    public var reason: String
  }

  /// How many values look like something.
  public struct Kind: Sendable, Hashable {
    /// What they look like; see the documentation of the report.
    public var name: String
    /// How many values.
    public var count: Int64
    /// The first of them.
    public var first: Value
  }

  /// Something that a person should know before the column is loaded.
  public struct Remark: Sendable, Hashable {
    /// What it is, such as `surrounding-space`; see the documentation of the report.
    public var code: String
    /// How many values it is about.
    public var count: Int64
    /// The first of them.
    public var first: Value?
    /// The remark in one sentence.
    public var message: String
  }

  /// The name in the file.
  public var name: String
  /// The position in the file, from 1.
  public var position: Int
  /// The type that `load` would infer.
  public var type: AttributeType
  /// The types that were ruled out, in the order of the values that did it.
  public var ruledOut: [RuledOut]
  /// Values that are not NULL, empty strings included.
  public var valueCount: Int64
  /// NULLs.
  public var nullCount: Int64
  /// Of the NULLs, the fields that their record lacks.
  public var absentCount: Int64
  /// Of the NULLs, those with a spelling that was told.
  public var nullTokenCount: Int64
  /// Empty strings.
  public var emptyCount: Int64
  /// Further values where a record has several, in XML and JSON; they are not looked at.
  public var repeatedCount: Int64
  /// How many different values there are.
  public var distinct: Distinct
  /// Whether no value occurs twice; nil where that is not known.
  public var isUnique: Bool?
  /// The least value: of numbers by value, of dates by time, of everything else by bytes.
  public var minimum: Value?
  /// The greatest value, in the same order.
  public var maximum: Value?
  /// The arithmetic mean of numbers.
  public var mean: Double?
  /// The value with the fewest characters.
  public var shortest: Measured?
  /// The value with the most characters.
  public var longest: Measured?
  /// Up to ten values that occur more than once, the most frequent first.
  public var top: [Counted]
  /// Whether the counts of `top` are exact; else they are lower bounds.
  public var isTopExact: Bool
  /// The first five values that differ.
  public var sample: [Value]
  /// What the values look like.
  public var kinds: [Kind]
  /// What should be known before the column is loaded.
  public var remarks: [Remark]

  /// Whether the column can tell one record from another: unique, never NULL, never empty, and all of that certain.
  public var isKeyCandidate: Bool { isUnique == true && nullCount == 0 && emptyCount == 0 && valueCount > 0 }
}
