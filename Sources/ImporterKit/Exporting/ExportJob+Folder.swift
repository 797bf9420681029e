import ByteStreams
import DataPackage
import Diagnostics
import EntityModel
import Glibc
import Records
import SQLiteStore

/// Exports of several entities at once.
extension ExportJob {
  /// The folder to write into; nil where the output is a file or standard output.
  var folder: String? {
    guard let output, output != "-" else { return nil }
    if output.hasSuffix("/") { return output }
    var status = stat()
    return unsafe stat(output, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? output : nil
  }

  /// Writes a file for each entity, and a data package that describes them; all of one state of the database.
  ///
  /// - Returns: How many rows were written.
  func run(
    into path: String,
    _ model: EntityModel,
    _ snapshot: ReadSnapshot,
    _ cancellation: Cancellation
  ) throws -> Int64 {
    let entities = try entity.map { [try model.chosenEntity($0, of: database, to: "export")] } ?? model.withTables
    guard !entities.isEmpty else {
      throw UsageFailure("'\(excerpt(of: database))' has no entities to export", remedy: "load something into it first")
    }
    if entities.count > 1, filter != nil || order != nil {
      throw UsageFailure(
        "--where and --sort-by are about one entity, and \(entities.count) would be written",
        remedy: "tell --entity, or leave them out"
      )
    }
    if writesJoins, listSeparator != nil {
      throw UsageFailure(
        "--list-separator has no meaning for a folder, in which join tables have files of their own",
        remedy: "leave it out, or tell --entity"
      )
    }
    let folder = try ExportFolder(path)
    let trees = try trees(of: entities, of: model, from: snapshot)
    let names = trees.map(\.entity).map { folder.name(for: $0.name, "." + (format == .text ? "txt" : format.rawValue)) }
    try refuseLeavingOut(names, in: path)
    var files: [DataPackageFile.WrittenFile] = []
    var count: Int64 = 0
    for (tree, name) in zip(trees, names) {
      let entity = tree.entity
      count += try write(tree, of: model, from: snapshot, to: folder.makeSink(named: name), cancellation)
      var file = DataPackageFile.WrittenFile(entity: entity.name, path: name, format: format)
      if format == .csv || format == .tsv { file.dialect = dialect(of: entity) }
      files.append(file)
    }
    // Entities that are not written are described too, since others may refer to them.
    let package = DataPackageFile.write(
      model: writesJoins ? model.withJoinsOnly() : model.withoutReferenceAttributes(),
      files: files,
      spelling: .ofExport
    )
    var sink = try folder.makeSink(named: ExportFolder.descriptorName)
    try sink.write(package.span)
    try sink.finish()
    try folder.refuse(over: database)
    try folder.finish()
    return count
  }

  /// Refuses a folder whose data package names files that the new one would not: nothing would load them any more.
  private func refuseLeavingOut(_ names: [String], in folder: String) throws {
    let descriptor = FilePath.join(folder, ExportFolder.descriptorName)
    let remedy = "write into another folder, or a single entity into a file"
    let package: DataPackageFile
    do {
      package = try ModelSources.readPackage(descriptor)
    } catch ReadError.missing {
      return
    } catch let error as ModelError {
      throw UsageFailure(
        "'\(excerpt(of: descriptor))' would be replaced, and is no export: \(error.message)",
        remedy: remedy
      )
    }
    let left = package.resources.flatMap(\.paths).filter { name in
      guard !names.contains(name) else { return false }
      return unsafe access(FilePath.join(folder, name), F_OK) == 0
    }
    guard let first = left.first else { return }
    throw UsageFailure(
      "'\(excerpt(of: descriptor))' names '\(excerpt(of: first))'"
        + (left.count > 1 ? " and \(left.count - 1) more files" : "") + ", which this export would not",
      remedy: remedy
    )
  }

  private func dialect(of entity: Entity) -> DataPackageDialect {
    var dialect = DataPackageDialect()
    dialect.delimiter = delimiter ?? (format == .tsv ? "\t" : ",")
    dialect.quote = "\""
    dialect.doublesQuotes = true
    dialect.header = writesHeader(for: entity) ? .lines(1) : CSVDialect.Header.none
    return dialect
  }
}
