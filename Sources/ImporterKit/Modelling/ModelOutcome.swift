import CoreDataModel
import DataPackage
public import Diagnostics
public import EntityModel
import SQLiteStore

/// A model and where it comes from.
public struct ModelOutcome: Sendable, Hashable {
  /// What a model was read from.
  public enum Origin: String, Sendable, Hashable {
    /// A Core Data model.
    case coreData = "Core Data model"
    /// A Data Package.
    case dataPackage = "Data Package"
    /// A Table Schema.
    case tableSchema = "Table Schema"
    /// The tables of a database.
    case database = "database"
    /// What data files hold, or say of themselves.
    case data = "inferred from the data"
  }

  /// The model file, database or data, as it was named.
  public let source: String
  /// What it is.
  public let origin: Origin
  /// The entities with their rules and links.
  public let model: EntityModel
  /// What the source says and the model does not take over.
  public let remarks: [ModelError]
  /// The model with what is read of it from tables, in the order of their columns.
  let tables: EntityModel
  /// The data files that a written package names.
  let files: [DataPackageFile.WrittenFile]

  /// The model in a form, as UTF-8 with a final line end.
  func bytes(as form: ModelJob.Form, output: String?) throws -> [UInt8] {
    switch form {
    case .datapackage:
      guard !model.entities.isEmpty else {
        throw ModelError(
          source: source,
          message: "the model has no entities, and a Data Package has one resource at least",
          remedy: "choose another form, or another model"
        )
      }
      return DataPackageFile.write(model: model, files: files(seenFrom: output))
    case .xcdatamodel: return try CoreDataModelFile.write(model, path: source)
    case .sql: return Array((title(after: "--") + (try SchemaWriter.sql(for: model.withReferenceAttributes()))).utf8)
    case .dot: return Array((title(after: "//") + DotDiagram(ModelDiagram(model)).text).utf8)
    case .xsd: return Array(XMLSchema(tables, title: name).text.utf8)
    case .svg: return Array(SVGDiagram(ModelDiagram(model), title: name).text.utf8)
    }
  }

  /// The source's name without its folder and ending.
  var name: String { source == "-" ? "standard input" : FilePath.stem(of: source) }

  private func title(after comment: String) -> String {
    "\(comment) \(excerpt(of: name, limit: 80)), \(origin.rawValue)\n"
  }

  /// Files that lie in the folder of a descriptor, the only ones that it may name.
  private func files(seenFrom output: String?) -> [DataPackageFile.WrittenFile] {
    let folder = output.map(FilePath.folder) ?? "."
    return files.compactMap { file in
      guard FilePath.folder(of: file.path) == folder else { return nil }
      var file = file
      file.path = FilePath.lastComponent(of: file.path)
      return file
    }
  }
}
