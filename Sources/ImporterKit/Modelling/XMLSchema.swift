import CoreDataModel
import Diagnostics
import EntityModel
import XMLFormat

/// A model as an XML Schema (version 1.0) of the documents that an export in XML writes.
///
/// It says what a schema can say without refusing an export: types, ranges of numbers, what is required, allowed values,
/// keys and what must be unique. Lengths and patterns are left to the model, since a text that XML cannot hold is written
/// as base64; so are references, since one document holds one entity.
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
    for entity in entities { xml += element(of: entity) }
    xml += "      </xs:choice>\n    </xs:complexType>\n"
    for (index, entity) in entities.enumerated() { xml += constraints(of: entity, number: index + 1) }
    return xml + "  </xs:element>\n" + Self.types + "</xs:schema>\n"
  }

  // MARK: Elements

  private func element(of entity: Entity) -> String {
    var xml = "        <xs:element name=\"\(XMLName.encoding(entity.name))\">\n"
    if let documentation = entity.documentation { xml += Self.annotation(documentation, indentation: 10) }
    xml += "          <xs:complexType>\n            <xs:all>\n"
    for attribute in entity.attributes { xml += element(of: attribute) }
    return xml + "            </xs:all>\n          </xs:complexType>\n        </xs:element>\n"
  }

  private func element(of attribute: Attribute) -> String {
    let start =
      "              <xs:element name=\"\(XMLName.encoding(attribute.name))\""
      + (attribute.isRequired ? "" : " minOccurs=\"0\"")
    let facets = facets(of: attribute)
    let documentation = attribute.documentation.map { Self.annotation($0, indentation: 16) } ?? ""
    guard !facets.isEmpty else {
      let type = "\(start) type=\"\(Self.type(of: attribute.type))\""
      return documentation.isEmpty ? "\(type)/>\n" : "\(type)>\n\(documentation)              </xs:element>\n"
    }
    let base = attribute.type.isTextOfXML ? "xs:string" : Self.type(of: attribute.type)
    return "\(start)>\n\(documentation)                <xs:simpleType>\n"
      + "                  <xs:restriction base=\"\(base)\">\n"
      + facets.map { "                    \($0)\n" }.joined()
      + "                  </xs:restriction>\n                </xs:simpleType>\n              </xs:element>\n"
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
