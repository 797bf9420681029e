import Diagnostics
import JSONSyntax
import Records

/// The fields of the record at hand.
extension RecordAssembly {
  /// Begins an object within the record, whose members are fields of it.
  mutating func beginObject(_ token: JSONToken, wrapped: [String: Int]? = nil, in batch: borrowing RecordBatch) {
    guard let name = record.name else { return }
    record.name = nil
    record.objects.append(
      OpenObject.InnerObject(
        start: token.range.lowerBound,
        name: name,
        prefixCount: record.prefix.count,
        wrapped: wrapped
      )
    )
    // A name that is not Unicode has its fault when a member needs it.
    _ = appendName(name, in: batch)
    record.prefix.append(UInt8(ascii: "."))
  }

  /// Ends an object; one without members is given all the same, and is its own text.
  mutating func endObject(_ token: JSONToken, in batch: borrowing RecordBatch) {
    guard let object = record.objects.popLast() else { return }
    record.prefix.removeLast(record.prefix.count - object.prefixCount)
    if isAtItem {
      record.list?.count += 1
      // One without members leads to nothing.
      if object.isEmpty {
        addFault(
          .itemIsNoValue("an empty object", at: object.start..<token.range.upperBound, field: listField(in: batch))
        )
      }
      return
    }
    guard object.isEmpty, object.wrapped == nil else { return }
    record.name = object.name
    addValue(JSONToken(.string, object.start..<token.range.upperBound), in: batch)
  }

  /// Appends what a name means to the prefix; false if it is not Unicode.
  mutating func appendName(_ name: JSONToken, in batch: borrowing RecordBatch) -> Bool {
    let raw = batch.text.bytes.extracting(name.range)
    if name.hasEscapes { return JSONString.appendUnescaped(raw, to: &record.prefix) == nil }
    for index in raw.indices { record.prefix.append(raw[index]) }
    return true
  }

  /// Begins a value that is text as it is written, or a list.
  mutating func beginArray(_ token: JSONToken, depth: Int, in batch: borrowing RecordBatch) {
    record.array = (token.range.lowerBound, depth - 1)
    guard !lists.isEmpty, record.list == nil, let name = record.name else { return }
    guard isNameOfList(name, in: batch) else { return }
    record.name = nil
    record.array = nil
    // Where items are objects it has no column of its own.
    record.list = (-1, 0, depth - 1)
    record.listName = name
    record.listDepth = record.objects.count
    record.listMembers.removeAll(keepingCapacity: true)
  }

  private mutating func isNameOfList(_ name: JSONToken, in batch: borrowing RecordBatch) -> Bool {
    let kind = record.kind
    let prefixCount = record.prefix.count
    let isUnicode = appendName(name, in: batch)
    let path = record.prefix
    record.prefix.removeLast(record.prefix.count - prefixCount)
    guard isUnicode else { return false }
    guard let column = kinds.tables[kind].position(of: path.span, guess: record.column + 1) else {
      return lists.contains(lowercasedASCII(String(decoding: path, as: UTF8.self)))
    }
    while isList.count <= kind { isList.append([]) }
    while isList[kind].count <= column {
      isList[kind].append(lists.contains(lowercasedASCII(kinds.tables[kind].names[isList[kind].count])))
    }
    return isList[kind][column]
  }

  /// Takes a token in a list.
  mutating func take(
    _ token: JSONToken,
    ofList list: (column: Int, count: Int, depth: Int),
    depth: Int,
    in batch: borrowing RecordBatch
  ) {
    switch token.kind {
    // An array is one item, as it is written.
    case .beginArray: record.array = (token.range.lowerBound, depth - 1)
    case .beginObject:
      if list.count > 0, record.listMembers.isEmpty { mixedList(at: token, in: batch) }
      record.name = record.listName
      beginObject(token, in: batch)
    case .endArray where !record.listMembers.isEmpty:
      for column in record.listMembers.keys.sorted() { pad(column, to: list.count, at: token) }
      record.list = nil
    case .endArray:
      // A list without items is given all the same.
      if list.count == 0 { addItem(JSONToken(.string, token.range.lowerBound..<token.range.lowerBound), in: batch) }
      record.list = nil
    default: addItem(token, in: batch)
    }
  }

  /// Adds an item of the list at hand.
  mutating func addItem(_ token: JSONToken, in batch: borrowing RecordBatch) {
    guard let (known, count, _) = record.list else { return }
    var column = known
    guard record.listMembers.isEmpty else { return mixedList(at: token, in: batch) }
    record.list?.count += 1
    if column < 0, count == 0, let name = record.listName {
      column = position(ofColumn: name, in: batch)
      record.list?.column = column
      if column >= 0 { record.column = column }
    }
    guard column >= 0 else { return }
    guard let field = field(of: token, column: column) else { return }
    guard count > 0 else { return put(field, of: token, in: column) }
    record.repeats.append((column, field))
    guard token.hasEscapes else { return }
    record.rewrites.append(.init(position: record.repeats.count - 1, isRepeat: true, column: column))
  }

  /// Adds a value in an array of records: the key of one elsewhere, an item of a list.
  mutating func addKey(_ token: JSONToken, of records: OpenObject.Records, in batch: borrowing RecordBatch) {
    guard let name = records.name else { return }
    guard records.column < 0 else {
      guard let field = field(of: token, column: records.column) else { return }
      record.repeats.append((records.column, field))
      guard token.hasEscapes else { return }
      record.rewrites.append(.init(position: record.repeats.count - 1, isRepeat: true, column: records.column))
      return
    }
    let column = position(ofColumn: name, in: batch)
    guard column >= 0 else { return }
    record.column = column
    record.records?.column = column
    guard let field = field(of: token, column: column) else { return }
    put(field, of: token, in: column)
  }

  /// Adds the value of the member at hand.
  mutating func addValue(_ token: JSONToken, in batch: borrowing RecordBatch) {
    guard let name = record.name else { return }
    record.name = nil
    record.column = position(ofColumn: name, in: batch)
    guard record.column >= 0, let field = field(of: token, column: record.column) else { return }
    guard record.list == nil else { return addMember(field, of: token, in: record.column) }
    put(field, of: token, in: record.column)
  }

  /// The field that a token is; nil for one that is too long, which is a fault.
  private mutating func field(of token: JSONToken, column: Int) -> Field? {
    // A field counts its bytes in 29 bits.
    let limit = min(limits.fieldByteCount, 1 << 29 - 1)
    guard token.range.count <= limit else {
      addFault(.fieldTooLong(at: token.range, field: kinds.tables[record.kind].names[column], limit: limit))
      return nil
    }
    let slice = token.kind == .null ? token.range.lowerBound..<token.range.lowerBound : token.range
    return Field(TextSlice(slice), isQuoted: token.kind == .string)
  }

  private mutating func put(_ field: Field, of token: JSONToken, in column: Int) {
    while record.fields.count <= column { record.fields.append(.absent) }
    record.fields[column] = field
    if token.hasEscapes { record.rewrites.append(.init(position: column, column: column)) }
  }

  /// Gives the record at hand what it is itself, as it is no object.
  mutating func addOwnText(_ token: JSONToken) {
    let name = Array(ObjectKinds.ownText.utf8)
    let kind = record.kind
    let column = kinds.tables[kind].position(of: name.span, guess: 0) ?? kinds.tables[kind].add(name.span)
    guard let field = field(of: token, column: column) else { return }
    put(field, of: token, in: column)
  }

  // MARK: Columns

  /// The column of a name; -1 for one that cannot be used, which is a fault of the record.
  private mutating func position(ofColumn token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    if record.prefix.isEmpty, !token.hasEscapes {
      return position(ofName: batch.text.bytes.extracting(token.range), token, in: batch)
    }
    let prefixCount = record.prefix.count
    let isUnicode = appendName(token, in: batch)
    let name = record.prefix
    record.prefix.removeLast(record.prefix.count - prefixCount)
    return isUnicode ? position(ofName: name.span, token, in: batch) : refuseName(token, in: batch)
  }

  private mutating func position(ofName name: Span<UInt8>, _ token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    let kind = record.kind
    guard let position = kinds.tables[kind].position(of: name, guess: record.column + 1) else {
      guard JSONString.firstInvalidByte(in: name) == nil else { return refuseName(token, in: batch) }
      guard kinds.tables[kind].count < limits.columnCount else {
        guard !record.hasTooManyColumns else { return -1 }
        record.hasTooManyColumns = true
        addFault(.tooManyColumns(at: token.range, limit: limits.columnCount))
        return -1
      }
      // The names of the objects around it stand there with a dot behind.
      return kinds.tables[kind].add(name, objectLength: record.prefix.count - 1)
    }
    let isRepeated = record.listMembers[position].map { $0 <= record.list?.count ?? 0 } ?? false
    guard position >= record.fields.count || record.fields[position].isAbsent || isRepeated else {
      addFault(.duplicate(kinds.tables[kind].names[position], at: token.range))
      return -1
    }
    return position
  }

  private mutating func refuseName(_ token: JSONToken, in batch: borrowing RecordBatch) -> Int {
    let name = excerpt(of: batch.text.bytes.extracting(token.range))
    addFault(.unreadableName(at: token.range, excerpt: name))
    return -1
  }
}
