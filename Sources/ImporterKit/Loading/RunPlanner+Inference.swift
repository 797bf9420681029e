import DataPackage
import Diagnostics
import EntityModel
import Records
import Reporting
import Validation

/// Entities made of what inputs hold.
extension RunPlanner {
  /// Reads an input to its end for its columns and their types.
  ///
  /// Elements that stand several times in one are records of their own, each with a link to the one around it; a second
  /// reading takes them so.
  ///
  /// - Returns: The entity of records without a name of their own.
  mutating func infer(_ plan: inout InputPlan, name: String?, known: EntityModel?) throws -> Int? {
    if let name, let entity = known?.entity(named: name) { return register(entity) }
    try plan.content.makeRereadable()
    let modelNesting = plan.nesting
    plan.nesting = RecordNesting()
    plan.discoversNesting = job.reading.columns == nil
    let earlier = name.flatMap { name in entities.firstIndex { $0.name == name } }.flatMap { wayEvidence[$0] }
    var evidence = try observe(plan, ways: .some(earlier))
    plan.discoversNesting = false
    plan.nesting = modelNesting.merging(evidence.nesting.withoutLists(of: known))
    if !plan.nesting.isFlat {
      plan.validation.isNested = true
      evidence = try observe(plan, ways: nil)
    }
    let shapes = evidence.shapes
    let fallback = name ?? FilePath.subject(of: plan.content.path)
    var defaultEntity: Int?
    var namelessEntity: Int?
    var indexes: [Int?] = []
    for (kind, shape) in shapes.enumerated() {
      let enclosing = shape.parent.map { indexes[$0] } ?? nil
      let isKnown = shape.parent != nil && !(enclosing.map(inferredEntities.contains) ?? false)
      guard !isKnown else {
        // It is one of the model's, as is the one around it.
        let name = enclosing.flatMap { entities[$0].toMany(named: shape.name)?.target } ?? shape.name
        indexes.append(known?.entity(named: name).map { register($0) })
        continue
      }
      let ownName = shape.name.isEmpty ? fallback : shape.name
      let entityName = shape.parent == nil ? name ?? ownName : ownName
      if shape.parent == nil, let entity = known?.entity(named: entityName) {
        defaultEntity = register(entity)
        if shape.name.isEmpty { namelessEntity = defaultEntity }
        indexes.append(defaultEntity)
        continue
      }
      let index = register(Entity(name: entityName))
      indexes.append(index)
      if shape.parent == nil {
        defaultEntity = index
        if shape.name.isEmpty { namelessEntity = index }
      }
      let own: Int
      if let position = inferredEntities.firstIndex(of: index) {
        own = position
      } else {
        own = inferredEntities.count
        inferredEntities.append(index)
      }
      if let ways = evidence.ways, shape.parent == nil { wayEvidence[index] = ways }
      if let enclosing { link(index, to: enclosing, named: shape.name, columns: shape.columns) }
      inference.merge(evidence.types, shape: kind, into: own)
      if let declaration = evidence.declarations[kind] {
        declared[own] = declaration
        declarationRemarks += declaration.remarks
      }
      if !plan.format.hasFixedColumns { shapesOfNamedFields.insert(own) }
    }
    // Records of several kinds find their entities by name alone.
    return name != nil || shapes.count(where: { $0.parent == nil }) == 1 ? defaultEntity : namelessEntity
  }

  /// What reading an input to its end has shown.
  private struct Evidence {
    var types: TypeInference
    var shapes: [RecordShape]
    var declarations: [Int: RecordDeclaration]
    var nesting: RecordNesting
    var ways: WayEvidence?
  }

  /// - Parameter ways: What earlier inputs have shown of the dotted columns, if they are looked at.
  private func observe(_ plan: InputPlan, ways earlier: WayEvidence??) throws -> Evidence {
    var found = TypeInference(
      nullTokens: plan.validation.nullTokens,
      quotesProtect: plan.validation.quotesProtect,
      quotedIsText: plan.format.quotedIsText,
      base64IsBinary: plan.format.format == .plist,
      datePatterns: try job.model.generalDatePatterns
    )
    var reader = try plan.makeReader()
    try reader.open()
    var shapes = reader.shapes
    var ways = earlier.flatMap { $0 ?? wayEvidence(for: plan, shapes: shapes) }
    ways?.begin(columns: shapes.first?.columns ?? [])
    let needsValues = !(job.model.isAllText && plan.format.hasFixedColumns) || ways != nil
    if needsValues {
      var batch = RecordBatch(file: plan.content.path, capacity: plan.limits.chunkByteCount)
      while try reader.fill(&batch) {
        found.observe(batch)
        ways?.observe(batch)
      }
      shapes = reader.shapes
    }
    found.complete(shapes)
    return Evidence(
      types: found,
      shapes: shapes,
      declarations: reader.declarations,
      nesting: reader.foundNesting,
      ways: ways
    )
  }

  /// Lets the rows of an entity lead to those of the one around its records.
  private mutating func link(_ index: Int, to enclosing: Int, named name: String, columns: [String]) {
    let target = entities[enclosing].name
    guard !entities[index].relationships.contains(where: { $0.target == target && $0.isHeldHere }) else { return }
    var linkName = target
    while columns.contains(where: { lowercasedASCII($0) == lowercasedASCII(linkName) }) { linkName += "_" }
    var link = Relationship(name: linkName, target: target)
    let taken =
      entities[enclosing].relationships.map { lowercasedASCII($0.name) }
      + (index == enclosing ? [lowercasedASCII(linkName)] : [])
    let inverseName = taken.contains(lowercasedASCII(name)) ? name + "_within" : name
    link.inverse = inverseName
    var inverse = Relationship(name: inverseName, target: entities[index].name, isToMany: true, deleteRule: .cascade)
    inverse.inverse = linkName
    entities[index].relationships.append(link)
    entities[enclosing].relationships.append(inverse)
  }

  func mappedName(_ name: String) -> String {
    job.model.mappings.last { $0.source == name }?.attribute ?? name
  }

  /// Refuses names that differ in the case of ASCII letters alone, which would be one column or table.
  func refuseTwins(in names: [String], of entity: String?, _ what: String) throws(ReadError) {
    var seen: [String: String] = [:]
    for name in names {
      let folded = String(
        decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
        as: UTF8.self
      )
      guard let twin = seen.updateValue(name, forKey: folded), twin != name else { continue }
      let input = inputs.last { $0.validation.defaultEntity.map { entities[$0].name } == entity } ?? inputs.last
      throw .refused([
        Diagnostic(
          code: .duplicateLabel,
          location: SourceLocation(file: input?.content.path ?? ""),
          entity: entity,
          field: name,
          message: "the \(what) '\(excerpt(of: twin))' and '\(excerpt(of: name))' differ in the case of letters alone",
          remedy: "rename one of them, or give one another name with --map"
        )
      ])
    }
  }

  /// An inferred entity's attributes, under the names that mappings give them.
  func attributes(ofInferredShape shape: Int) -> [Attribute] {
    var attributes: [Attribute] = []
    var inferred = inference.attributes(ofShape: shape)
    if let declaration = declared[shape] { declaration.overlay(&inferred, isAllText: job.model.isAllText) }
    for var attribute in inferred {
      attribute.name = mappedName(attribute.name)
      if job.model.isAllText { attribute.type = .text }
      if let known = attributes.firstIndex(where: { $0.name == attribute.name }) {
        if attributes[known].type != attribute.type { attributes[known].type = .text }
      } else {
        attributes.append(attribute)
      }
    }
    guard let columns = job.reading.columns, shapesOfNamedFields.contains(shape) else { return attributes }
    return columns.map { name in attributes.first { $0.name == name } ?? Attribute(name: name) }
  }
}

extension ModelOptions {
  /// The date patterns that were told for no column in particular.
  var generalDatePatterns: [DatePattern] {
    get throws(UsageFailure) {
      var patterns: [DatePattern] = []
      for format in dateFormats where format.column == nil { patterns.append(try format.compiled()) }
      return patterns
    }
  }
}

extension InputFormat {
  /// Whether a quoted value is text, whatever it looks like.
  var quotedIsText: Bool {
    switch spelling {
    case .json, .propertyList: true
    case .delimited, .records, .fixed, .lines, .outline, .xml: false
    }
  }

  /// Whether the columns are known once the header has been read.
  var hasFixedColumns: Bool {
    switch spelling {
    case .delimited, .fixed, .lines: true
    case .records, .outline, .xml, .propertyList, .json: false
    }
  }
}
