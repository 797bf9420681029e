package import Diagnostics

/// A further value for a column that its record has already filled.
package struct RepeatedField: Sendable {
  /// The record's position in the batch.
  package var record: Int
  /// The column's position in its shape.
  package var column: Int
  /// The further value.
  package var field: Field

  /// Makes a repeated field.
  package init(record: Int, column: Int, field: Field) {
    self.record = record
    self.column = column
    self.field = field
  }
}

/// Where in the input a field stands whose text was rewritten behind it.
package struct Rewrite: Sendable {
  /// Offset of the rewritten text; ascending in `RecordBatch.rewrites`.
  package var text: UInt32
  /// Offset of the original bytes, both in the batch's text.
  package var original: UInt32

  /// Makes a rewrite.
  @inlinable
  package init(text: UInt32, original: UInt32) {
    self.text = text
    self.original = original
  }
}

/// A fault that reading found in a record.
package struct RecordFault: Sendable {
  /// The record's position in the batch.
  package var record: Int
  /// What is wrong.
  package var diagnostic: Diagnostic

  /// Makes a fault.
  package init(record: Int, diagnostic: Diagnostic) {
    self.record = record
    self.diagnostic = diagnostic
  }
}
