/// How many rows of an entity a run may delete because no record has them any more.
package enum DeleteLimit: Sendable, Hashable {
  /// So many rows.
  case rows(Int64)
  /// So many hundredths of the rows that there were before the run, rounded up.
  case percent(Int64)

  /// The most rows out of so many.
  package func count(of total: Int64) -> Int64 {
    switch self {
    case .rows(let count): return count
    case .percent(let share):
      let (product, overflows) = total.multipliedReportingOverflow(by: share)
      return overflows ? total / 100 * share : (product + 99) / 100
    }
  }
}
