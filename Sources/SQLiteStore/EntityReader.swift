import CSQLite
package import Diagnostics
package import EntityModel
package import Predicates
package import Records

/// Reads the rows of an entity for export, batch by batch.
///
/// All batches are of one state of the database: the statement stays open, and with it SQLite's shared lock.
package struct EntityReader: ~Copyable {
  /// The order of the rows.
  package enum Order: Sendable {
    /// By key; an entity without a key in the order of its making.
    case key
    /// In the order of the rowid.
    case rowid
    /// By these, ties by key.
    case terms([SortTerm])
  }

  /// About how many bytes a batch has, text and values together.
  package static let batchByteCount = 128 << 10

  private let statement: Statement
  private let width: Int
  private var isAtEnd: Bool

  /// Opens a database to be read only; see the other initializer.
  ///
  /// - Parameters:
  ///   - database: Its path.
  ///   - entity: The attributes to read, in their order.
  ///   - model: The entities that it refers to by their keys.
  ///   - order: The order of the rows.
  ///   - filter: Which rows to read; nil reads all.
  ///   - lockWait: How long to wait for another process.
  ///   - interrupter: Who may end the reading.
  package init(
    database: String,
    entity: Entity,
    model: EntityModel = EntityModel(),
    order: Order = .key,
    filter: Predicate? = nil,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws {
    let snapshot = try ReadSnapshot(of: database, lockWait: lockWait, interrupter: interrupter)
    try self.init(snapshot, entity: entity, model: model, order: order, filter: filter)
  }

  /// Begins to read from a database as it was at one moment.
  ///
  /// - Parameters:
  ///   - snapshot: The database.
  ///   - entity: The attributes to read, in their order.
  ///   - model: The entities that it refers to by their keys.
  ///   - order: The order of the rows.
  ///   - filter: Which rows to read; nil reads all.
  /// - Throws: `StoreError.schema` without the table or one of the columns; `PredicateError` for names and values of a
  ///   filter or an order that do not fit.
  package init(
    _ snapshot: ReadSnapshot,
    entity: Entity,
    model: EntityModel = EntityModel(),
    order: Order = .key,
    filter: Predicate? = nil
  ) throws {
    let connection = snapshot.connection
    let database = connection.path
    guard let table = try TableCatalog(of: connection).table(named: entity.name) else {
      throw StoreError.schema(
        path: database,
        message: "it has no table '\(excerpt(of: entity.name))'",
        remedy: "name one of its entities with --entity"
      )
    }
    let keys = try KeySQL(EntityModel(entities: model.entities.isEmpty ? [entity] : model.entities), in: connection)
    for attribute in entity.attributes
    where !attribute.isList && table.column(named: attribute.keyPath.first ?? attribute.name) == nil {
      throw StoreError.schema(
        path: database,
        message: "the table '\(excerpt(of: table.name))' has no column '\(excerpt(of: attribute.name))'",
        remedy: "leave the attribute out of the model"
      )
    }
    let rowid = table.rowidName.map { [$0] } ?? table.primaryKey.map(SQLText.identifier)
    let key = entity.key.allSatisfy { table.column(named: $0) != nil } ? keys.parts(of: entity, alias: "t") : []
    var terms = rowid.map { "t.\($0)" }
    if case .rowid = order {} else { terms = key + terms }
    var condition: PredicateSQL?
    if case .terms(let sorted) = order {
      let paths = try KeyPathResolver(of: connection)
      try connection.addComparisonFunctions()
      var own: [String] = []
      for term in sorted {
        do throws(PredicateError) {
          own += try term.sql(on: entity, alias: "t", paths: paths)
        } catch {
          throw error.inOrder
        }
      }
      terms = own + terms
    }
    if let filter {
      let paths = try KeyPathResolver(of: connection)
      try connection.addComparisonFunctions()
      condition = try PredicateSQL(filter, on: entity, alias: "t", paths: paths, connection: connection)
    }
    let columns = entity.attributes.map { keys.value(of: $0, of: entity, alias: "t") }.joined(separator: ", ")
    let statement = try Statement(
      """
      SELECT \(columns.isEmpty ? "NULL" : columns) FROM main.\(SQLText.identifier(table.name)) AS t\
      \(condition.map { " WHERE " + $0.sql } ?? "")\
      \(terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", "))
      """,
      on: connection
    )
    for (index, parameter) in (condition?.parameters ?? []).enumerated() {
      try statement.bind(parameter, at: index + 1)
    }
    self.statement = statement
    width = entity.attributes.count
    isAtEnd = false
  }

  /// Replaces the batch with the next rows; every row has its entity 0 and its own position as its record.
  ///
  /// - Parameters:
  ///   - rows: Filled with values by storage class: what stands in a column may be of another class than its type's.
  ///   - text: Emptied, then filled with what the rows' slices point into.
  /// - Returns: false when there are none left; the batch is empty then.
  package mutating func fill(_ rows: inout ValueBatch, text: inout TextBuffer) throws(StoreError) -> Bool {
    rows.reset()
    text.truncate(to: 0)
    guard !statement.connection.interrupter.isInterrupted else { throw .interrupted }
    while !isAtEnd, text.count + rows.values.count * MemoryLayout<Value>.stride < Self.batchByteCount {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      rows.rows.append(
        ValueBatch.Row(entity: 0, record: UInt32(rows.rows.count), valueStart: UInt32(rows.values.count))
      )
      for column in 0..<width { rows.values.append(statement.value(column, into: &text)) }
      // A table without columns to read still ends its batches.
      if rows.rows.count == 1 << 16 { break }
    }
    return !rows.rows.isEmpty
  }
}

extension Statement {
  /// A value of the present row by its storage class; text and bytes are appended to `text`.
  func value(_ column: Int, into text: inout TextBuffer) -> Value {
    let column = CInt(column)
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let bytes = unsafe UnsafeRawPointer(sqlite3_column_text(handle, column))
      return .text(unsafe append(bytes, count: sqlite3_column_bytes(handle, column), to: &text))
    case SQLITE_BLOB:
      let bytes = unsafe sqlite3_column_blob(handle, column)
      return .blob(unsafe append(bytes, count: sqlite3_column_bytes(handle, column), to: &text))
    default: return .null
    }
  }

  private func append(_ bytes: UnsafeRawPointer?, count: CInt, to text: inout TextBuffer) -> TextSlice {
    let start = text.count
    let count = Int(count)
    if let bytes = unsafe bytes {
      unsafe text.fill(count) { room in
        unsafe UnsafeMutableRawPointer(room).copyMemory(from: bytes, byteCount: count)
        return count
      }
    }
    return TextSlice(start..<text.count)
  }
}
