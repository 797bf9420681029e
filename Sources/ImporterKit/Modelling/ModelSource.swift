import ByteStreams
import CoreDataModel
import DataPackage
import Diagnostics
import EntityModel
import Records
import Reporting
import SQLiteStore

/// The model that an input is held against, and what else its source says of the input.
struct ModelSource: Sendable {
  /// With an attribute for each reference that is written as a key.
  let model: EntityModel
  let origin: RunReport.Model
  /// The resource of a data package that names the input.
  let resource: DataPackageFile.Resource?

  init(model: EntityModel, origin: RunReport.Model, resource: DataPackageFile.Resource?) {
    self.model = model.withReferenceAttributes()
    self.origin = origin
    var resource = resource
    if let name = resource?.entity.name, let entity = self.model.entities.first(where: { $0.name == name }) {
      resource?.entity = entity
      // A join table has no schema of its own: it follows from the relationships.
      resource?.hasSchema = true
    }
    self.resource = resource
  }
}

/// Finds the model for inputs: the file told, else a data package beside the input, else the database's tables.
struct ModelSources {
  private let told: ToldModel?
  private let database: EntityModel?
  private var packages: [String: DataPackageFile?] = [:]

  /// A model file as it was read.
  struct ToldModel {
    let path: String
    let model: EntityModel
    let package: DataPackageFile?
    /// What the file says and is not taken over.
    let remarks: [ModelError]
  }

  /// Reads the model that was told, and the tables of the database if it exists; an empty name stands for none.
  ///
  /// - Parameter others: Tables that are left out: the run itself has made them.
  /// - Throws: `ModelError` for a model that cannot be used, `StoreError` for a database that cannot be read.
  init(_ options: ModelOptions, database: String, lockWait: Duration, besides others: [String] = []) throws {
    told = try options.modelFile.map { try Self.readTold($0, entity: options.entity, lockWait: lockWait) }
    guard !database.isEmpty else {
      self.database = nil
      return
    }
    do {
      let model = try SchemaReader.readModel(ofDatabase: database, besides: others, lockWait: lockWait)
      self.database = model.entities.isEmpty ? nil : model
    } catch StoreError.missing {
      self.database = nil
    }
  }

  /// Knows of one model, whatever the inputs are.
  init(fixed model: EntityModel, origin path: String) {
    told = ToldModel(path: path, model: model, package: nil, remarks: [])
    database = nil
  }

  /// Knows of no model but the data packages beside the inputs.
  init() {
    told = nil
    database = nil
  }

  /// The first model that there is for an input; nil leaves inference.
  ///
  /// The tables of the database are told apart by name: an input whose entity is none of them makes a new one.
  mutating func source(for path: String, entity: String?) throws -> ModelSource? {
    if let told {
      let resource = told.package?.resource(forFile: FilePath.lastComponent(of: RejectionNames.original(of: path)))
      return ModelSource(model: told.model, origin: .told(path: told.path), resource: resource)
    }
    if path != "-" {
      let folder = FilePath.folder(of: path)
      let name = FilePath.lastComponent(of: RejectionNames.original(of: path))
      if let resource = try package(in: folder)?.resource(forFile: name) {
        let model = try package(in: folder)?.model ?? EntityModel()
        let descriptor = FilePath.join(folder, Self.descriptorName)
        let source = ModelSource(model: model, origin: .dataPackage(path: descriptor), resource: resource)
        guard source.resource?.hasSchema == true else {
          return ModelSource(model: EntityModel(), origin: .inferred, resource: resource)
        }
        return source
      }
    }
    guard let database else { return nil }
    return ModelSource(model: database, origin: .database, resource: nil)
  }

  /// Remarks on the data packages that were used, for warnings.
  var remarks: [ModelError] {
    (told?.remarks ?? []) + packages.keys.sorted().flatMap { packages[$0]??.remarks ?? [] }
  }

  static let descriptorName = "datapackage.json"

  private mutating func package(in folder: String) throws -> DataPackageFile? {
    if let known = packages[folder] { return known }
    let path = FilePath.join(folder, Self.descriptorName)
    var package: DataPackageFile?
    do {
      package = try Self.readPackage(path)
    } catch ReadError.missing {}
    packages[folder] = .some(package)
    return package
  }

  /// Reads a data package, or a table schema, with the files that it names.
  static func readPackage(_ path: String) throws -> DataPackageFile {
    let bytes = try readWhole(path)
    return try DataPackageFile.read(path: path, bytes: bytes) { (name) throws(ModelError) in
      let file = FilePath.join(FilePath.folder(of: path), name)
      do throws(ReadError) {
        return try readWhole(file)
      } catch {
        throw ModelError(source: path, message: error.description, remedy: error.remedy)
      }
    }
  }

  /// The longest model file that is read.
  private static let longestModel = 64 << 20

  /// The bytes of a small file.
  static func readWhole(_ path: String) throws(ReadError) -> [UInt8] {
    var source = try FileByteSource(path: path)
    var text = TextBuffer(capacity: 64 << 10)
    while try source.read(64 << 10, into: &text) > 0 {
      guard text.count <= longestModel else { throw .unreadable(path: path, reason: "it is longer than 64 MiB") }
    }
    let bytes = text.bytes
    return bytes.indices.map { bytes[$0] }
  }

  /// Reads a model file, or the tables of a database.
  static func readTold(_ path: String, entity: String?, lockWait: Duration) throws -> ToldModel {
    if CoreDataModelFile.isModel(path: path) {
      let file = try CoreDataModelFile.read(path: path)
      return ToldModel(path: path, model: file.model, package: nil, remarks: file.remarks)
    }
    if isDatabase(path) {
      let model = try SchemaReader.readModel(ofDatabase: path, lockWait: lockWait)
      return ToldModel(path: path, model: model, package: nil, remarks: [])
    }
    do {
      var package = try readPackage(path)
      if let entity, package.resources.count == 1, !package.resources[0].isNamed {
        package.resources[0].entity.name = entity
      }
      return ToldModel(path: path, model: package.model, package: package, remarks: package.remarks)
    } catch let error as ReadError {
      throw ModelError(source: path, message: error.description, remedy: error.remedy)
    }
  }

  /// What a model file says, as the text of it or, for a database, of its tables.
  static func content(ofTold path: String, lockWait: Duration) throws -> [UInt8] {
    if CoreDataModelFile.isModel(path: path) { return try CoreDataModelFile.bytes(path: path) }
    guard isDatabase(path) else { return try readWhole(path) }
    return Array(stableText(of: try SchemaReader.readModel(ofDatabase: path, lockWait: lockWait)).utf8)
  }

  /// Whether a file begins like an SQLite database.
  ///
  /// Looked at before any database is open: closing a second descriptor of an open one would drop SQLite's locks.
  static func isDatabase(_ path: String) -> Bool {
    guard let source = try? peek(16, of: FileByteSource(path: path)) else { return false }
    return source.withPrefix { bytes in
      let mark = Array("SQLite format 3\0".utf8)
      return bytes.count == mark.count && bytes.indices.allSatisfy { bytes[$0] == mark[$0] }
    }
  }
}
