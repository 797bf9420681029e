import CoreDataModel
import Diagnostics
import EntityModel
import XMLFormat

/// A model as an XML Schema (version 1.0) of the documents that an export in XML writes.
///
/// It says what a schema can say without refusing an export: types, ranges of numbers, what is required, allowed values,
/// keys and what must be unique. Lengths and patterns are left to the model, since a text that XML cannot hold is written
/// as base64; so are references, since a document need not hold what they lead to. Elements stand in the order of an export,
/// and within a row those that belong to it. Of a row in which much stands the export begins another one with the same key,
/// so only entities that nothing belongs to have keys here.
struct XMLSchema {
  private let model: EntityModel
  private let title: String

  init(_ model: EntityModel, title: String) {
    self.model = model.withReferenceAttributes()
    self.title = title
  }

  /// The schema.
  var text: String {
    let entities = model.entities.filter { !$0.isAbstract && !$0.attributes.isEmpty }
    var xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
        <xs:annotation><xs:documentation>\(XMLText.escaped(title))</xs:documentation></xs:annotation>
        <xs:element name="\(XMLWriter.rootName)">
          <xs:complexType>
            <xs:choice minOccurs="0" maxOccurs="unbounded">

      """
    var job = ExportJob(database: "")
    job.format = .xml
    let trees = entities.map { ExportTree($0, of: model, for: job) }
    for tree in trees { xml += element(of: tree, depth: 4, occurs: "") }
    xml += "      </xs:choice>\n    </xs:complexType>\n"
    for (index, entity) in entities.enumerated() where trees[index].children.isEmpty {
      xml += constraints(of: entity, number: index + 1)
    }
    return xml + "  </xs:element>\n" + Self.types + "</xs:schema>\n"
  }

  // MARK: Elements

  /// The element of a row, with those of the rows within it.
  private func element(of tree: ExportTree, depth: Int, occurs: String) -> String {
    let indent = String(repeating: "  ", count: depth)
    var xml = "\(indent)<xs:element name=\"\(XMLName.encoding(tree.name))\"\(occurs)>\n"
    if let documentation = tree.entity.documentation {
      xml += Self.annotation(documentation, indentation: 2 * depth + 2)
    }
    // In any order, unless something may stand there more than once.
    let group = tree.children.isEmpty && !tree.entity.hasLists ? "all" : "sequence"
    xml += "\(indent)  <xs:complexType>\n\(indent)    <xs:\(group)>\n"
    for attribute in tree.entity.attributes { xml += element(of: attribute, depth: depth + 3) }
    for child in tree.children {
      xml += element(of: child, depth: depth + 3, occurs: " minOccurs=\"0\" maxOccurs=\"unbounded\"")
    }
    if let filler = tree.filler, !tree.entity.attributes.contains(where: { $0.isRequired && !$0.isList }) {
      let name = XMLName.encoding(filler)
      xml += "\(indent)      <xs:element name=\"\(name)\" minOccurs=\"0\"><xs:complexType/></xs:element>\n"
    }
    return xml + "\(indent)    </xs:\(group)>\n\(indent)  </xs:complexType>\n\(indent)</xs:element>\n"
  }

  private func element(of attribute: Attribute, depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    let start =
      "\(indent)<xs:element name=\"\(XMLName.encoding(attribute.name))\""
      + (attribute.isRequired && !attribute.isList ? "" : " minOccurs=\"0\"")
      + (attribute.isList ? " maxOccurs=\"unbounded\"" : "")
    let facets = facets(of: attribute)
    let documentation = attribute.documentation.map { Self.annotation($0, indentation: 2 * depth + 2) } ?? ""
    guard !facets.isEmpty else {
      let type = "\(start) type=\"\(Self.type(of: attribute.type))\""
      return documentation.isEmpty ? "\(type)/>\n" : "\(type)>\n\(documentation)\(indent)</xs:element>\n"
    }
    let base = attribute.type.isTextOfXML ? "xs:string" : Self.type(of: attribute.type)
    return "\(start)>\n\(documentation)\(indent)  <xs:simpleType>\n"
      + "\(indent)    <xs:restriction base=\"\(base)\">\n"
      + facets.map { "\(indent)      \($0)\n" }.joined()
      + "\(indent)    </xs:restriction>\n\(indent)  </xs:simpleType>\n\(indent)</xs:element>\n"
  }

  private static func type(of type: AttributeType) -> String {
    switch type {
    case .integer: "xs:integer"
    case .decimal: "xs:decimal"
    case .double: "xs:double"
    case .boolean: "xs:boolean"
    case .binary: "bytes"
    case .text, .uuid, .uri, .date, .datetime: "text"
    }
  }

  /// What restricts a type, where XML Schema means by it what the model means.
  private func facets(of attribute: Attribute) -> [String] {
    var facets: [String] = []
    func add(_ name: String, _ value: String) {
      facets.append("<xs:\(name) value=\"\(XMLText.escaped(value))\"/>")
    }
    if let allowed = attribute.allowedValues, attribute.type.isTextOfXML || attribute.type.isWhole,
      allowed.allSatisfy(XMLText.canHold), attribute.type.isTextOfXML || allowed.allSatisfy({ Int64($0) != nil })
    {
      for value in allowed { add("enumeration", value) }
    }
    guard case .integer(let bits) = attribute.type else { return facets }
    let limit = bits >= 64 ? Int64.max : (Int64(1) << (bits - 1)) - 1
    add("minInclusive", String(attribute.minimum.flatMap { Int64($0) } ?? (-limit - 1)))
    add("maxInclusive", String(attribute.maximum.flatMap { Int64($0) } ?? limit))
    return facets
  }

  // MARK: Keys

  private func constraints(of entity: Entity, number: Int) -> String {
    var xml = ""
    var count = 0
    func add(_ kind: String, _ names: [String]) {
      let fields = names.flatMap { name in
        entity.attribute(named: name) != nil
          ? [name] : entity.attributes.filter { $0.keyPath.first == name }.map(\.name)
      }
      guard !fields.isEmpty else { return }
      count += 1
      xml +=
        "    <xs:\(kind) name=\"\(kind)_\(number)_\(count)\">\n"
        + "      <xs:selector xpath=\"\(XMLName.encoding(entity.name))\"/>\n"
        + fields.map { "      <xs:field xpath=\"\(XMLName.encoding($0))\"/>\n" }.joined() + "    </xs:\(kind)>\n"
    }
    if !entity.key.isEmpty {
      let isRequired = entity.key.allSatisfy { entity.attribute(named: $0)?.isRequired ?? false }
      add(isRequired ? "key" : "unique", entity.key)
    }
    for attribute in entity.attributes where attribute.isUnique && entity.key != [attribute.name] {
      add("unique", [attribute.name])
    }
    for set in entity.uniqueSets { add("unique", set) }
    return xml
  }

  // MARK: Text

  /// Texts that may be base64 instead, and bytes, which always are.
  private static let types = """
      <xs:complexType name="text">
        <xs:simpleContent>
          <xs:extension base="xs:string"><xs:attribute name="encoding" fixed="base64"/></xs:extension>
        </xs:simpleContent>
      </xs:complexType>
      <xs:complexType name="bytes">
        <xs:simpleContent>
          <xs:extension base="xs:base64Binary"><xs:attribute name="encoding" use="required" fixed="base64"/></xs:extension>
        </xs:simpleContent>
      </xs:complexType>

    """

  private static func annotation(_ text: String, indentation: Int) -> String {
    String(repeating: " ", count: indentation)
      + "<xs:annotation><xs:documentation>\(XMLText.escaped(text))</xs:documentation></xs:annotation>\n"
  }
}

extension AttributeType {
  /// Whether its values are written as texts, of which some may be base64.
  fileprivate var isTextOfXML: Bool {
    switch self {
    case .text, .uuid, .uri, .date, .datetime: true
    default: false
    }
  }

  fileprivate var isWhole: Bool { if case .integer = self { true } else { false } }
}
