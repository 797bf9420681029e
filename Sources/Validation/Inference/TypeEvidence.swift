import Diagnostics
package import EntityModel
import Records

/// Why a column has the type that was inferred, and what its values range over in that type's order.
package struct TypeEvidence: Sendable {
  /// A value that is kept to be shown, or its beginning.
  package struct Witness: Sendable, Hashable {
    /// Its bytes, at most 200 of them.
    package var value: [UInt8]
    /// Whether more bytes follow.
    package var isCut: Bool
    /// Its line, from 1.
    package var line: Int
    /// The record's number in its input, from 1.
    package var record: Int64
  }

  /// A type that the column does not have, and the first value that is none of it.
  package struct RuledOut: Sendable, Hashable {
    /// The type.
    package var type: AttributeType
    /// The value.
    package var witness: Witness
  }

  /// The types that were ruled out, in the order of the records that did it.
  package var ruledOut: [RuledOut] = []
  /// The least value in the order of the type, for numbers and dates.
  package var least: Witness?
  /// The greatest value in the order of the type, for numbers and dates.
  package var greatest: Witness?
  /// The arithmetic mean of numbers.
  package var mean: Double?
}

/// The evidence of one column as it grows.
struct GrowingEvidence: Sendable {
  var ruledOut: [TypeEvidence.RuledOut] = []
  private var hasRange = false
  private var least = End()
  private var greatest = End()
  private var count = 0
  /// The exact sum of whole numbers.
  private var wholeSum: Int128 = 0
  /// The sum of other numbers, with what rounding lost of it (Neumaier).
  private var sum = 0.0
  private var lost = 0.0

  /// What a value's place in the order of its type is.
  enum Key: Sendable {
    case whole(Int64)
    /// A decimal number, compared by digits where doubles are too near.
    case number(Double)
    /// Written so that bytes order as dates do.
    case bytes
    /// Seconds since 1970, with the offset of the fraction in the value.
    case time(Int64, fraction: Range<Int>?)
  }

  private struct End {
    var key = Key.bytes
    var witness = TypeEvidence.Witness(value: [], isCut: false, line: 0, record: 0)
  }

  /// The evidence as it is shown.
  func evidence(isNumber: Bool, isOrdered: Bool) -> TypeEvidence {
    var evidence = TypeEvidence(ruledOut: ruledOut)
    guard isOrdered, hasRange else { return evidence }
    evidence.least = least.witness
    evidence.greatest = greatest.witness
    if isNumber, count > 0 {
      evidence.mean = wholeSum != 0 ? Double(wholeSum) / Double(count) : (sum + lost) / Double(count)
    }
    return evidence
  }

  /// Notes the types that a value strikes out.
  mutating func strikeOut(
    from before: ColumnEvidence.Candidates,
    _ column: ColumnEvidence,
    by text: Span<UInt8>,
    _ field: Field,
    of record: Int,
    in batch: borrowing RecordBatch
  ) {
    for (candidate, type) in ColumnEvidence.Candidates.types
    where before.contains(candidate) && !column.candidates.contains(candidate) {
      guard candidate != .patternDate || column.isPatternDate else { continue }
      ruledOut.append(.init(type: type, witness: .init(text, field: field, of: record, in: batch)))
    }
  }

  /// Takes a value of the type into account.
  mutating func extend(
    _ key: Key,
    _ text: Span<UInt8>,
    _ field: Field,
    of record: Int,
    in batch: borrowing RecordBatch
  ) {
    count += 1
    switch key {
    case .whole(let value): wholeSum += Int128(value)
    case .number(let value): add(value)
    case .bytes, .time: break
    }
    if !hasRange {
      hasRange = true
      least = End(key: key, witness: .init(text, field: field, of: record, in: batch))
      greatest = least
    } else if Self.precedes(key, text, least.key, least.witness.value.span) {
      least.key = key
      least.witness.replace(with: text, field: field, of: record, in: batch)
    } else if Self.precedes(greatest.key, greatest.witness.value.span, key, text) {
      greatest.key = key
      greatest.witness.replace(with: text, field: field, of: record, in: batch)
    }
  }

  private mutating func add(_ value: Double) {
    let next = sum + value
    lost += sum.magnitude >= value.magnitude ? (sum - next) + value : (value - next) + sum
    sum = next
  }

  private static func precedes(_ left: Key, _ leftText: Span<UInt8>, _ right: Key, _ rightText: Span<UInt8>) -> Bool {
    switch (left, right) {
    case (.whole(let first), .whole(let second)): return first < second
    case (.number(let first), .number(let second)):
      guard (first - second).magnitude <= 1e-14 * max(first.magnitude, second.magnitude) else { return first < second }
      return !areSame(leftText, rightText) && compareDecimals(leftText, rightText) < 0
    case (.time(let first, let fraction), .time(let second, let otherFraction)):
      guard first == second else { return first < second }
      return digitsPrecede(leftText, fraction ?? 0..<0, rightText, otherFraction ?? 0..<0)
    default: return bytesPrecede(leftText, rightText)
    }
  }

  private static func areSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  private static func bytesPrecede(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index]
    }
    return left.count < right.count
  }

  /// Whether the digits of a fraction are less than those of another; missing ones are zeros.
  private static func digitsPrecede(
    _ left: Span<UInt8>,
    _ leftDigits: Range<Int>,
    _ right: Span<UInt8>,
    _ rightDigits: Range<Int>
  ) -> Bool {
    let zero = UInt8(ascii: "0")
    for offset in 0..<max(leftDigits.count, rightDigits.count) {
      let first = offset < leftDigits.count ? left[leftDigits.lowerBound + offset] : zero
      let second = offset < rightDigits.count ? right[rightDigits.lowerBound + offset] : zero
      if first != second { return first < second }
    }
    return false
  }
}

extension TypeEvidence.Witness {
  /// Copies a field of a batch, with its place.
  init(_ text: Span<UInt8>, field: Field, of record: Int, in batch: borrowing RecordBatch) {
    self.init(value: [], isCut: false, line: 0, record: 0)
    replace(with: text, field: field, of: record, in: batch)
  }

  /// The same in the storage that is there; running numbers make a new greatest value of each.
  mutating func replace(with text: Span<UInt8>, field: Field, of record: Int, in batch: borrowing RecordBatch) {
    let limit = 200
    var end = min(text.count, limit)
    while end < text.count, end > limit - 3, text[end] & 0xC0 == 0x80 { end -= 1 }
    value.removeAll(keepingCapacity: true)
    unsafe text.extracting(0..<end).withUnsafeBufferPointer { unsafe value.append(contentsOf: $0) }
    isCut = end < text.count
    line = batch.line(of: field, in: record)
    self.record = batch.records[record].ordinal
  }
}
