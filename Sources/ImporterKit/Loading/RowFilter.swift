import EntityModel
import Predicates
import Records

/// Takes the rows out of batches whose records are not to be loaded.
struct RowFilter {
  private let filter: RecordFilter
  private let condition: RowCondition
  /// Whether what is left out is kept among the lost rows, so that `sync` knows what the files have.
  private let keepsRows: Bool
  /// Records of earlier batches that are left out and may hold records still to come.
  private var open: Set<Int64> = []

  init(_ filter: RecordFilter, entities: [Entity], keepsRows: Bool) throws(PredicateError) {
    self.filter = filter
    self.keepsRows = keepsRows
    condition = try RowCondition(
      filter.predicate,
      on: entities[filter.entity],
      of: EntityModel(entities: entities)
    )
  }

  /// Takes rows out.
  ///
  /// - Returns: The positions of the records that were left out, in ascending order; rejected ones are none of them.
  mutating func apply(to rows: inout ValueBatch, of batch: borrowing RecordBatch) -> [Int] {
    var isOut = [Bool](repeating: false, count: batch.count)
    for row in rows.rows where row.way == 0 && Int(row.entity) == filter.entity {
      isOut[Int(row.record)] = !condition.isFulfilled(
        by: rows.values,
        from: Int(row.valueStart),
        text: batch.text,
        defaults: filter.defaults
      )
    }
    takeInner(of: batch, into: &isOut)
    guard isOut.contains(true) else { return [] }
    if keepsRows {
      for var row in rows.rows where row.way == 0 && isOut[Int(row.record)] {
        row.isLeftOut = true
        rows.lost.append(row)
      }
    }
    var carried: Set<Int> = []
    for carrier in rows.carriers where !isOut[carrier.record] { carried.insert(carrier.valueStart) }
    rows.rows.removeAll { $0.way > 0 ? !carried.contains(Int($0.valueStart)) : isOut[Int($0.record)] }
    rows.carriers.removeAll { isOut[$0.record] }
    for rejection in rows.rejections { isOut[rejection.record] = false }
    return isOut.indices.filter { isOut[$0] }
  }

  /// Leaves out what stands within records that are left out; enclosing ones come first.
  private mutating func takeInner(of batch: borrowing RecordBatch, into isOut: inout [Bool]) {
    guard let first = batch.records.first?.ordinal else { return }
    var isNested = false
    for index in batch.records.indices {
      let parent = batch.records[index].parent
      guard parent >= 0 else { continue }
      isNested = true
      if parent >= first ? isOut[Int(parent - first)] : open.contains(parent) { isOut[index] = true }
    }
    guard isNested || !open.isEmpty || isOut.last == true else { return }
    // Only the last record, and those around it, can hold what comes next.
    var still: Set<Int64> = []
    var ordinal = batch.records[batch.count - 1].ordinal
    while ordinal >= 0 {
      let position = Int(ordinal - first)
      guard position >= 0 else {
        if open.contains(ordinal) { still.insert(ordinal) }
        break
      }
      if isOut[position] { still.insert(ordinal) }
      ordinal = batch.records[position].parent
    }
    open = still.union(ordinal >= 0 ? open : [])
  }
}
