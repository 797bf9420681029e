import Diagnostics
import EntityModel
import Records

/// What the row of a record within another one takes from that one's row.
extension RecordValidator {
  /// Finds what a record's row takes from the row around it.
  ///
  /// - Returns: What is wrong, if it can take nothing.
  mutating func link(
    kind: Int,
    entity: Int,
    to around: EnclosingRows.Row?,
    in batch: borrowing RecordBatch,
    record: Int
  ) -> Diagnostic? {
    guard let around, around.entity >= 0 else {
      return .dependsOnRejected(nil, line: around?.line, at: batch.location(of: record))
    }
    if routes[kind].link?.enclosing != around.entity {
      let name = batch.shapes[kind].name
      routes[kind].link = (around.entity, plan.link(from: entity, to: around.entity, named: name))
    }
    let enclosing = plan.entities[around.entity]
    if around.isRejected { return .dependsOnRejected(enclosing, line: around.line, at: batch.location(of: record)) }
    guard routes[kind].link?.link == nil else { return nil }
    return .noLink(from: plan.entities[entity], to: enclosing, at: batch.location(of: record))
  }

  /// The value that an attribute takes from the row around; nil where the record gives one itself, or none is taken.
  func enclosingValue(
    for index: Int,
    kind: Int,
    of around: EnclosingRows.Row,
    in batch: borrowing RecordBatch,
    record: Int,
    _ rows: borrowing ValueBatch
  ) -> Value? {
    guard let pair = routes[kind].link?.link?.values.first(where: { $0.own == index }) else { return nil }
    let column = routes[kind].cells[index].column
    guard column < 0 || batch.field(column, of: record).isAbsent else { return nil }
    return around.valueStart < 0 ? .null : rows.values[around.valueStart + pair.enclosing]
  }
}
