import Records

/// Takes the empty cell away that a delimiter at the end of every record makes.
enum CSVLastDelimiter {
  /// Leaves `width` cells of each record that was read with one more.
  ///
  /// What stands in the cell that should be empty is a fault. A record without the last delimiter has all its cells.
  ///
  /// - Parameters:
  ///   - faults: In record order, and so afterwards.
  ///   - repairs: Whether what stands there is cut off.
  static func trim(_ faults: inout [FoundFault], in batch: inout RecordBatch, width: Int, repairs: Bool) {
    faults.removeAll { fault in
      if case .missingCells(let count) = fault.kind { return count == width }
      return false
    }
    var found: [FoundFault] = []
    for index in batch.records.indices where Int(batch.records[index].fieldCount) > width {
      let last = batch.fields[Int(batch.records[index].fieldStart) + width]
      batch.records[index].fieldCount = UInt32(truncatingIfNeeded: width)
      guard last.count > 0 || last.isQuoted, !batch.records[index].isUnreadable else { continue }
      found.append(
        FoundFault(record: index, kind: .extraCells(count: width + 1, first: last.text.range), isRepaired: repairs)
      )
    }
    guard !found.isEmpty else { return }
    // One that has even more cells has been told of already.
    let told = Set(faults.lazy.filter { if case .extraCells = $0.kind { true } else { false } }.map(\.record))
    faults += found.filter { !told.contains($0.record) }
    faults.sort { $0.record < $1.record }
  }
}
