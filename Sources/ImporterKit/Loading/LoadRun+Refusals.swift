import Diagnostics
import EntityModel
import Reporting
import SQLiteStore

/// What keeps a run that has read everything from being committed.
extension LoadRun {
  /// Whether more records are rejected than a count allows, so that reading on makes no sense.
  var isPastRejectLimit: Bool {
    guard case .count(let limit) = job.rejectLimit else { return false }
    return log.rejectedCount > limit
  }

  /// Why the rejects undo the run; nil where they do not.
  func refusal(of rejectedCount: Int64, among readCount: Int64) -> String? {
    guard rejectedCount > 0 else { return nil }
    if job.isStrict { return "--strict allows no rejected records" }
    switch job.rejectLimit {
    case .count(let limit) where rejectedCount > limit:
      return "more than \(limit) \(limit == 1 ? "record was" : "records were") rejected (--reject-limit \(limit))"
    case .percent(let share) where Double(rejectedCount) * 100 > Double(share) * Double(readCount):
      return "\(rejectedCount) of \(readCount) records were rejected, and --reject-limit allows \(share)%"
    case .count, .percent, nil: return nil
    }
  }

  /// A condition for records that the inputs do not have would let all others in.
  func refuseIdleFilter() throws(UsageFailure) {
    guard let filter = plan.filter, counts[filter.entity].read == 0 else { return }
    let others = counts.filter { $0.read > 0 }.prefix(6).map { "'\(excerpt(of: $0.name, limit: 40))'" }
    guard !others.isEmpty else { return }
    throw UsageFailure(
      "--where: no record is one of '\(excerpt(of: counts[filter.entity].name))', which the condition is for; "
        + "there are records of \(others.joined(separator: ", "))",
      remedy: "leave --entity out to see which it can name, or take one kind of records with --record-path"
    )
  }

  /// A column that no record gives leads nowhere; where there is no header, that is known at the end.
  func refuseIdleLinks() throws(UsageFailure) {
    for entity in plan.linkTargets where counts[entity].read > counts[entity].rejected {
      for (attribute, count) in writer?.linkKeyCounts(of: entity) ?? [] where count == 0 {
        let attribute = plan.entities[entity].attributes[attribute]
        guard attribute.runUse != nil else { continue }
        throw .withoutLinkColumn(
          attribute.name,
          of: plan.entities[entity].name,
          in: nil,
          among: plan.entities[entity].attributes.filter { $0.runUse == nil }.map(\.name)
        )
      }
    }
  }
}
