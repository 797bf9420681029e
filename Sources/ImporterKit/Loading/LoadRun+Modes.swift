import Diagnostics
import Records
import SQLiteStore
import Validation

extension WriteMode {
  init(_ mode: LoadJob.Mode) {
    self =
      switch mode {
      case .insert: .insert
      case .skip: .skip
      case .upsert: .upsert
      case .update: .update
      case .replace: .replace
      case .sync: .sync
      }
  }
}

extension DeleteLimit {
  init(_ limit: LoadJob.Limit) {
    self =
      switch limit {
      case .count(let count): .rows(count)
      case .percent(let share): .percent(share)
      }
  }
}

extension RunPlan {
  /// What the writer fills in for values that are absent; nil where the validator does it.
  func defaults() throws -> [[ConstantValue?]]? {
    guard let plan = inputs.first?.validation, plan.tellsAbsence else { return nil }
    var validator = try RecordValidator.compiling(plan)
    return validator.constantDefaults()
  }

  /// What new rows on the way to others get for values that no record gives.
  func wayDefaults() throws -> [[ConstantValue?]] {
    guard let plan = inputs.first?.validation else { return [] }
    var validator = try RecordValidator.compiling(plan)
    return validator.constantDefaults()
  }

  /// The entities that an input is for as a whole, whether it has records or not.
  var ownEntities: Set<Int> { Set(inputs.compactMap(\.validation.defaultEntity)) }
}

extension Diagnostic {
  /// Some records cannot be matched with rows, so that none was deleted.
  static func deletionWithheld(_ count: Int64, unreadable: Int64, file: String) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .deletionWithheld,
      location: SourceLocation(file: file),
      message:
        "\(count) rows that no record has were not deleted: the keys of \(unreadable) records that were rejected or left "
        + "out are not known",
      remedy: "mend those records, or leave --where out, and load all files again"
    )
  }

  /// Records give a pair at one end, and others lists without it at the other.
  static func contradictoryLists(_ contradiction: Contradiction, file: String) -> Diagnostic {
    let count = contradiction.count
    return Diagnostic(
      severity: .warning,
      code: .contradictoryLists,
      location: SourceLocation(file: file),
      entity: contradiction.join,
      message:
        "\(count) \(count == 1 ? "pair" : "pairs") of '\(excerpt(of: contradiction.join))' \(count == 1 ? "is" : "are") "
        + "in the list at one end and not in the list at the other, and \(count == 1 ? "was" : "were") kept, such as "
        + "source='\(excerpt(of: contradiction.source))', target='\(excerpt(of: contradiction.target))'",
      remedy: "give the list at one end alone, or the same at both"
    )
  }
}
