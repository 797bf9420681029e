import ByteStreams
import CSVFormat
import Diagnostics
public import EntityModel
import JSONFormat
import Predicates
import Records
import SQLiteStore
import TextFormat
import XMLFormat

/// Writes the rows of a database out as a file.
public struct ExportJob: Sendable, Hashable {
  /// Whether a CSV starts with the columns' names.
  public enum Header: String, Sendable, Hashable, CaseIterable {
    /// It does.
    case yes
    /// It does not.
    case no
    /// As the file that was loaded had it.
    case source
  }

  /// The database to read; it is never written to.
  public var database: String
  /// The entity; nil where the database has only one.
  public var entity: String?
  /// The format to write.
  public var format: FileFormat = .csv
  /// The file to write; nil is standard output.
  ///
  /// It appears when it is complete.
  public var output: String?
  /// What parts the cells of delimited text; nil is the format's own.
  public var delimiter: String?
  /// Whether column names come first.
  public var header: Header = .yes
  /// Which rows to write, in the manner of NSPredicate; nil is all.
  public var filter: String?
  /// The order of the rows, such as `name,-date`; nil is by key.
  public var order: String?

  /// What parts the items of a list in one cell of CSV; nil leaves lists out there.
  public var listSeparator: String?

  /// Makes a job that writes CSV to standard output.
  public init(database: String) {
    self.database = database
  }

  /// Runs the job.
  ///
  /// - Returns: How many rows were written.
  /// - Throws: A `RunFailure`; an output file that existed is as it was.
  public func run(cancellation: Cancellation = Cancellation()) throws -> Int64 {
    try refuseOutput(output, over: database)
    let model = try SchemaReader.readModel(ofDatabase: database)
    let entity = withLists(try model.chosenEntity(entity, of: database, to: "export"), of: model)
    var lists = ListCells(of: entity, separator: writesCells ? listSeparator : nil)
    var reader = try makeReader(for: entity, of: model, cancellation: cancellation)
    var writer = try makeWriter(for: entity)
    var rows = ValueBatch()
    var text = TextBuffer(capacity: 256 << 10)
    var count: Int64 = 0
    while try reader.fill(&rows, text: &text) {
      try cancellation.check()
      try refuseForeignBytes(in: rows, of: entity, after: count)
      try lists.respell(&rows, &text, after: count)
      try writer.write(rows, text: text)
      count += Int64(rows.rows.count)
    }
    try writer.finish()
    return count
  }

  /// Refuses bytes in a column that is not for bytes: as base64 they would come back as a text.
  ///
  /// - Parameter count: How many rows were written before.
  private func refuseForeignBytes(
    in rows: borrowing ValueBatch,
    of entity: Entity,
    after count: Int64
  ) throws(WriteError) {
    for (index, row) in rows.rows.enumerated() {
      for (column, attribute) in entity.attributes.enumerated() where attribute.type != .binary {
        guard case .blob = rows.values[Int(row.valueStart) + column] else { continue }
        throw .cannotHold(
          "row \(count + Int64(index) + 1): the column '\(excerpt(of: attribute.name))' holds bytes, but its type is "
            + "'\(attribute.type.name)'; declare it as BLOB, or make it a text"
        )
      }
    }
  }

  private func makeReader(
    for entity: Entity,
    of model: EntityModel,
    cancellation: Cancellation
  ) throws -> EntityReader {
    try EntityReader(
      database: database,
      entity: entity,
      model: model,
      order: try order.map { .terms(try SortTerm.parse($0)) } ?? .key,
      filter: try filter.map(PredicateParser.parse),
      interrupter: cancellation.interrupter
    )
  }

  private func makeWriter(for entity: Entity) throws -> any RecordWriter & ~Copyable {
    let columns = entity.attributes.map { WrittenColumn(name: $0.name, type: $0.type, isList: $0.isList) }
    let sink = try makeSink()
    switch format {
    case .csv, .tsv:
      var dialect = CSVDialect(delimiter: delimiter ?? (format == .tsv ? "\t" : ","))
      // A first cell that begins like a comment is quoted, for readers that look for them.
      dialect.comment = dialect.delimiter.hasPrefix("#") ? nil : "#"
      let writesHeader = header == .yes || (header == .source && entity.sourceHasHeader)
      return try CSVWriter(sink, columns: columns, dialect: dialect, writesHeader: writesHeader)
    case .text: return try TextRecordsWriter(sink, entity: entity.name, columns: columns)
    case .xml: return try XMLWriter(sink, entity: entity.name, columns: columns)
    case .plist:
      throw UsageFailure("property lists are read only", remedy: "write XML or JSON instead")
    case .json, .ndjson: return JSONRecordWriter(sink, columns: columns, format: format)
    }
  }

  private func makeSink() throws(WriteError) -> any ByteSink & ~Copyable {
    guard let output, output != "-" else { return DescriptorByteSink() }
    if output.hasSuffix(".gz") { return try GzipByteSink(FileByteSink(path: output), path: output) }
    return try FileByteSink(path: output)
  }
}
