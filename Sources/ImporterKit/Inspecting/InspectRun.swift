import ByteStreams
import DataPackage
import Diagnostics
import EntityModel
import Profiling
import Records
import Reporting
import Synchronization
import Validation

/// The inspection of one input under way.
struct InspectRun {
  private let job: InspectJob
  private let diagnostics: any DiagnosticSink
  private let cancellation: Cancellation
  private var input: InspectedInput

  private static let mostFirstFaults = 10

  init(_ job: InspectJob, path: String, diagnostics: any DiagnosticSink, cancellation: Cancellation) {
    self.job = job
    self.diagnostics = diagnostics
    self.cancellation = cancellation
    input = InspectedInput(path: path)
  }

  /// Reads the input to its end, or as far as it can be read.
  ///
  /// - Throws: What is not the input's own fault: a wrong data package, an interruption.
  mutating func run(_ sources: inout ModelSources) throws -> InspectedInput {
    do {
      let resource = try sources.source(for: input.path, entity: nil)?.resource
      let content = try InputContent(path: input.path, encoding: told(of: resource))
      input.byteCount = content.byteCount
      input.isCompressed = content.isCompressed
      if let contradiction = content.encoding.contradiction(of: input.path) { diagnostics.note(contradiction) }
      try read(content, resource)
    } catch let error as ReadError {
      if case .refused(let faults) = error {
        for fault in faults { take(fault) }
      }
      input.failure = .init(message: error.description, remedy: error.remedy, exitStatus: error.kind.exitStatus)
    } catch let error as UsageFailure {
      input.failure = .init(message: error.description, remedy: error.remedy, exitStatus: error.kind.exitStatus)
    }
    return input
  }

  /// The encoding that was told of the input, by the user or by a data package.
  private func told(of resource: DataPackageFile.Resource?) throws -> InputEncoding.Told? {
    if let name = job.reading.encoding { return .init(encoding: try InputEncoding.told(name), isByUser: true) }
    guard let name = resource?.encoding else { return nil }
    return .init(encoding: try InputEncoding.told(name, of: resource), isByUser: false)
  }

  private mutating func read(_ content: InputContent, _ resource: DataPackageFile.Resource?) throws {
    let options = job.reading.merging(resource)
    input.told = options.toldSettings(byUser: job.reading)
    if job.reading.encoding == nil, let name = resource?.encoding {
      input.told.append(.init(name: "encoding", value: name, origin: ModelSources.descriptorName))
    }
    let kind = try InputFormat.kind(of: content, options: options)
    var knownNames: [String] = []
    if let resource, resource.hasSchema {
      knownNames = resource.entity.attributes.flatMap { [$0.name] + $0.sourceNames }
    }
    // What is found here is in this input, whatever others show.
    var precedent: InputFormat.Precedent?
    var format = try InputFormat(
      kind,
      of: content,
      options: options,
      knownNames: knownNames,
      entity: resource.flatMap { $0.hasSchema ? $0.entity : nil },
      precedent: &precedent
    )
    if let resource, resource.hasSchema, case .delimited(var dialect) = format.spelling, dialect.header == .none,
      dialect.columns == nil
    {
      // Without a header, cells are the attributes in their order, as they are to a load.
      dialect.columns = resource.entity.attributes.map(\.name)
      format.spelling = .delimited(dialect)
    }
    describe(format, content)
    var validation = ValidationPlan(entities: resource.map { [$0.entity] } ?? [], defaultEntity: nil)
    validation.nullTokens = options.nullTokens
    validation.nullTokensByAttribute = job.reading.nullTokensByField(of: resource)
    validation.quotesProtect = format.quotesProtect
    validation.allowsASCIIOnly = content.encoding.encoding.isASCII
    if let mark = resource?.decimalMark?.utf8.first { validation.decimalMark = mark }
    var found = InputPlan(
      content: content,
      format: format,
      validation: validation,
      headerEntity: nil,
      limits: options.limits
    )
    try found.findNesting(columns: options.columns, cancellation: cancellation)
    let plan = found
    if job.inputs.count == 1 { try InputPlan.refuseIdleOptions(job.reading, of: [plan]) }
    var profile = RecordProfile(nullTokens: options.nullTokens, quotesProtect: format.quotesProtect)
    let inference = TypeInference(
      nullTokens: options.nullTokens,
      quotesProtect: format.quotesProtect,
      quotedIsText: format.quotedIsText,
      base64IsBinary: format.format == .plist,
      datePatterns: try job.datePatterns(for: nil),
      columnPatterns: try job.columnPatterns,
      keepsEvidence: true
    )
    // Reading and inferring on one thread, counting on this one.
    let ring = BatchRing(count: 2)
    let findings = ReadingFindings(inference, RecordChecks(resource?.hasSchema == true ? resource?.entity : nil, plan))
    ring.startReading { try findings.read(plan, into: $0) }
    var failure: (any Error)?
    do {
      let cancellation = cancellation
      var position = 0
      while try ring.take(
        position,
        checkCancellation: { try cancellation.check() },
        { parcel in
          profile.observe(parcel.batch)
          for note in parcel.batch.notes { diagnostics.note(note) }
          for rejection in parcel.rows.rejections {
            input.faultyCount += 1
            for fault in rejection.diagnostics { take(fault) }
          }
        }
      ) {
        position += 1
      }
    } catch {
      ring.stop(isPatient: !(error is Interruption))
      if error is Interruption { throw error }
      failure = error
    }
    let (types, shapes) = findings.outcome
    conclude(profile, types, shapes, modelName: resource?.entity.name, options: options)
    if let failure { throw failure }
    if input.recordCount == 0, let failure = plan.recordPathFailure { throw failure }
  }

  /// Says what the input is, and why.
  private mutating func describe(_ format: InputFormat, _ content: InputContent) {
    input.format = format.format
    input.formatName = format.name
    input.evidence = format.traits
    input.encoding = content.encoding.name
    input.encodingReason = content.encoding.reason
    let sample = content.sample
    input.hasByteOrderMark =
      sample.starts(with: [0xEF, 0xBB, 0xBF]) || sample.starts(with: [0xFF, 0xFE]) || sample.starts(with: [0xFE, 0xFF])
    if case .delimited(let dialect) = format.spelling { input.dialect = dialect }
    if let reason = format.reason {
      input.formatReason = reason
    } else if let told = input.told.first(where: { ["format", "layout", "widths"].contains($0.name) }) {
      input.formatReason = told.origin == "option" ? "told by --\(told.name)" : "told by \(told.origin)"
    } else if ["csv", "tsv", "tab", "json", "ndjson", "jsonl"].contains(content.nameExtension), format.format != .text {
      input.formatReason = "its name ends with .\(content.nameExtension)"
    } else {
      input.formatReason = "it is neither XML nor JSON, and not all 'Key: value'"
    }
  }

  private mutating func take(_ fault: Diagnostic) {
    diagnostics.note(fault)
    input.faultCounts[fault.code, default: 0] += 1
    if input.firstFaults.count < Self.mostFirstFaults { input.firstFaults.append(fault) }
  }

  /// Joins what the columns hold with the types that their values have.
  private mutating func conclude(
    _ profile: RecordProfile,
    _ inference: TypeInference,
    _ shapes: [RecordShape],
    modelName: String?,
    options: ReadingOptions
  ) {
    input.recordCount = profile.recordCount
    if input.format != .xml, input.format != .plist {
      let ends = profile.lineEnds
      input.lineEnds = .init(lf: ends.lf, crlf: ends.crlf, cr: ends.cr, none: ends.none)
    }
    let stem = FilePath.subject(of: input.path)
    for (kind, shape) in profile.profiles(shapes).enumerated() {
      let attributes = inference.attributes(ofShape: kind)
      let evidence = inference.evidence(ofShape: kind)
      var columns = shape.columns.indices.map { column in
        InspectedColumn(
          shape.columns[column],
          position: column + 1,
          type: attributes[column].type,
          evidence: evidence[column]
        )
      }
      if input.dialect == nil, let names = options.columns {
        columns = names.compactMap { name in columns.first { $0.name == name } }
      }
      input.entities.append(
        InspectedEntity(
          name: modelName ?? (shape.name.isEmpty ? stem : shape.name),
          recordCount: shape.recordCount,
          columns: columns,
          passedOverColumnCount: shape.passedOverCount
        )
      )
    }
  }
}

/// What the reading side of an inspection finds out; taken when that side has ended.
private final class ReadingFindings: Sendable {
  private let findings: Mutex<(inference: TypeInference, shapes: [RecordShape])>
  private let checks: RecordChecks

  init(_ inference: TypeInference, _ checks: RecordChecks) {
    findings = Mutex((inference, []))
    self.checks = checks
  }

  /// Reads an input to its end, batch by batch.
  func read(_ plan: InputPlan, into ring: BatchRing) throws {
    var inference = findings.withLock { $0.inference }
    var reader = try plan.makeReader()
    defer {
      inference.complete(reader.shapes)
      let shapes = reader.shapes
      findings.withLock { $0 = (inference, shapes) }
    }
    try reader.open()
    var shapes = reader.shapes
    var validator = try checks.validator(of: shapes)
    var hasMore = true
    while hasMore {
      let isWanted = try ring.fill { parcel in
        hasMore = try reader.fill(&parcel.batch)
        inference.observe(parcel.batch)
        if parcel.batch.shapes != shapes {
          shapes = parcel.batch.shapes
          validator = try checks.validator(of: shapes)
        }
        validator.validate(&parcel.batch, into: &parcel.rows)
      }
      guard isWanted else { return }
    }
  }

  /// The types and the kinds of records.
  var outcome: (TypeInference, [RecordShape]) { findings.withLock { ($0.inference, $0.shapes) } }
}

/// What would reject a record whatever the types of its columns; with a data package, what its schema would reject, too.
private struct RecordChecks: Sendable {
  private let entity: Entity?
  private var plan: ValidationPlan

  init(_ entity: Entity?, _ input: InputPlan) {
    self.entity = entity
    plan = input.validation
  }

  /// A validator of records of these shapes.
  func validator(of shapes: [RecordShape]) throws(ModelError) -> RecordValidator {
    var plan = plan
    if let entity {
      plan.entities = [entity]
    } else {
      plan.entities = shapes.map { shape in
        Entity(name: shape.name, attributes: shape.columns.map { Attribute(name: $0) })
      }
    }
    plan.defaultEntity = entity == nil ? shapes.firstIndex { $0.name.isEmpty } : 0
    return try RecordValidator.compiling(plan)
  }
}

extension InspectJob {
  /// The patterns that were told for a column or, with nil, for all.
  fileprivate func datePatterns(for column: String?) throws(UsageFailure) -> [DatePattern] {
    var patterns: [DatePattern] = []
    for format in dateFormats where format.column == column { patterns.append(try format.compiled()) }
    return patterns
  }

  fileprivate var columnPatterns: [String: [DatePattern]] {
    get throws(UsageFailure) {
      var patterns: [String: [DatePattern]] = [:]
      for column in Set(dateFormats.compactMap(\.column)) { patterns[column] = try datePatterns(for: column) }
      return patterns
    }
  }
}
