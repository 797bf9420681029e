import DataPackage
import Diagnostics

/// Reads a descriptor whose neighbours are the given files.
func readPackage(
  _ text: String,
  path: String = "in/datapackage.json",
  files: [String: String] = [:]
) throws(ModelError) -> DataPackageFile {
  try DataPackageFile.read(path: path, bytes: Array(text.utf8)) { name throws(ModelError) in
    guard let text = files[name] else { throw ModelError(source: name, message: "there is no such file") }
    return Array(text.utf8)
  }
}

/// The failure's sentence with its place; empty when all is well.
func complaint(_ text: String, path: String = "in/datapackage.json", files: [String: String] = [:]) -> String {
  do throws(ModelError) {
    _ = try readPackage(text, path: path, files: files)
    return ""
  } catch {
    return error.description
  }
}

/// A package of one resource with one field.
func package(field: String) -> String {
  #"{"resources":[{"name":"r","path":"r.csv","schema":{"fields":[\#(field)]}}]}"#
}
