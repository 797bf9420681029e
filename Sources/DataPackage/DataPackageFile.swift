package import Diagnostics
package import EntityModel

/// A Frictionless Data Package, a single Data Resource or a bare Table Schema, read into entities.
///
/// Versions 1 and 2 of the standards at <https://datapackage.org> are understood. Properties that they do not define are
/// passed over, save our own: `entity` on a resource; `importerType`, `sourceNames`, `dateFormats`, `default`,
/// `usesDefaultWhenAbsent`, `allowsEmptyText`, `userInfo` and `relationship` on a field; `relationships`, `abstract`,
/// `inherits`, `joins`, `sourceHasHeader` and `userInfo` on a schema.
package struct DataPackageFile: Sendable {
  /// One file, or several of the same columns, with the entity that its records become.
  package struct Resource: Sendable, Hashable {
    /// Its name in the package; the file's, where a bare schema has none.
    package var name: String
    /// Whether the descriptor names it; else whoever loads a file under it may name the entity.
    package var isNamed: Bool
    /// Paths inside the package's folder, checked not to lead out of it; empty for a bare schema and for inline data.
    package var paths: [String]
    /// Whether the descriptor holds the data itself, which is not read.
    package var hasInlineData: Bool
    /// What its records become; without attributes where it has no schema.
    package var entity: Entity
    /// Whether a schema says what is valid.
    package var hasSchema: Bool
    /// What is told of the file's spelling.
    package var dialect: DataPackageDialect
    /// The format that `format` or `mediatype` tells; nil for none, or one that is not ours.
    package var format: FileFormat?
    /// The encoding that is told.
    package var encoding: String?
    /// Unquoted cells that are NULL.
    package var missingValues: [String]
    /// The same for fields that say it on their own, by name.
    package var missingValuesByField: [String: [String]]
    /// What parts the whole from the fraction in its numbers, where it is no point.
    package var decimalMark: String?
  }

  /// The resources, in the order of the descriptor.
  package var resources: [Resource]
  /// Rules and settings of the descriptor that will not be honoured, each with its place; for warnings.
  package var remarks: [ModelError]

  /// The entities of all resources that have a schema, each once.
  package var model: EntityModel {
    var model = EntityModel()
    for resource in resources where resource.hasSchema {
      if !model.entities.contains(where: { $0.name == resource.entity.name }) { model.entities.append(resource.entity) }
    }
    return model
  }

  /// The resource whose data a file of the package's folder is.
  ///
  /// - Parameter name: The file's path inside the folder.
  package func resource(forFile name: String) -> Resource? {
    guard let path = try? PackagePath(name) else { return nil }
    return resources.first { $0.paths.contains(path.normalized) }
  }

  /// Reads a descriptor.
  ///
  /// - Parameters:
  ///   - path: The descriptor's path, for messages and to name a bare schema.
  ///   - bytes: Its text.
  ///   - readFile: Reads a schema or dialect that the descriptor names, by its path inside the descriptor's folder, which
  ///     has been checked not to lead out of it.
  package static func read(
    path: String,
    bytes: [UInt8],
    readFile: (String) throws(ModelError) -> [UInt8]
  ) throws(ModelError) -> DataPackageFile {
    let root = try DescriptorNode(parsing: bytes, source: path)
    try root.requireObject()
    var reader = PackageReader(path: path, isPackage: root["resources"] != nil)
    if let list = root["resources"] {
      let nodes = try list.elements()
      guard !nodes.isEmpty else { throw list.error("the package has no resources") }
      for node in nodes { try reader.readResource(node, readFile: readFile) }
    } else if root["fields"] != nil {
      try reader.readBareSchema(root)
    } else if root["path"] != nil || root["data"] != nil {
      try reader.readResource(root, readFile: readFile)
    } else {
      throw root.error(
        "this is neither a data package, which has 'resources', nor a table schema, which has 'fields'",
        remedy: "give a datapackage.json or a table schema; see https://datapackage.org"
      )
    }
    return try reader.finish()
  }
}
