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

  /// One step from rows to those that they belong to.
  package struct Owner: Sendable {
    /// The relationship that leads there.
    package var link: Relationship
    /// The entity that it leads to.
    package var entity: Entity

    /// Makes a step.
    package init(link: Relationship, entity: Entity) {
      self.link = link
      self.entity = entity
    }
  }

  /// What is found out of each row besides its values.
  package struct Finds: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// What tells it, and its owner, from all others.
    package static let identity = Finds(rawValue: 1)
    /// Whether one of its links leads to nothing.
    package static let dangling = Finds(rawValue: 2)
  }

  /// About how many bytes a batch has, text and values together.
  package static let batchByteCount = 128 << 10

  private let statement: Statement
  private let width: Int
  private let columns: RowQuery.Columns
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
  ///   - owners: Where rows are read that belong to others: whose they are, and whose those are; then they come in the order
  ///     of their owners, and those without one are left out.
  ///   - order: The order of the outermost rows; those within one come by their place, key and number.
  ///   - filter: Which of the outermost rows to read; nil reads all.
  ///   - without: A relationship of the outermost entity that must lead nowhere.
  ///   - finds: What is found out of each row besides its values; see `fill(_:text:)`.
  /// - Throws: `StoreError.schema` without the table or one of the columns; `PredicateError` for names and values of a
  ///   filter or an order that do not fit.
  package init(
    _ snapshot: ReadSnapshot,
    entity: Entity,
    model: EntityModel = EntityModel(),
    owners: [Owner] = [],
    order: Order = .key,
    filter: Predicate? = nil,
    without: Relationship? = nil,
    finds: Finds = []
  ) throws {
    let query = try RowQuery(
      of: entity,
      model: EntityModel(entities: model.entities.isEmpty ? [entity] : model.entities),
      owners: owners,
      order: order,
      filter: filter,
      without: without,
      finds: finds,
      on: snapshot.connection
    )
    let statement = try Statement(query.sql, on: snapshot.connection)
    for (index, parameter) in query.parameters.enumerated() { try statement.bind(parameter, at: index + 1) }
    self.statement = statement
    columns = query.columns
    width = query.columns.count
    isAtEnd = false
  }

  /// Where the values that tell a row from all others stand behind its own, by their distance from the first.
  package var identity: Range<Int> { columns.identity }
  /// Where those stand that tell its owner from all others.
  package var ownerIdentity: Range<Int> { columns.ownerIdentity }
  /// Where it stands which of the links leads to nothing: its position among `links`, or NULL.
  package var dangling: Int? { columns.dangling }
  /// The links that were followed to find that out.
  package var links: [Relationship] { columns.links }

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
  ///
  /// The value is looked up once, not for each question. SQLite allows that where no mutex guards a connection, as with all of ours
  /// ("Protected and unprotected" of sqlite.org/c3ref/value.html).
  func value(_ column: Int, into text: inout TextBuffer) -> Value {
    let value = unsafe sqlite3_column_value(handle, CInt(column))
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(value))
    case SQLITE_TEXT:
      let bytes = unsafe UnsafeRawPointer(sqlite3_value_text(value))
      return .text(unsafe append(bytes, count: sqlite3_value_bytes(value), to: &text))
    case SQLITE_BLOB:
      let bytes = unsafe sqlite3_value_blob(value)
      return .blob(unsafe append(bytes, count: sqlite3_value_bytes(value), to: &text))
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
