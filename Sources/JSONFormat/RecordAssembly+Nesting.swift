import JSONSyntax
import Records

/// Records within the record at hand.
extension RecordAssembly {
  /// Takes the value of the member at hand if that is a record, an array of such, or a wrapper around some.
  ///
  /// - Returns: false where it is a field.
  mutating func takeRecord(_ token: JSONToken, depth: Int, in batch: borrowing RecordBatch) -> Bool {
    guard record.node >= 0, let name = record.name else { return false }
    let start = name.range.lowerBound - 1
    switch member(name, in: batch) {
    case .field: return false
    case .wrapper(let wrapped):
      guard token.kind == .beginObject else { return false }
      beginObject(token, wrapped: wrapped, in: batch)
    case .record(let node, let kind, let wrapped, let takesKeys):
      switch token.kind {
      case .beginArray: record.records = .init(node: node, kind: kind, depth: depth - 1, name: takesKeys ? name : nil)
      case .beginObject:
        guard let wrapped else {
          begin(node, kind: kind, start: start, memberDepth: depth)
          return true
        }
        record.undecided = .init(node: node, wrapped: wrapped, kind: kind, name: name, start: token.range.lowerBound)
      // Nothing stands there.
      case .null: break
      // The key of a record elsewhere.
      case _ where takesKeys: return false
      default: addLeaf(token, start: start, end: end(of: token), node: node, kind: kind)
      }
      record.name = nil
    }
    return true
  }

  /// Finds out what an object is, by its first member.
  ///
  /// - Returns: Whether the token was taken.
  mutating func decide(_ token: JSONToken, depth: Int, in batch: borrowing RecordBatch) -> Bool {
    guard let object = record.undecided else { return false }
    record.undecided = nil
    // An empty one is a wrapper around nothing.
    guard token.kind == .name else { return true }
    guard object.wrapped[lowercasedASCII(text(of: token, in: batch))] == nil else {
      record.name = object.name
      beginObject(JSONToken(.beginObject, object.start..<object.start + 1), wrapped: object.wrapped, in: batch)
      return false
    }
    begin(object.node, kind: object.kind, start: object.name.range.lowerBound - 1, memberDepth: depth)
    return false
  }

  /// Takes a token in an array of records.
  mutating func take(
    _ token: JSONToken,
    of records: OpenObject.Records,
    depth: Int,
    in batch: borrowing RecordBatch
  ) {
    switch token.kind {
    case .beginObject: begin(records.node, kind: records.kind, start: token.range.lowerBound, memberDepth: depth)
    case .beginArray: record.array = (token.range.lowerBound, depth - 1)
    case .endArray: record.records = nil
    case .null: break
    case _ where records.name != nil: addKey(token, of: records, in: batch)
    default:
      let start = token.range.lowerBound - (token.kind == .string ? 1 : 0)
      addLeaf(token, start: start, end: end(of: token), node: records.node, kind: records.kind)
    }
  }

  private func end(of token: JSONToken) -> Int { token.range.upperBound + (token.kind == .string ? 1 : 0) }

  /// Adds a record that is no object: it has itself alone.
  mutating func addLeaf(_ token: JSONToken, start: Int, end: Int, node: Int, kind: Int) {
    begin(node, kind: kind, start: start, memberDepth: 0)
    addOwnText(token)
    closeNested(at: end)
  }

  private mutating func begin(_ node: Int, kind: Int, start: Int, memberDepth: Int) {
    record.name = nil
    let slot = nested.begin(kind: kind, parent: record.slot, at: start)
    outer.append(record)
    record = spare.popLast() ?? OpenObject()
    record.begin(
      kind: kind,
      node: kinds.holdsRecords(node) ? node : -1,
      start: start,
      slot: slot,
      memberDepth: memberDepth
    )
  }

  /// Keeps a record that is complete, and goes on with the one around it.
  mutating func closeNested(at end: Int) {
    nested.keep(record, end: end)
    guard let enclosing = outer.popLast() else { return }
    spare.append(record)
    record = enclosing
  }

  /// What the member at hand is.
  private mutating func member(_ name: JSONToken, in batch: borrowing RecordBatch) -> ObjectKinds.Member {
    if let wrapped = record.objects.last?.wrapped {
      let text = text(of: name, in: batch)
      guard let node = wrapped[lowercasedASCII(text)] else { return .field }
      let prefix = String(decoding: record.prefix, as: UTF8.self)
      let takesKeys = kinds.takesKeys(prefix + text, of: record.node)
      let known = kinds.name(of: text, in: String(prefix.dropLast()), of: record.node)
      return kinds.record(node, named: known, within: record.kind).map {
        .record(node: node, kind: $0, wrapped: nil, takesKeys: takesKeys)
      } ?? .field
    }
    guard !record.prefix.isEmpty || name.hasEscapes else {
      let bytes = batch.text.bytes.extracting(name.range)
      return kinds.member(bytes, of: record.node, kind: record.kind, limit: limits.columnCount)
    }
    let prefixCount = record.prefix.count
    let isUnicode = appendName(name, in: batch)
    let path = record.prefix
    record.prefix.removeLast(record.prefix.count - prefixCount)
    guard isUnicode else { return .field }
    return kinds.member(path.span, of: record.node, kind: record.kind, limit: limits.columnCount)
  }

  private func text(of name: JSONToken, in batch: borrowing RecordBatch) -> String {
    let raw = batch.text.bytes.extracting(name.range)
    var meaning: [UInt8] = []
    if name.hasEscapes {
      _ = JSONString.appendUnescaped(raw, to: &meaning)
    } else {
      for index in raw.indices { meaning.append(raw[index]) }
    }
    return String(decoding: meaning, as: UTF8.self)
  }
}
