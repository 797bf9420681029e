/// What became of the records of one entity.
///
/// Nothing is lost: `read` is the sum of the six counts after it.
package struct EntityCounts: Sendable, Hashable {
  /// The entity's name.
  package var name: String
  /// Records that were to become rows of it.
  package var read: Int64 = 0
  /// Rows added; those that would have been where nothing was committed.
  package var inserted: Int64 = 0
  /// Rows that got other values.
  package var updated: Int64 = 0
  /// Rows that had the same values already.
  package var unchanged: Int64 = 0
  /// Records left out by the mode: a key that `skip` found or `update` did not.
  package var skipped: Int64 = 0
  /// Records with faults, kept in the rejects file.
  package var rejected: Int64 = 0
  /// Records that `--where` left out.
  package var filtered: Int64 = 0
  /// Rows made along the way for other records' sake, which no record of its own stands for; not part of the sum.
  package var made: Int64 = 0
  /// Rows of before the run that went, since the mode asked for it; not part of the sum.
  package var deleted: Int64 = 0

  /// Makes counts of zero.
  package init(name: String) {
    self.name = name
  }

  /// The sum of everything that can become of a record.
  package var accountedFor: Int64 {
    inserted + updated + unchanged + skipped + rejected + filtered
  }

  /// Whether every record read is accounted for.
  package var isBalanced: Bool { read == accountedFor }

  /// Adds the counts of another entity.
  mutating func add(_ other: EntityCounts) {
    read += other.read
    inserted += other.inserted
    updated += other.updated
    unchanged += other.unchanged
    skipped += other.skipped
    rejected += other.rejected
    filtered += other.filtered
    made += other.made
    deleted += other.deleted
  }
}
