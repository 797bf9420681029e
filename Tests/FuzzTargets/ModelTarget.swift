import CoreDataModel
import DataPackage
import Diagnostics
import EntityModel

/// The readers of model files: Frictionless descriptors, and Core Data's XML.
enum ModelTarget {
  static func run(_ bytes: [UInt8]) throws(LawBreach) {
    if bytes.first == UInt8(ascii: "<") || bytes.first == 0xEF {
      guard let model = (try? CoreDataModelFile.read(bytes, path: "contents"))?.model else { return }
      let same = (try? CoreDataModelFile.read(bytes, path: "contents"))?.model
      try expect(same == model, "a Core Data model read twice is two models")
      try checkWritten(model)
    } else {
      try JSONTarget.checkDocument(bytes)
      guard let model = package(bytes)?.model else { return }
      try checkWritten(model)
    }
  }

  /// Checks that a model written as a package twice, with reading between, is the same.
  ///
  /// The first writing may lose what a descriptor cannot say; the second must lose nothing.
  private static func checkWritten(_ model: EntityModel) throws(LawBreach) {
    guard !model.entities.isEmpty else { return }
    let written = DataPackageFile.write(model: model)
    do throws(ModelError) {
      let again = try read(written).model
      let rewritten = DataPackageFile.write(model: again)
      try same(try read(rewritten).model, again, rewritten)
    } catch {
      throw LawBreach("the written package is refused, \(error): \(String(decoding: written, as: UTF8.self))")
    }
    try checkWrittenForXcode(model)
  }

  /// Checks that a model written for Xcode is the same when it is read, which the writer checks itself.
  private static func checkWrittenForXcode(_ model: EntityModel) throws(LawBreach) {
    // A schema that stands alone may refer to what it does not know.
    let names = Set(model.entities.map(\.name))
    guard model.entities.allSatisfy({ $0.relationships.allSatisfy { names.contains($0.target) } }) else { return }
    do throws(ModelError) {
      _ = try CoreDataModelFile.write(model)
    } catch {
      throw LawBreach("the model cannot be written for Xcode, \(error)")
    }
  }

  private static func same(_ one: EntityModel, _ other: EntityModel, _ bytes: [UInt8]) throws(ModelError) {
    if one != other { throw ModelError(source: "written", message: "it gives another model than it was made of") }
  }

  private static func package(_ bytes: [UInt8]) -> DataPackageFile? { try? read(bytes) }

  private static func read(_ bytes: [UInt8]) throws(ModelError) -> DataPackageFile {
    try DataPackageFile.read(path: "datapackage.json", bytes: bytes) { path throws(ModelError) in
      // A schema of its own, so that reading one is fuzzed too; its name decides nothing.
      path.hasSuffix("x.json") ? bytes : Array(#"{"fields":[{"name":"a","type":"integer"}]}"#.utf8)
    }
  }
}
