import Reporting
import SQLiteStore

/// What a deletion came to.
public struct DeleteOutcome: Sendable {
  /// What became of the rows of one entity.
  public struct Count: Sendable, Hashable {
    /// The entity's name.
    public var entity: String
    /// How many rows went.
    public var deleted: Int64
    /// How many references became NULL.
    public var cleared: Int64

    init(_ count: RowDeletion.Count) {
      entity = count.entity
      deleted = count.deleted
      cleared = count.cleared
    }
  }

  /// What became of the records of a file of keys; `read` is the sum of the others.
  public struct Keys: Sendable, Hashable {
    /// The file as it was named.
    public var path: String
    /// How many records it has.
    public var read: Int64 = 0
    /// How many named a row that was there.
    public var found: Int64 = 0
    /// How many named none.
    public var missing: Int64 = 0
    /// How many had faults.
    public var rejected: Int64 = 0
    /// The files of rejected records and of their faults; nil without any.
    public var rejectionFiles: (rejected: String, faults: String)? {
      rejectedFile.flatMap { rejected in faultsFile.map { (rejected, $0) } }
    }

    var rejectedFile: String?
    var faultsFile: String?
  }

  /// The entity's own count, then those of others that something became of.
  public var counts: [Count]
  /// What became of the keys; nil for a deletion by a condition.
  public var keys: Keys?
  /// Whether the rejected keys undid the run.
  public var isUndone = false
  /// The status that the command ends with: 0, 2 with rejects, 1 when nothing was deleted because of them.
  public var exitStatus: Int32 = 0
}
