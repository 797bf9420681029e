import Diagnostics
import JSONSyntax

extension DeleteOutcome {
  /// The version of the form that `json` writes; it grows when a field changes its meaning or goes.
  static let jsonVersion = 1

  /// The report of a deletion as one JSON object, for programs.
  ///
  /// - `version`: 1; `command`: `delete`; `database`: its path.
  /// - `outcome`: `committed`, `checked` (a dry run) or `undone`; `reason` of the last; `exitStatus`.
  /// - `keys`, of a file of keys: `path`, `read`, `found`, `missing`, `rejected`, and with rejects `rejectedFile`,
  ///   `faultsFile`.
  /// - `entities`: each with `name`, `deleted` and `cleared` (references that became NULL), the one that was told first.
  public func json(of job: DeleteJob) -> String {
    let outcome = isUndone ? "undone" : job.isTrial ? "checked" : "committed"
    let reason = isUndone ? "--strict allows no rejected keys" : nil
    return Self.json(of: job, outcome, reason: reason, exitStatus) { json in
      if let keys {
        json.name("keys")
        json.beginObject()
        json.member("path", keys.path)
        json.member("read", keys.read)
        json.member("found", keys.found)
        json.member("missing", keys.missing)
        json.member("rejected", keys.rejected)
        if let files = keys.rejectionFiles {
          json.member("rejectedFile", files.rejected)
          json.member("faultsFile", files.faults)
        }
        json.endObject()
      }
      json.array("entities", counts) { json, count in
        json.member("name", count.entity)
        json.member("deleted", count.deleted)
        json.member("cleared", count.cleared)
      }
    }
  }

  fileprivate static func json(
    of job: DeleteJob,
    _ outcome: String,
    reason: String?,
    remedy: String? = nil,
    _ exitStatus: Int32,
    _ rest: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter(layout: .pretty)
    json.beginObject()
    json.member("version", jsonVersion)
    json.member("command", "delete")
    json.member("database", job.database)
    json.member("outcome", outcome)
    if let reason { json.member("reason", reason) }
    if let remedy { json.member("remedy", remedy) }
    json.member("exitStatus", Int64(exitStatus))
    rest(&json)
    json.endObject()
    return json.text + "\n"
  }
}

extension DeleteJob {
  /// The report of a deletion that failed, in the form of `DeleteOutcome.json`.
  public func report(of error: any Error) -> String {
    let failure = error as? any RunFailure
    let reason = failure?.description ?? "unexpected: \(error)"
    let status = (failure?.kind ?? .software).exitStatus
    return DeleteOutcome.json(of: self, "undone", reason: reason, remedy: failure?.remedy, status) { json in
      json.array("entities", [Int]()) { _, _ in }
    }
  }
}
