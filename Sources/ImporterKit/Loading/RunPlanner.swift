import ByteStreams
import DataPackage
import Diagnostics
import EntityModel
import Glibc
import Predicates
import Records
import Reporting
import SQLiteStore
import TextFormat
import Validation

/// Finds out, before anything is written, what the inputs are and what their records become.
struct RunPlanner {
  let job: LoadJob
  private var sources: ModelSources
  var entities: [Entity] = []
  var inputs: [InputPlan] = []
  private var origin: RunReport.Model?
  /// The models of the inputs, for what their entities refer to.
  private(set) var models: [EntityModel] = []
  /// What flat files have shown of dotted columns, by the position of the entity that they become.
  var wayEvidence: [Int: WayEvidence] = [:]
  /// What `--encoding` says.
  private var encoding: ToldEncoding?
  /// What `--where` says.
  private let condition: Predicate?
  /// What is to be said of inputs before they are read.
  private var remarks: [Diagnostic] = []
  /// An input that others are written like.
  private var precedent: InputFormat.Precedent?
  /// The relationships whose rows at the other end records may list by their keys, by their entities.
  var childKeys: [String: Set<String>] = [:]
  /// The entities whose records have been looked for only within those of others.
  private var nestedNames: Set<String> = []
  /// Evidence for the types of entities that no model knows; a shape for each of `inferredEntities`.
  var inference: TypeInference
  /// Positions in `entities`.
  var inferredEntities: [Int] = []
  /// What inputs say themselves of such entities, by the position in `inferredEntities`.
  var declared: [Int: RecordDeclaration] = [:]
  var declarationRemarks: [ModelError] = []
  /// The shapes of formats that name their fields, of which `--columns` takes some.
  var shapesOfNamedFields: Set<Int> = []

  private init(_ job: LoadJob, under model: EntityModel?) throws {
    self.job = job
    inference = TypeInference(datePatterns: try job.model.generalDatePatterns)
    condition = try job.filter.map(PredicateParser.parse)
    let targets = job.model.mappings.map(\.attribute)
    if let twice = targets.first(where: { target in targets.count { $0 == target } > 1 }) {
      throw UsageFailure(
        "--map: two columns are to fill '\(excerpt(of: twice))'",
        remedy: "map one of them; the other would be lost"
      )
    }
    encoding = try job.reading.encoding.map(InputEncoding.told)
    sources =
      try model.map { ModelSources(fixed: $0, origin: job.database) }
      ?? ModelSources(
        job.model,
        database: job.database,
        lockWait: job.lockWait,
        besides: job.unfinished?.tables ?? []
      )
  }

  /// Plans a job.
  ///
  /// - Parameter model: The only model there is; nil finds that of each input.
  /// - Throws: `ReadError`, `ModelError`, `StoreError` or `UsageFailure`; nothing has been written.
  static func plan(
    _ job: LoadJob,
    under model: EntityModel? = nil,
    diagnostics: any DiagnosticSink
  ) throws -> RunPlan {
    var planner = try RunPlanner(job, under: model)
    for reference in try InputExpansion.expand(job.inputs) { try planner.add(reference) }
    for remark in planner.sources.remarks + planner.declarationRemarks { diagnostics.note(.remark(remark)) }
    for remark in planner.remarks { diagnostics.note(remark) }
    return try planner.finish()
  }

  private mutating func add(_ path: String) throws {
    let source = try sources.source(for: path, entity: job.model.entity)
    let content = try InputContent(path: path, encoding: told(of: source?.resource))
    if let contradiction = content.encoding.contradiction(of: path) { remarks.append(contradiction) }
    let options = job.reading.merging(source?.resource)
    if let source { models.append(source.model) }
    let kind = try InputFormat.kind(of: content, options: options)
    let target = try target(of: path, kind: kind, source: source)
    let format = try InputFormat(
      kind,
      of: content,
      options: options,
      knownNames: knownNames(of: target),
      entity: knownEntity(of: target),
      precedent: &precedent
    )
    var limits = job.model.readsFiles ? options.limits.forFiles : options.limits
    if let count = job.commitEvery { limits = limits.forBatches(of: count) }
    var plan = InputPlan(
      content: content,
      format: format,
      validation: ValidationPlan(entities: [], defaultEntity: nil),
      headerEntity: nil,
      limits: limits
    )
    plan.isReadEvenly = job.commitEvery != nil
    plan.validation.takeBinaryFormats(job.model, folder: FilePath.folder(of: content.path), limits: options.limits)
    plan.validation.mappings = Dictionary(
      job.model.mappings.map { ($0.source, $0.attribute) },
      uniquingKeysWith: { _, last in last }
    )
    if !format.hasFixedColumns { plan.validation.wantedColumns = job.reading.columns.map(Set.init) }
    plan.validation.nullTokens = options.nullTokens
    plan.validation.nullTokensByAttribute = job.reading.nullTokensByField(of: source?.resource)
    plan.validation.quotesProtect = format.quotesProtect
    plan.validation.usesDefaults = job.usesDefaults
    plan.validation.tellsAbsence = WriteMode(job.mode).updatesRows
    plan.validation.listSeparator = options.listSeparator.map { Array($0.utf8) }
    plan.validation.decimalMark = decimalMark(of: source?.resource)
    plan.validation.allowsASCIIOnly = content.encoding.encoding.isASCII
    plan.validation.now = Int64(time(nil))
    plan.listNames = listNames(of: target, in: source?.model)
    let sample = format.hasFixedColumns ? content.sample : nil
    content.forgetSample()
    let nestingModel = kind.namesItsRecords || kind.format.isJSON ? source?.model : nil
    if let nestingModel {
      plan.nesting = nestingModel.nesting(only: knownEntity(of: target)?.name)
      plan.validation.isNested = !plan.nesting.isFlat
      if case .outline(var layout) = format.spelling {
        layout.takeNames(of: nestingModel, root: knownEntity(of: target)?.name)
        plan.format.spelling = .outline(layout)
      }
    }
    let knownCount = entities.count
    switch target {
    case .entity(let entity):
      let index = register(entity)
      plan.validation.defaultEntity = index
      plan.headerEntity = index
    case .named(let model):
      for entity in model.entities where !entity.isAbstract { _ = register(entity) }
      // Records that name no kind are what their file is called.
      if kind.layout == .records, let entity = model.entity(ofFile: FilePath.subject(of: path)), !entity.isAbstract {
        plan.validation.namelessEntity = register(entity)
      }
      plan.validation.entities = model.entities
    case .inferred(let name, let known):
      plan.knownEntities = known?.entities.map(\.name) ?? []
      plan.validation.defaultEntity = try infer(&plan, name: name, known: known)
      if plan.validation.defaultEntity.map({ !inferredEntities.contains($0) }) ?? false {
        plan.headerEntity = plan.validation.defaultEntity
      }
    }
    if let nestingModel, plan.validation.isNested {
      let own = entities[knownCount...].map(\.name) + (plan.validation.defaultEntity.map { [entities[$0].name] } ?? [])
      for entity in nestingModel.nested(in: own) where !entities.contains(where: { $0.name == entity.name }) {
        nestedNames.insert(entity.name)
        entities.append(entity)
      }
    }
    if let model = source?.model {
      var holders = [plan.headerEntity, plan.validation.namelessEntity].compactMap { $0 }.map { entities[$0] }
      if case .named = target { holders = model.entities.filter { !$0.isAbstract } }
      if plan.validation.isNested { holders += model.nested(in: holders.map(\.name)) }
      noteChildKeys(of: holders, in: model, sample: sample, &plan)
    }
    if origin == nil {
      if case .inferred = target, plan.headerEntity == nil, !declared.isEmpty {
        origin = .declared
      } else if case .inferred = target, plan.headerEntity == nil {
        origin = .inferred
      } else {
        origin = source?.origin
      }
    }
    inputs.append(plan)
  }

  private func finish() throws -> RunPlan {
    var entities = entities
    for (shape, index) in inferredEntities.enumerated() {
      entities[index].attributes = attributes(ofInferredShape: shape)
      try refuseTwins(in: entities[index].attributes.map(\.name), of: entities[index].name, "fields")
      if let declaration = declared[shape] {
        entities[index].key = declaration.entity.key.map(mappedName)
        entities[index].documentation = declaration.entity.documentation
      }
    }
    try refuseTwins(in: inferredEntities.map { entities[$0].name }, of: nil, "kinds of records")
    try job.model.refine(&entities)
    try job.model.checkMappings(of: entities)
    let wayNames = splitWays(in: &entities)
    try declareLinks(in: &entities)
    if inferredEntities.contains(where: { !entities[$0].relationships.isEmpty }) {
      entities = EntityModel(entities: entities).withReferenceAttributes().entities
    }
    // What they refer to needs its tables, even if no input brings rows of it.
    let ownCount = entities.count
    let toldByLists = giveChildKeys(to: &entities)
    for model in models {
      for target in model.targets(of: entities.map(\.name))
      where !entities.contains(where: { $0.name == target.name }) { entities.append(target) }
    }
    let broughtNames = Set(self.entities.map(\.name))
    let outsiderNames = Set(entities[ownCount...].map(\.name)).union(wayNames.subtracting(broughtNames))
      .subtracting(nestedNames)
    let targetNames = outsiderNames.union(nestedNames)
    nameKeys(in: &entities)
    try addLinks(to: &entities, outsiders: outsiderNames)
    // A document without a single field makes no table; should it have records, they are rejected.
    let kept = entities.indices.filter { !entities[$0].attributes.isEmpty }
    for index in inputs.compactMap(\.entityWithoutHeader) { entities[index].sourceHasHeader = false }
    entities = kept.map { entities[$0] }
    try InputPlan.refuseIdleOptions(job.reading, of: inputs)
    // Another night's files may have lists.
    let mayHaveLists = (models.flatMap(\.entities) + entities).contains { entity in
      entity.hasLists || entity.relationships.contains(where: \.isToMany)
    }
    if job.reading.listSeparator != nil, !mayHaveLists {
      throw UsageFailure(
        "--list-separator has no meaning: no record has a to-many relationship",
        remedy: "leave it out, or name a model with such a relationship"
      )
    }
    var inputs = inputs
    let referred = Set(entities.flatMap { entity in entity.relationships.filter(entity.isGiven).map(\.target) })
    let nesting = EntityModel(entities: entities).nesting(only: nil)
    let holders = Set(entities.indices.filter { !nesting.nodes[$0].isEmpty })
    let ranks = nesting.ranks
    for index in inputs.indices {
      inputs[index].validation.entities = entities
      for (position, entity) in entities.enumerated() {
        guard let told = toldByLists[entity.name] else { continue }
        inputs[index].validation.toldByLists[position] = Set(
          entity.attributes.indices.filter { told.contains(entity.attributes[$0].name) }
        )
      }
      inputs[index].validation.ranks = ranks
      if inputs[index].validation.isNested { inputs[index].validation.holders = holders }
      inputs[index].validation.referredEntities = Set(
        // A row whose record is rejected is one that the files still have.
        entities.indices.filter { job.mode == .sync || referred.contains(entities[$0].name) }
      )
      inputs[index].validation.defaultEntity = inputs[index].validation.defaultEntity.flatMap(kept.firstIndex)
      inputs[index].validation.namelessEntity = inputs[index].validation.namelessEntity.flatMap(kept.firstIndex)
      inputs[index].headerEntity = inputs[index].headerEntity.flatMap(kept.firstIndex)
      inputs[index].nameColumnsWithoutHeader()
    }
    let targets = Set(entities.indices.filter { targetNames.contains(entities[$0].name) })
    var plan = RunPlan(
      inputs: inputs,
      entities: entities,
      targets: targets,
      outsiders: Set(entities.indices.filter { outsiderNames.contains(entities[$0].name) }),
      filter: try condition.map {
        try RecordFilter(
          $0,
          entities: entities,
          targets: targets,
          told: job.model.entity,
          areManyInputs: inputs.count > 1
        )
      },
      modelOrigin: origin ?? .inferred
    )
    if let entity = plan.filter?.entity, let defaults = try plan.defaults() {
      plan.filter?.defaults = defaults[entity]
    }
    return plan
  }

  /// The encoding that was told of an input, by the user or by a data package.
  private func told(of resource: DataPackageFile.Resource?) throws -> InputEncoding.Told? {
    if let encoding { return InputEncoding.Told(encoding: encoding, isByUser: true) }
    guard let name = resource?.encoding else { return nil }
    return InputEncoding.Told(encoding: try InputEncoding.told(name, of: resource), isByUser: false)
  }

  /// The position of an entity among the run's; two inputs of one name share it.
  mutating func register(_ entity: Entity) -> Int {
    if let index = entities.firstIndex(where: { $0.name == entity.name }) { return index }
    entities.append(entity)
    return entities.count - 1
  }

  private func decimalMark(of resource: DataPackageFile.Resource?) -> UInt8 {
    let told = job.model.decimalMark.asciiValue ?? UInt8(ascii: ".")
    guard told == UInt8(ascii: "."), let mark = resource?.decimalMark?.utf8.first else { return told }
    return mark
  }
}

extension Diagnostic {
  /// A rule or setting of a data package that is not honoured.
  static func remark(_ remark: ModelError) -> Diagnostic {
    Diagnostic(
      severity: .warning,
      code: .modelRemark,
      location: SourceLocation(file: remark.source, line: remark.line ?? 1),
      message: remark.message,
      remedy: remark.remedy ?? "see the documentation of models"
    )
  }
}
