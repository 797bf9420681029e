import ByteStreams
import CoreDataModel
import DataPackage
import Diagnostics
import EntityModel
import Glibc
import JSONSyntax
import Records
import SQLiteStore
import Validation

/// Finds out what the source of a model is, and reads it.
struct ModelFinder {
  private let job: ModelJob
  private let diagnostics: any DiagnosticSink

  init(_ job: ModelJob, diagnostics: any DiagnosticSink) {
    self.job = job
    self.diagnostics = diagnostics
  }

  /// The model.
  ///
  /// - Throws: `ReadError` for a source that is not there, `ModelError` for a wrong model, `StoreError` for a database.
  func outcome() throws -> ModelOutcome {
    let source = job.source
    guard source != "-" else { return try fromData() }
    let kind = try fileKind(of: source)
    if CoreDataModelFile.isModel(path: source) {
      try refuseDataOptions("a Core Data model")
      let file = try CoreDataModelFile.read(path: source)
      return outcome(.coreData, file.model, file.remarks)
    }
    if kind == S_IFDIR {
      let descriptor = FilePath.join(source, ModelSources.descriptorName)
      return unsafe access(descriptor, F_OK) == 0 ? try fromPackage(descriptor) : try fromData()
    }
    if ModelSources.isDatabase(source) {
      try refuseDataOptions("a database")
      let model = try SchemaReader.readModel(ofDatabase: source, lockWait: job.lockWait)
      return outcome(.database, model, [])
    }
    if source.hasSuffix(".sql") {
      throw UsageFailure(
        "'\(excerpt(of: source))' is a script of SQL, which is not run",
        remedy: "make a database of it with the sqlite3 shell, and name that"
      )
    }
    return isDescriptor(source) ? try fromPackage(source) : try fromData()
  }

  private func outcome(
    _ origin: ModelOutcome.Origin,
    _ model: EntityModel,
    _ remarks: [ModelError],
    files: [DataPackageFile.WrittenFile] = []
  ) -> ModelOutcome {
    for remark in remarks { diagnostics.note(.remark(remark)) }
    let plain = model.withoutReferenceAttributes()
    return ModelOutcome(
      source: job.source,
      origin: origin,
      model: plain,
      remarks: remarks,
      tables: model,
      files: files
    )
  }

  /// The kind of file that stands at a path.
  private func fileKind(of path: String) throws(ReadError) -> mode_t {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { throw .missing(path: path) }
      throw .unreadable(path: path, reason: unsafe String(cString: strerror(errno)))
    }
    return status.st_mode & S_IFMT
  }

  /// What says how data is written or what it holds has no meaning for what is a model already.
  private func refuseDataOptions(_ what: String) throws(UsageFailure) {
    guard job.reading != ReadingOptions() || job.model != ModelOptions() else { return }
    throw UsageFailure(
      "'\(excerpt(of: job.source))' is \(what), for which options of data have no meaning",
      remedy: "leave out the options under READING and MODEL, or write the model to a file and change it there"
    )
  }

  // MARK: Packages

  /// Whether a file is a JSON object that describes data: it has resources, fields, or a schema beside a path.
  private func isDescriptor(_ path: String) -> Bool {
    if FilePath.lastComponent(of: path) == ModelSources.descriptorName { return true }
    guard path.lowercased().hasSuffix(".json"), job.reading == ReadingOptions() else { return false }
    guard let bytes = try? ModelSources.readWhole(path), let root = try? JSONParser.parse(bytes.span) else {
      return false
    }
    return root["resources"]?.elements != nil || root["fields"]?.elements != nil
      || (root["schema"] != nil && (root["path"] != nil || root["data"] != nil))
  }

  private func fromPackage(_ path: String) throws -> ModelOutcome {
    try refuseDataOptions("a Data Package")
    let package: DataPackageFile
    do {
      package = try ModelSources.readPackage(path)
    } catch let error as ReadError where error != .missing(path: path) {
      throw ModelError(source: path, message: error.description, remedy: error.remedy)
    }
    let isSchema = package.resources.count == 1 && package.resources[0].paths.isEmpty
    let files = package.resources.filter(\.hasSchema).flatMap { resource in
      resource.paths.map { name in
        DataPackageFile.WrittenFile(
          entity: resource.entity.name,
          path: FilePath.join(FilePath.folder(of: path), name),
          format: resource.format ?? Self.format(named: name),
          dialect: resource.dialect,
          encoding: resource.encoding ?? "utf-8"
        )
      }
    }
    return outcome(isSchema ? .tableSchema : .dataPackage, package.model, package.remarks, files: files)
  }

  private static func format(named path: String) -> FileFormat {
    let name = path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
    switch name.split(separator: ".").last.map({ $0.lowercased() }) {
    case "tsv": return .tsv
    case "txt": return .text
    case "xml": return .xml
    case "json": return .json
    case "ndjson", "jsonl": return .ndjson
    default: return .csv
    }
  }

  // MARK: Data

  /// Infers the model as a load into a new database would.
  private func fromData() throws -> ModelOutcome {
    var load = LoadJob(inputs: [job.source], database: "")
    load.reading = job.reading
    load.model = job.model
    let plan = try RunPlanner.plan(load, diagnostics: diagnostics)
    let files = plan.inputs.compactMap { input -> DataPackageFile.WrittenFile? in
      guard input.content.path != "-", let index = input.headerEntity ?? input.validation.defaultEntity else {
        return nil
      }
      return DataPackageFile.WrittenFile(
        entity: plan.entities[index].name,
        path: input.content.path,
        format: input.format.format,
        dialect: input.format.packageDialect,
        encoding: input.content.encoding.name.lowercased()
      )
    }
    return outcome(.data, EntityModel(entities: plan.entities), [], files: files)
  }
}

extension InputFormat {
  /// What a data package says of the spelling.
  fileprivate var packageDialect: DataPackageDialect {
    var told = DataPackageDialect()
    guard case .delimited(let dialect) = spelling else { return told }
    let usual = CSVDialect(delimiter: format == .tsv ? "\t" : ",")
    if dialect.delimiter != usual.delimiter { told.delimiter = dialect.delimiter }
    if dialect.quote != usual.quote { told.quote = dialect.quote }
    told.hasNoQuote = dialect.quote == nil
    if !dialect.doublesQuotes { told.doublesQuotes = false }
    told.escape = dialect.escape
    told.comment = dialect.comment
    if dialect.header != usual.header || dialect.skippedLines > 0 { told.header = dialect.header }
    if dialect.skippedLines > 0 { told.skippedLines = dialect.skippedLines }
    return told
  }
}
