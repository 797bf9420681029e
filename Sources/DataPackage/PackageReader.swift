import Diagnostics
import EntityModel

/// Gathers resources, and links them once all are known.
struct PackageReader {
  private struct Pending {
    var resource: DataPackageFile.Resource
    var foreignKeys: [ForeignKey]
    let node: DescriptorNode
  }

  private let path: String
  private var pending: [Pending] = []
  private var remarks: [ModelError] = []
  /// Whether the descriptor lists resources, so that all of them are known.
  private let isPackage: Bool

  init(path: String, isPackage: Bool) {
    self.path = path
    self.isPackage = isPackage
  }

  /// Reads a Table Schema that stands alone.
  mutating func readBareSchema(_ node: DescriptorNode) throws(ModelError) {
    let told = try node.name("entity", "name")
    let name = told ?? PackagePath.stem(of: path)
    var resource = Self.emptyResource(named: name)
    resource.isNamed = told != nil
    let keys = try readSchema(node, into: &resource)
    pending.append(Pending(resource: resource, foreignKeys: keys, node: node))
  }

  /// Reads a resource of a package, or one that stands alone.
  mutating func readResource(
    _ node: DescriptorNode,
    readFile: (String) throws(ModelError) -> [UInt8]
  ) throws(ModelError) {
    try node.requireObject()
    let paths = try paths(of: node)
    guard let name = try node["name"]?.nonEmptyString() ?? paths.first.map(PackagePath.stem) else {
      throw node.error("a resource has neither 'name' nor 'path'")
    }
    guard !pending.contains(where: { $0.resource.name == name }) else {
      throw node.error("two resources are named '\(excerpt(of: name))'", remedy: "give each resource a name of its own")
    }
    var resource = Self.emptyResource(named: try node["entity"]?.nonEmptyString() ?? name)
    resource.name = name
    resource.paths = paths
    resource.encoding = try node["encoding"]?.nonEmptyString()
    resource.format = try format(of: node)
    if let data = node["data"], !data.isEmptyArray {
      resource.hasInlineData = true
      remarks.append(data.error("inline data is not read", remedy: "write it to a file and name that as 'path'"))
    }
    if let dialect = try node["dialect"].map({ node throws(ModelError) in try follow(node, readFile) }) {
      var reader = DialectReader()
      resource.dialect = try reader.dialect(from: dialect)
      remarks += reader.remarks
    }
    var keys: [ForeignKey] = []
    if let schema = try node["schema"].map({ node throws(ModelError) in try follow(node, readFile) }) {
      keys = try readSchema(schema, into: &resource)
    }
    if resource.entity.documentation == nil {
      resource.entity.documentation = try node.documentation()
    }
    pending.append(Pending(resource: resource, foreignKeys: keys, node: node))
  }

  /// Links the resources and gives the result.
  consuming func finish() throws(ModelError) -> DataPackageFile {
    for index in pending.indices {
      for key in pending[index].foreignKeys {
        let target = try target(of: key, from: pending[index].resource)
        let relationship = try RelationshipReader.relationship(key, of: pending[index].resource.entity, to: target)
        pending[index].resource.entity.relationships.append(relationship)
      }
    }
    try inherit()
    try checkEntities()
    return DataPackageFile(resources: pending.map(\.resource), remarks: remarks)
  }

  private mutating func inherit() throws(ModelError) {
    let known = pending.filter(\.resource.hasSchema).map { ($0.resource.entity.name, $0.resource.entity) }
    let inheritance = SchemaInheritance(entities: Dictionary(known) { first, _ in first })
    for index in pending.indices where pending[index].resource.entity.parent != nil {
      let entity = pending[index].resource.entity
      pending[index].resource.entity = try inheritance.completed(entity, at: pending[index].node)
    }
  }

  private func target(of key: ForeignKey, from resource: DataPackageFile.Resource) throws(ModelError) -> Entity {
    if key.resource.isEmpty || key.resource == resource.name { return resource.entity }
    if let other = pending.first(where: { $0.resource.name == key.resource }) { return other.resource.entity }
    // A schema or a resource that stands alone cannot know its neighbours.
    guard isPackage else {
      return Entity(name: key.resource, key: key.targetFields ?? key.fields)
    }
    let suggestion = NameSuggestion.nearest(to: key.resource, among: pending.map(\.resource.name))
    throw key.node.error(
      "a foreign key refers to '\(excerpt(of: key.resource))', which is no resource of the package"
        + (suggestion.map { "; did you mean '\(excerpt(of: $0))'?" } ?? ""),
      remedy: "name a resource of the same package, add one for it, or take the foreign key out"
    )
  }

  /// Checks that resources of one entity agree, and that our own relationships lead somewhere.
  private func checkEntities() throws(ModelError) {
    for (index, item) in pending.enumerated() where item.resource.hasSchema {
      var entity = item.resource.entity
      let earlier = pending[..<index].first { $0.resource.hasSchema && $0.resource.entity.name == entity.name }
      entity.documentation = earlier?.resource.entity.documentation
      guard earlier == nil || earlier?.resource.entity == entity else {
        throw item.node.error(
          "two resources are of the entity '\(excerpt(of: entity.name))' with different schemas",
          remedy: "give both the same schema, or one of them another 'entity'"
        )
      }
      for relationship in entity.relationships where isPackage {
        guard !pending.contains(where: { $0.resource.entity.name == relationship.target }) else { continue }
        throw item.node.error(
          "the relationship '\(excerpt(of: relationship.name))' leads to the unknown entity '\(excerpt(of: relationship.target))'",
          remedy: "name the entity of a resource of the same package"
        )
      }
    }
  }

  private mutating func readSchema(
    _ node: DescriptorNode,
    into resource: inout DataPackageFile.Resource
  ) throws(ModelError) -> [ForeignKey] {
    let reader = try TableSchemaReader(reading: node, entity: resource.entity.name)
    resource.entity = reader.entity
    resource.hasSchema = true
    resource.missingValues = reader.missingValues
    resource.missingValuesByField = reader.fields.missingValues
    if !reader.missingValues.contains(""), let place = node["missingValues"] {
      remarks.append(
        place.error(
          "'missingValues' leaves out the empty value, but an empty cell without quotes is NULL all the same",
          remedy: "put quotes around cells that are empty texts, or add \"\" to 'missingValues'"
        )
      )
    }
    remarks += reader.fields.remarks
    if let first = reader.fields.decimalMarks.first {
      if let other = reader.fields.decimalMarks.first(where: { $0.mark != first.mark }) {
        throw other.node.error(
          "the numbers of one file are written with '\(excerpt(of: first.mark))' and '\(excerpt(of: other.mark))'",
          remedy: "give all number fields the same 'decimalChar', or make some of them strings"
        )
      }
      resource.decimalMark = first.mark == "." ? nil : first.mark
    }
    return reader.foreignKeys
  }

  /// The object, or the content of the file that a string names.
  private func follow(
    _ node: DescriptorNode,
    _ readFile: (String) throws(ModelError) -> [UInt8]
  ) throws(ModelError) -> DescriptorNode {
    guard node.isString else { return node }
    let name = try checkedPath(node)
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let source = path.utf8.contains(UInt8(ascii: "/")) ? folder + "/" + name : name
    return try DescriptorNode(parsing: try readFile(name), source: source)
  }

  private func paths(of node: DescriptorNode) throws(ModelError) -> [String] {
    guard let path = node["path"] else { return [] }
    guard !path.isString else { return [try checkedPath(path)] }
    var paths: [String] = []
    for element in try path.elements() { paths.append(try checkedPath(element)) }
    return paths
  }

  private func checkedPath(_ node: DescriptorNode) throws(ModelError) -> String {
    let text = try node.string()
    do throws(PackagePath.Refusal) {
      return try PackagePath(text).normalized
    } catch {
      throw node.error(
        "the path '\(excerpt(of: text))' \(error.description)",
        remedy: "name a file in the folder of the descriptor, relative to it"
      )
    }
  }

  private func format(of node: DescriptorNode) throws(ModelError) -> FileFormat? {
    if let format = try node["format"]?.string() {
      switch format.lowercased() {
      case "csv": return .csv
      case "tsv", "tab": return .tsv
      case "txt", "text": return .text
      case "xml": return .xml
      case "plist": return .plist
      case "json": return .json
      case "ndjson", "jsonl": return .ndjson
      default: return nil
      }
    }
    switch try node["mediatype"]?.string().lowercased().split(separator: ";").first {
    case "text/csv": return .csv
    case "text/tab-separated-values": return .tsv
    case "text/plain": return .text
    case "text/xml", "application/xml": return .xml
    case "application/json": return .json
    case "application/x-ndjson", "application/ndjson", "application/jsonl": return .ndjson
    default: return nil
    }
  }

  private static func emptyResource(named name: String) -> DataPackageFile.Resource {
    DataPackageFile.Resource(
      name: name,
      isNamed: true,
      paths: [],
      hasInlineData: false,
      entity: Entity(name: name),
      hasSchema: false,
      dialect: DataPackageDialect(),
      missingValues: [""],
      missingValuesByField: [:]
    )
  }
}
