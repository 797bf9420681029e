package import Diagnostics
package import EntityModel

/// A model of Apple's Core Data as Xcode saves it, read into entities.
///
/// Each entity that is not abstract is a table of its own; what its ancestors have stands before its own attributes and
/// relationships, and their uniqueness constraints hold for it. Core Data's `optional` is off unless it says `YES`. The
/// first uniqueness constraint is the key, else MagicalRecord's `relatedByAttribute`; of the other constraints, single
/// ones make attributes unique. The parts of a composite attribute are attributes of their own, named with a dot. What no
/// store holds (transient and derived attributes) is left out, with a remark; fetch requests, fetched properties,
/// configurations and indexes say nothing of what is valid and are passed over.
package struct CoreDataModelFile: Sendable {
  /// The entities, in the order of the file.
  package let model: EntityModel
  /// What the model says and is not taken over, each with its place; for warnings.
  package let remarks: [ModelError]

  /// Whether a path is named like a Core Data model.
  package static func isModel(path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") || name == "contents" || name == "elements"
  }

  /// Reads a model.
  ///
  /// - Parameter path: A `.xcdatamodeld`, a `.xcdatamodel`, or its `contents`.
  /// - Throws: `ModelError` with the line, for anything that is not such a model or contradicts itself.
  package static func read(path: String) throws(ModelError) -> CoreDataModelFile {
    let contents = try ModelPath.contents(of: path)
    return try read(try ModelPath.bytes(of: contents), path: contents)
  }

  /// The bytes of the `contents` that `read(path:)` reads.
  package static func bytes(path: String) throws(ModelError) -> [UInt8] {
    try ModelPath.bytes(of: ModelPath.contents(of: path))
  }

  /// Reads the bytes of a `contents`.
  package static func read(_ bytes: [UInt8], path: String) throws(ModelError) -> CoreDataModelFile {
    if bytes.starts(with: Array("bplist".utf8)) { throw ModelPath.binary(path) }
    let root = try XMLElement.read(bytes, path: path)
    guard root.name == "model" else {
      throw ModelError(
        source: path,
        line: root.line,
        message: "the root element is <\(excerpt(of: root.name))>, where a Core Data model has <model>",
        remedy: "name a .xcdatamodeld, a .xcdatamodel or its 'contents'"
      )
    }
    var translator = try ModelTranslator(path: path, root: root)
    let model = try translator.model()
    return CoreDataModelFile(model: model, remarks: translator.remarks.all)
  }
}
