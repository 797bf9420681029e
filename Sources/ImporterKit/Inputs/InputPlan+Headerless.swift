import EntityModel
import TextFormat
import Validation

extension InputPlan {
  /// The entity of delimited text that names its columns nowhere.
  var entityWithoutHeader: Int? {
    guard case .delimited(let dialect) = format.spelling, dialect.header == .none, dialect.columns == nil else {
      return nil
    }
    return validation.defaultEntity
  }

  /// Without a header, cells are the attributes of the model in their order.
  mutating func nameColumnsWithoutHeader() {
    guard let headerEntity else { return }
    let names = validation.entities[headerEntity].attributes.map(\.name)
    switch format.spelling {
    case .delimited(var dialect) where dialect.header == .none && dialect.columns == nil:
      dialect.columns = names
      if format.widthWithEmptyLastCell == names.count + 1 {
        dialect.endsWithDelimiter = true
        format.traits.append("the empty cell at the end of every record left out")
      }
      format.spelling = .delimited(dialect)
    case .fixed(var layout) where layout.headerLineCount == 0 && layout.names == nil:
      layout.names = layout.columns.indices.map { $0 < names.count ? names[$0] : "column_\($0 + 1)" }
      format.spelling = .fixed(layout)
    default: break
    }
  }
}
