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
  /// It appears when it is complete. A folder, which ends with `/` or exists as one, gets a file for each entity and a
  /// `datapackage.json` that loads them again.
  public var output: String?
  /// What parts the cells of delimited text; nil is the format's own.
  public var delimiter: String?
  /// Whether column names come first.
  public var header: Header = .yes
  /// Whether text in CSV that a spreadsheet would run gets an apostrophe before it.
  public var isSpreadsheetSafe = false
  /// Which rows to write, in the manner of NSPredicate; nil is all.
  public var filter: String?
  /// The order of the rows, such as `name,-date`; nil is by key.
  public var order: String?

  /// What parts the items of a list in one cell of CSV; nil leaves lists out there.
  public var listSeparator: String?

  /// Whether every entity is written by itself, also in formats in which the rows that belong to a row stand within it.
  public var isFlat = false
  /// How many bytes may stand in a row with all within it, before the row is begun anew for the rest.
  package var nestedByteCount = 1 << 20

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
    let snapshot = try ReadSnapshot(of: database, interrupter: cancellation.interrupter)
    let model = try snapshot.model()
    if let folder { return try run(into: folder, model, snapshot, cancellation) }
    let entity = try chosenEntity(of: model)
    return try write(ExportTree(entity, of: model, for: self), of: model, from: snapshot, to: makeSink(), cancellation)
  }

  private func chosenEntity(of model: EntityModel) throws -> Entity {
    do throws(UsageFailure) {
      return try model.chosenEntity(entity, of: database, to: "export")
    } catch {
      guard entity == nil, model.entities.count > 1 else { throw error }
      throw UsageFailure(
        error.description,
        remedy: (error.remedy.map { $0 + ", or " } ?? "") + "write all into a folder: --output export/"
      )
    }
  }

  /// Writes the rows of an entity, with those within them.
  ///
  /// - Returns: How many.
  func write(
    _ tree: ExportTree,
    of model: EntityModel,
    from snapshot: ReadSnapshot,
    to sink: consuming any ByteSink & ~Copyable,
    _ cancellation: Cancellation
  ) throws -> Int64 {
    guard tree.children.isEmpty else {
      return try writeNested(tree, of: model, from: snapshot, to: sink, cancellation)
    }
    let entity = tree.entity
    var reader = try EntityReader(
      snapshot,
      entity: entity,
      model: model,
      order: try readingOrder(),
      filter: try filter.map(PredicateParser.parse),
      without: tree.without,
      finds: .dangling
    )
    let checks = ExportChecks(of: entity, from: reader, separator: writesCells ? listSeparator : nil)
    let writing = WritingThread(try makeWriter(for: entity, sink), checks: checks)
    do {
      while try writing.fill(checkCancellation: cancellation.check, { try reader.fill(&$0, text: &$1) }) {}
    } catch {
      try writing.abandon(writesFilled: cancellation.requestedSignal == 0)
      throw error
    }
    return try writing.finish()
  }

  /// The order of the outermost rows.
  func readingOrder() throws -> EntityReader.Order {
    try order.map { .terms(try SortTerm.parse($0)) } ?? .key
  }

  private func makeWriter(
    for entity: Entity,
    _ sink: consuming any ByteSink & ~Copyable
  ) throws -> any RecordWriter & ~Copyable {
    let columns = entity.attributes.map(WrittenColumn.init)
    switch format {
    case .csv, .tsv:
      if writesHeader(for: entity), let column = columns.first(where: { $0.name.utf8.allSatisfy(Self.isBlank) }) {
        throw WriteError.cannotHold(
          "the column '\(excerpt(of: column.name))' has a blank name, which no header can have; rename it, or write no header"
        )
      }
      var dialect = CSVDialect(delimiter: delimiter ?? (format == .tsv ? "\t" : ","))
      // A first cell that begins like a comment is quoted, for readers that look for them.
      dialect.comment = dialect.delimiter.hasPrefix("#") ? nil : "#"
      return try CSVWriter(
        sink,
        columns: columns,
        dialect: dialect,
        writesHeader: writesHeader(for: entity),
        guardsCells: isSpreadsheetSafe
      )
    case .text: return try TextRecordsWriter(sink, entity: entity.name, columns: columns)
    case .xml: return try XMLWriter(sink, entity: entity.name, columns: columns)
    case .plist:
      throw UsageFailure("property lists are read only", remedy: "write XML or JSON instead")
    case .json, .ndjson: return JSONRecordWriter(sink, columns: columns, format: format)
    }
  }

  /// Makes what writes rows within rows.
  func makeNestedWriter(
    for kinds: [WrittenKind],
    _ sink: consuming any ByteSink & ~Copyable
  ) throws -> any NestedRecordWriter & ~Copyable {
    if format == .xml { return NestedXMLWriter(sink, kinds: kinds) }
    if format == .text { return try OutlineWriter(sink, kinds: kinds) }
    return NestedJSONWriter(sink, kinds: kinds, format: format)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether the columns' names come first.
  func writesHeader(for entity: Entity) -> Bool { header == .yes || (header == .source && entity.sourceHasHeader) }

  private func makeSink() throws(WriteError) -> any ByteSink & ~Copyable {
    guard let output, output != "-" else { return DescriptorByteSink() }
    if output.hasSuffix(".gz") { return try GzipByteSink(FileByteSink(path: output), path: output) }
    return try FileByteSink(path: output)
  }
}

extension WrittenColumn {
  /// What a writer must know of an attribute.
  init(_ attribute: Attribute) {
    self.init(name: attribute.name, type: attribute.type, isList: attribute.isList)
  }
}
