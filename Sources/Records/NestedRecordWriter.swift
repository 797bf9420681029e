package import Diagnostics

/// One kind of rows of an output in which rows stand within rows.
package struct WrittenKind: Sendable, Hashable {
  /// What a row is called there.
  package var name: String
  /// Its values, in their order.
  package var columns: [WrittenColumn]
  /// The position of the kind of rows that it stands in; nil for the first kind, which stands in no other.
  package var parent: Int?
  /// What stands in a row that has nothing else, so that it is not taken for a wrapper around no rows; nil where it is not.
  package var filler: String?

  /// Makes a kind.
  package init(name: String, columns: [WrittenColumn], parent: Int? = nil, filler: String? = nil) {
    self.name = name
    self.columns = columns
    self.parent = parent
    self.filler = filler
  }

  /// In how many others a row of each kind stands; a kind stands behind its parent.
  package static func depths(of kinds: [WrittenKind]) -> [Int] {
    var depths: [Int] = []
    for kind in kinds { depths.append(kind.parent.map { depths[$0] + 1 } ?? 0) }
    return depths
  }
}

/// Writes rows of several entities in a format, those that belong to a row within it.
package protocol NestedRecordWriter: ~Copyable, Sendable {
  /// Begins a row and writes its values; what is opened before it is closed stands within it.
  ///
  /// - Parameters:
  ///   - row: Where its values stand; text and bytes are slices of `text`.
  ///   - kind: Its position among the kinds; those within one row come kind by kind.
  mutating func open(
    _ row: ValueBatch.Row,
    kind: Int,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer
  ) throws(WriteError)

  /// Ends the innermost open row.
  mutating func close() throws(WriteError)

  /// How many bytes were written since the outermost open row began.
  var openByteCount: Int { get }

  /// Writes what stands after the last row and finishes the sink.
  mutating func finish() throws(WriteError)
}
