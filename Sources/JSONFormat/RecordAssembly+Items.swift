import JSONSyntax
import Records

/// Objects that are items of a list: their members are fields that have a value for each item.
extension RecordAssembly {
  /// Whether an item of a list comes next, or its end.
  var isAtItem: Bool { record.list != nil && record.objects.count == record.listDepth }

  /// The name of the list at hand, for messages.
  mutating func listField(in batch: borrowing RecordBatch) -> String {
    guard let name = record.listName else { return "" }
    let prefixCount = record.prefix.count
    _ = appendName(name, in: batch)
    defer { record.prefix.removeLast(record.prefix.count - prefixCount) }
    return String(decoding: record.prefix, as: UTF8.self)
  }

  /// Says that some items of a list are objects and others are not: their order would be lost.
  mutating func mixedList(at token: JSONToken, in batch: borrowing RecordBatch) {
    let field = listField(in: batch)
    addFault(.itemIsNoValue("\(token.kind.valueName) among others that are not", at: token.range, field: field))
  }

  /// Adds a member of the item at hand.
  mutating func addMember(_ field: Field, of token: JSONToken, in column: Int) {
    guard let count = record.list?.count else { return }
    pad(column, to: count, at: token)
    add(field, to: column)
    record.listMembers[column] = count + 1
    guard token.hasEscapes else { return }
    let isRepeat = count > 0
    record.rewrites.append(
      .init(position: isRepeat ? record.repeats.count - 1 : column, isRepeat: isRepeat, column: column)
    )
  }

  /// Gives a member nothing for the items before that lack it.
  mutating func pad(_ column: Int, to count: Int, at token: JSONToken) {
    let nothing = Field(TextSlice(token.range.lowerBound..<token.range.lowerBound))
    for _ in (record.listMembers[column] ?? 0)..<max(count, record.listMembers[column] ?? 0) {
      add(nothing, to: column)
    }
    record.listMembers[column] = max(count, record.listMembers[column] ?? 0)
  }

  private mutating func add(_ field: Field, to column: Int) {
    while record.fields.count <= column { record.fields.append(.absent) }
    if record.fields[column].isAbsent {
      record.fields[column] = field
    } else {
      record.repeats.append((column, field))
    }
  }
}
