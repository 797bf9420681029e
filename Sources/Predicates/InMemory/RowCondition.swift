import Diagnostics
package import EntityModel
package import Records
import TextFolding

/// A predicate made ready for rows in memory; it says of them what its translation to SQL says of stored ones.
///
/// Two-valued: a missing value fulfils no comparison but `!=` and `== NULL`, and NOT turns that round.
package struct RowCondition {
  private let test: RowTest

  /// Binds a predicate to the values of an entity's rows, which are those of its attributes in their order.
  ///
  /// - Parameters:
  ///   - model: The entities that links of the entity may lead to.
  /// - Throws: For names that a record does not give, and values that do not fit an attribute's type.
  package init(_ predicate: Predicate, on entity: Entity, of model: EntityModel) throws(PredicateError) {
    let binding = RowBinding(entity: entity, paths: RecordPaths(of: entity, in: model))
    test = try binding.test(predicate)
  }

  /// Whether a row fulfils it.
  ///
  /// - Parameters:
  ///   - values: The batch's values.
  ///   - start: Where the row's begin.
  ///   - text: What their slices point into.
  ///   - defaults: What stands for missing values, by attribute; empty for none.
  package func isFulfilled(
    by values: [Value],
    from start: Int,
    text: borrowing TextBuffer,
    defaults: [ConstantValue?] = []
  ) -> Bool {
    let row = TestedRow(values: values, start: start, defaults: defaults)
    return test.isFulfilled(by: row, text: text)
  }
}

/// A row with what stands for its missing values.
struct TestedRow {
  let values: [Value]
  let start: Int
  let defaults: [ConstantValue?]

  /// The value of an attribute as it takes part in comparisons; nil without one.
  func operand(_ operand: RowTest.Operand, text: borrowing TextBuffer) -> RowTest.Compared? {
    switch values[start + operand.attribute] {
    case .null, .absent:
      guard operand.attribute < defaults.count, let constant = defaults[operand.attribute] else { return nil }
      switch constant {
      case .integer(let number): return operand.compared(number)
      case .real(let number): return operand.compared(number)
      case .text(let bytes), .blob(let bytes): return operand.compared(bytes.span)
      }
    case .integer(let number): return operand.compared(number)
    case .real(let number): return operand.compared(number)
    case .text(let slice), .blob(let slice): return operand.compared(text.bytes(of: slice))
    }
  }

  func isMissing(_ attribute: Int) -> Bool {
    guard values[start + attribute].isMissing else { return false }
    return attribute >= defaults.count || defaults[attribute] == nil
  }
}
