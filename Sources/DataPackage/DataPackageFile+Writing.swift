import Diagnostics
package import EntityModel
import JSONSyntax

extension DataPackageFile {
  /// A file that a written package describes.
  package struct WrittenFile: Sendable, Hashable {
    /// The entity whose rows it holds.
    package var entity: String
    /// Its path inside the package's folder.
    package var path: String
    /// Its format.
    package var format: FileFormat
    /// How it is spelled; what is nil is left to the standard's defaults.
    package var dialect: DataPackageDialect
    /// Its encoding.
    package var encoding: String

    /// Makes a description.
    package init(
      entity: String,
      path: String,
      format: FileFormat,
      dialect: DataPackageDialect = DataPackageDialect(),
      encoding: String = "utf-8"
    ) {
      self.encoding = encoding
      self.entity = entity
      self.path = path
      self.format = format
      self.dialect = dialect
    }
  }

  /// Whose spelling of dates and truth values a written package describes.
  package enum Spelling: Sendable, Hashable {
    /// That of the model, for files like those that were loaded.
    case ofModel
    /// That of exports: ISO 8601, `true` and `false`.
    case ofExport
  }

  /// Writes a package that gives the same model when it is read again.
  ///
  /// - Parameters:
  ///   - model: All entities are written, in their order; those without a file have `data: []`.
  ///   - files: The files beside the descriptor; those of entities that the model does not have, such as join tables that
  ///     follow from it, are named without a schema.
  ///   - name: The package's name, if it is to have one.
  ///   - spelling: With `ofExport`, date formats and truth values of the model are left out, since the files do not use
  ///     them.
  /// - Returns: UTF-8 with a final line end; the same bytes for the same input.
  package static func write(
    model: EntityModel,
    files: [WrittenFile] = [],
    name: String? = nil,
    spelling: Spelling = .ofModel
  ) -> [UInt8] {
    var names = ResourceNames()
    let resources = model.entities.flatMap { entity in
      let own = files.filter { $0.entity == entity.name }
      return (own.isEmpty ? [nil] : own.map(Optional.some)).map { (entity: entity, file: $0) }
    }
    let resourceNames = resources.map { names.name(for: $0.entity.name) }
    let schemas = TableSchemaWriter(
      model: model,
      resourceNames: Dictionary(zip(resources.map(\.entity.name), resourceNames)) { first, _ in first },
      spelling: spelling
    )

    var json = JSONWriter(layout: .pretty)
    json.beginObject()
    json.member("$schema", "https://datapackage.org/profiles/2.0/datapackage.json")
    json.member("name", name)
    json.name("resources")
    json.beginArray()
    for ((entity, file), name) in zip(resources, resourceNames) {
      json.beginObject()
      json.member("name", name)
      json.member("entity", entity.name)
      json.member("type", "table")
      if let file { write(file, to: &json) } else { json.member("data", []) }
      schemas.write(entity, to: &json)
      json.endObject()
    }
    for file in files where !model.entities.contains(where: { $0.name == file.entity }) {
      json.beginObject()
      json.member("name", names.name(for: file.entity))
      json.member("entity", file.entity)
      json.member("type", "table")
      write(file, to: &json)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.bytes + [0x0A]
  }

  private static func write(_ file: WrittenFile, to json: inout JSONWriter) {
    json.member("path", file.path)
    json.member("format", file.format == .text ? "txt" : file.format.rawValue)
    json.member("mediatype", mediaType(of: file.format))
    json.member("encoding", file.encoding)
    file.dialect.write(to: &json)
  }

  private static func mediaType(of format: FileFormat) -> String {
    switch format {
    case .csv: "text/csv"
    case .tsv: "text/tab-separated-values"
    case .text: "text/plain"
    case .xml, .plist: "application/xml"
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    }
  }
}

/// Gives resources the names that the standard allows: lower-case letters, digits, `.`, `_` and `-`, each once.
private struct ResourceNames {
  private var taken: Set<String> = []

  mutating func name(for entity: String) -> String {
    var slug = ""
    for scalar in entity.lowercased().unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9", ".", "_", "-": slug.unicodeScalars.append(scalar)
      default: slug += "-"
      }
    }
    if slug.isEmpty { slug = "resource" }
    var name = slug
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(slug)-\(number)"
      number += 1
    }
    return name
  }
}

extension DataPackageDialect {
  /// Writes the member `dialect`, if anything is told.
  fileprivate func write(to json: inout JSONWriter) {
    guard self != DataPackageDialect() else { return }
    json.name("dialect")
    json.beginObject()
    json.member("delimiter", delimiter)
    json.member("quoteChar", hasNoQuote ? "" : quote)
    if let doublesQuotes { json.member("doubleQuote", doublesQuotes) }
    json.member("escapeChar", escape)
    json.member("commentChar", comment)
    json.member("nullSequence", nullSequence)
    if let skipsInitialSpace { json.member("skipInitialSpace", skipsInitialSpace) }
    let skipped = skippedLines ?? 0
    switch header {
    case .lines(let count) where count > 0:
      json.member("header", true)
      if count > 1 || skipped > 0 { Self.write(skipped + 1...skipped + count, as: "headerRows", to: &json) }
    case .none?, .lines?: json.member("header", false)
    case nil: break
    }
    if skipped > 0, header == nil || header == CSVDialect.Header.none {
      Self.write(1...skipped, as: "commentRows", to: &json)
    }
    json.endObject()
  }

  private static func write(_ rows: ClosedRange<Int>, as name: String, to json: inout JSONWriter) {
    json.name(name)
    json.beginArray()
    for row in rows { json.integer(Int64(row)) }
    json.endArray()
  }
}
