/// What one column of a file holds, in plain values.
package struct ColumnProfile: Sendable {
  /// How many different values there are.
  package struct Distinct: Sendable, Hashable {
    /// The number, or an estimate of it.
    package var count: Int64
    /// Whether the number is exact.
    package var isExact: Bool
    /// The standard error of an estimate, as a part of the count; 0 for exact ones.
    package var relativeError: Double
  }

  /// A value with its length.
  package struct Measured: Sendable, Hashable {
    /// The value, with its line.
    package var value: KeptValue
    /// How many characters (Unicode scalars) it has; bytes where it is no UTF-8.
    package var characters: Int
  }

  /// A value with how often it occurs.
  package struct Counted: Sendable, Hashable {
    /// The value.
    package var value: KeptValue
    /// How often it occurs; at least so often where `ColumnProfile.isTopExact` is false.
    package var count: Int64
  }

  /// How many values look like something, and the first that does.
  package struct Kind: Sendable, Hashable {
    /// What they look like.
    package var kind: ValueKind
    /// How many values.
    package var count: Int64
    /// The first, with its line.
    package var first: KeptValue
  }

  /// How many values earn a remark, and the first that does.
  package struct Remark: Sendable, Hashable {
    /// The remark.
    package var remark: ValueRemark
    /// How many values.
    package var count: Int64
    /// The first, with its line.
    package var first: KeptValue
  }

  /// Values that are the same but for the case of ASCII letters.
  package struct CaseTwins: Sendable, Hashable {
    /// How many of the different values have such a twin.
    package var count: Int64
    /// Two of them.
    package var first: KeptValue
    /// The other one.
    package var second: KeptValue
  }

  /// The name in the file.
  package var name: String
  /// Values that are not NULL, empty ones included.
  package var valueCount: Int64 = 0
  /// NULLs: empty cells without quotes, absent fields, null tokens.
  package var nullCount: Int64 = 0
  /// Of the NULLs, the fields that their record lacks.
  package var absentCount: Int64 = 0
  /// Of the NULLs, the ones spelled by a null token.
  package var nullTokenCount: Int64 = 0
  /// Empty strings.
  package var emptyCount: Int64 = 0
  /// Further values of a column that its record had already filled; they count for nothing else here.
  package var repeatedCount: Int64 = 0
  /// How many different values there are.
  package var distinct = Distinct(count: 0, isExact: true, relativeError: 0)
  /// Whether no value occurs twice; nil where that is not known.
  package var isUnique: Bool?
  /// The first value in the order of bytes.
  package var least: KeptValue?
  /// The last value in the order of bytes.
  package var greatest: KeptValue?
  /// The value with the fewest characters.
  package var shortest: Measured?
  /// The value with the most characters.
  package var longest: Measured?
  /// The most frequent values that occur more than once, the most frequent first.
  package var top: [Counted] = []
  /// Whether the counts of `top` are exact, and the values in it certainly the most frequent.
  package var isTopExact = true
  /// The first values that differ, in the order of the file.
  package var sample: [KeptValue] = []
  /// What the values look like, in the order of `ValueKind`; empty strings are none.
  package var kinds: [Kind] = []
  /// What is remarkable about values, in the order of `ValueRemark`.
  package var remarks: [Remark] = []
  /// Values that differ only by case; nil where there are none, or values are not counted exactly.
  package var caseTwins: CaseTwins?

  /// Makes the profile of a column without values.
  package init(name: String) {
    self.name = name
  }

  /// Whether a column can tell one record from another: unique, never NULL, never empty, and all of that certain.
  package var isKeyCandidate: Bool { isUnique == true && nullCount == 0 && emptyCount == 0 && valueCount > 0 }
}

/// What the records of one kind hold.
package struct ShapeProfile: Sendable {
  /// What the records call themselves; empty where they have no name.
  package var name: String
  /// How many there are, unreadable ones included.
  package var recordCount: Int64
  /// Their columns in the order of the file.
  package var columns: [ColumnProfile]
  /// Columns past the bound, which were not looked at.
  package var passedOverCount: Int
}
