import Records

/// Elements that are items of a list and have parts of their own: each part has a value for each item.
extension RecordAssembler {
  /// The item that an element begins; nil where it is none of a list.
  mutating func item(at path: UInt32, of parser: borrowing EventParser) -> OpenRecord.Item? {
    guard !lists.isEmpty else { return nil }
    if listPaths[path] == nil {
      let names = paths.names(on: path).map { parser.decodedName($0) }
      listPaths[path] = lists.contains(lowercasedASCII(names.joined(separator: ".")))
    }
    guard listPaths[path] == true else { return nil }
    let index = record.itemCounts[path] ?? 0
    record.itemCounts[path] = index + 1
    return OpenRecord.Item(list: path, index: index)
  }

  /// Gives a part nothing for the items before that lack it.
  mutating func takeItem(
    _ item: OpenRecord.Item,
    of path: UInt32,
    at inner: OpenRecord.InnerField,
    of parser: borrowing EventParser
  ) {
    // What a list itself holds is an item, and no part of one.
    guard path != item.list else { return }
    let count = record.memberCounts[path]?.count ?? 0
    let place = Int(inner.field.text.offset)
    for _ in count..<max(count, item.index) { addNothing(on: path, at: place, original: inner.original, of: parser) }
    record.memberCounts[path] = (item.list, max(count, item.index) + 1)
  }

  /// Gives all parts nothing for the last items, where they lack it.
  mutating func endItems(of parser: borrowing EventParser) {
    guard !record.memberCounts.isEmpty else { return }
    for (path, member) in record.memberCounts.sorted(by: { $0.key < $1.key }) {
      let count = record.itemCounts[member.list] ?? 0
      for _ in member.count..<max(count, member.count) {
        addNothing(on: path, at: record.textStart, original: record.offset, of: parser)
      }
    }
    record.memberCounts.removeAll()
  }

  private mutating func addNothing(on path: UInt32, at place: Int, original: Int64, of parser: borrowing EventParser) {
    guard let column = column(of: path, of: parser, at: original) else { return }
    while record.fields.count <= column { record.fields.append(.absent) }
    let nothing = Field(TextSlice(place..<place))
    guard !record.fields[column].isAbsent else {
      record.fields[column] = nothing
      return
    }
    guard record.repeats.count < Self.repeatLimit else { return }
    record.repeats.append((column, nothing))
  }
}
