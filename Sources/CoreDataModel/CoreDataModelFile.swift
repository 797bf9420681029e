package import Diagnostics
package import EntityModel

/// Reads the models of Apple's Core Data as Xcode saves them.
package enum CoreDataModelFile {
  /// Whether a path is named like a Core Data model.
  package static func isModel(path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") || name == "contents" || name == "elements"
  }

  /// Reads a model.
  ///
  /// Attributes of a parent entity stand before an entity's own, its relationships too, and its key is inherited.
  /// Transient and derived attributes are left out, since no store holds them. Core Data's `optional` is off unless it
  /// says `YES`. The first uniqueness constraint is the key; of the others, single ones make attributes unique.
  ///
  /// - Parameter path: A `.xcdatamodeld`, a `.xcdatamodel`, or its `contents`.
  /// - Throws: `ModelError` with the line, for anything that is not such a model or contradicts itself.
  package static func read(path: String) throws(ModelError) -> EntityModel {
    let contents = try ModelPath.contents(of: path)
    return try read(try ModelPath.bytes(of: contents), path: contents)
  }

  /// Reads the bytes of a `contents`.
  package static func read(_ bytes: [UInt8], path: String) throws(ModelError) -> EntityModel {
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
    return try ModelTranslator(path: path, elements: root.all("entity")).model()
  }
}
