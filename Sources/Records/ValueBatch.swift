package import Diagnostics

/// One typed value of a row.
///
/// Text and bytes are slices of the text of the batch that the row came from.
package enum Value: Sendable, Hashable {
  case null
  /// The record says nothing of it: a new row gets the default or NULL, one that is there keeps what it has.
  ///
  /// Only where a run tells absence from NULL; see `ValidationPlan.tellsAbsence`.
  case absent
  case integer(Int64)
  case real(Double)
  case text(TextSlice)
  case blob(TextSlice)

  /// Whether there is none: NULL, or nothing said.
  @inlinable
  package var isMissing: Bool { self == .null || self == .absent }
}

/// A record kept out, with all that is wrong with it.
package struct Rejection: Sendable {
  /// The record's position in its batch.
  package var record: Int
  /// Every fault, in the order of its columns.
  package var diagnostics: [Diagnostic]

  /// Makes a rejection.
  package init(record: Int, diagnostics: [Diagnostic]) {
    self.record = record
    self.diagnostics = diagnostics
  }
}

/// The rows that a batch of records became, ready to be written.
package struct ValueBatch: ~Copyable, Sendable {
  /// One row: its entity, the record it came from, and where its values begin.
  package struct Row: Sendable {
    /// Position of the entity in the run's model.
    package var entity: UInt16
    /// Whether records of their own stand within its record: then its key may be there already, if nothing else differs.
    package var holdsOthers = false
    /// Whether its record stands within another one.
    package var isEnclosed = false
    /// Whether its record is left out by a condition, and stands in `lost` only because the file has it.
    package var isLeftOut = false
    /// Which of `ValueBatch.ways` leads to it from the record that it is made for, counted from 1; 0 for a record's own row.
    package var way: UInt8 = 0
    /// Position of the record in its batch.
    package var record: UInt32
    /// Position of its first value; it has as many as its entity has columns, in their order.
    package var valueStart: UInt32
    /// Where `ValueBatch.objectDepths` begins for it; -1 where its record gives nothing by objects.
    package var depthStart: Int32 = -1

    /// Makes a row.
    @inlinable
    package init(entity: UInt16, record: UInt32, valueStart: UInt32) {
      self.entity = entity
      self.record = record
      self.valueStart = valueStart
    }
  }

  /// A row that is found or made on the way, and a record that leads to it.
  package struct Carrier: Sendable, Hashable {
    /// Position of the record in its batch.
    package var record: Int
    /// Position of the row's first value.
    package var valueStart: Int

    /// Makes a carrier.
    package init(record: Int, valueStart: Int) {
      self.record = record
      self.valueStart = valueStart
    }
  }

  /// The rows, in the order of their records; those made on the way to others before them.
  package var rows: [Row]
  /// Which records lead to which rows that are made on the way; a row stands once, however many records lead to it.
  package var carriers: [Carrier]
  /// The names of the ways that lead to rows made on the way, such as `artist.label`; they stay from batch to batch.
  package var ways: [String]
  /// Rejected records of entities that others refer to, with what could be read of their values.
  ///
  /// They are not written; who refers to one of them is told why it is missing. Behind them stand the rows of records that
  /// are left out, where the run must know what the file has.
  package var lost: [Row]
  /// The values of all rows.
  package var values: [Value]
  /// For each value of some rows how many objects, one in the other, its record gives a reference by; 0 for a plain key.
  ///
  /// What an object refers to is made where it is not there.
  package var objectDepths: [UInt8]
  /// The records that became no row, in the order of the batch once a stage has finished with it.
  package var rejections: [Rejection]

  /// Makes an empty batch.
  package init() {
    rows = []
    carriers = []
    ways = []
    lost = []
    values = []
    objectDepths = []
    rejections = []
  }

  /// Forgets everything but the storage.
  package mutating func reset() {
    rows.removeAll(keepingCapacity: true)
    carriers.removeAll(keepingCapacity: true)
    lost.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    objectDepths.removeAll(keepingCapacity: true)
    rejections.removeAll(keepingCapacity: true)
  }
}
