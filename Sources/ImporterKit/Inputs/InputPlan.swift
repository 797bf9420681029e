import ByteStreams
import CSVFormat
import Diagnostics
import EntityModel
import JSONFormat
import Records
import TextFormat
import Validation
import XMLFormat

/// Everything that is needed to read and validate one input.
struct InputPlan: Sendable {
  let content: InputContent
  var format: InputFormat
  /// What records are checked against; its entities are the run's.
  var validation: ValidationPlan
  /// The entity that a header must serve; nil where records say themselves what they are.
  var headerEntity: Int?
  /// The entities that the target database has, whose names its records may have; empty where a model says it all.
  var knownEntities: [String] = []
  /// Which parts of its records are records.
  var nesting = RecordNesting()
  /// The names of fields that may hold several values, in lower case.
  var listNames: Set<String> = []
  /// Whether it is to be found out which parts of its records are records.
  var discoversNesting = false
  let limits: ReadLimits
  /// Whether batches end at the same records each time.
  var isReadEvenly = false

  /// Reads a document to its end for elements that are records of their own, if nothing else tells its columns.
  mutating func findNesting(columns: [String]?, cancellation: Cancellation) throws {
    guard format.format == .xml || format.format.isJSON, columns == nil else { return }
    try content.makeRereadable()
    discoversNesting = true
    var reader = try makeReader()
    try reader.open()
    var batch = RecordBatch(file: content.path, capacity: limits.chunkByteCount)
    while try reader.fill(&batch) { try cancellation.check() }
    discoversNesting = false
    nesting = reader.foundNesting
  }

  /// A reader at the beginning of the input.
  ///
  /// - Parameter isDigested: Whether the input's SHA-256 is taken on the way.
  func makeReader(isDigested: Bool = false) throws(ReadError) -> any RecordReader & ~Copyable {
    var source = try content.open(isDigested: isDigested)
    if isReadEvenly { source = EvenByteSource(source) }
    let encoding = content.encoding.encoding
    guard !encoding.isRead else { return makeReader(of: source) }
    let trail = encoding.makeTrail()
    let text = TranscodingByteSource(source, encoding: encoding, trail: trail)
    return TranscodedReader(makeReader(of: text), trail: trail)
  }

  /// A reader of UTF-8, or of a document that says itself what it is in.
  private func makeReader(
    of source: consuming any ByteSource & ~Copyable
  ) -> any RecordReader & ~Copyable {
    switch format.spelling {
    case .delimited(let dialect):
      return CSVReader(source, file: content.path, dialect: dialect, frame: format.rejectFrame, limits: limits)
    case .fixed(let layout), .lines(let layout):
      return FixedWidthReader(source, file: content.path, layout: layout, limits: limits)
    case .outline(let layout): return OutlineReader(source, file: content.path, layout: layout, limits: limits)
    case .records: return TextRecordsReader(source, file: content.path, limits: limits)
    case .xml(let recordPath):
      let names = knownEntities.isEmpty ? validation.entities.map(\.name) : knownEntities
      return XMLReader(
        source,
        file: content.path,
        recordPath: recordPath,
        knownNames: names,
        nesting: nesting,
        lists: listNames,
        discoversNesting: discoversNesting,
        isDecoded: content.encoding.isTold,
        limits: limits
      )
    case .propertyList(let recordPath):
      return XMLReader(
        source,
        file: content.path,
        recordPath: recordPath,
        isPropertyList: true,
        isDecoded: content.encoding.isTold,
        limits: limits
      )
    case .json(let format, let recordPath):
      return JSONRecordReader(
        source,
        file: content.path,
        format: format,
        recordPath: recordPath,
        lists: listNames,
        nesting: nesting,
        discoversNesting: discoversNesting,
        limits: limits
      )
    }
  }

  /// Refuses a header that lacks a column for a required attribute without default, or that serves no attribute at all.
  ///
  /// - Throws: `ReadError.refused` with a `missing-label` for each.
  func checkHeader(_ shapes: [RecordShape]) throws(ReadError) {
    if validation.allowsASCIIOnly,
      let name = shapes.lazy.flatMap(\.columns).first(where: { !$0.utf8.allSatisfy { $0 < 0x80 } })
    {
      throw .refused([nameIsNotASCII(name)])
    }
    guard format.hasHeader, let headerEntity, let shape = shapes.first else { return }
    let entity = validation.entities[headerEntity]
    let columns = validation.columns(of: entity, among: shape.columns)
    guard columns.contains(where: { !$0.isEmpty }) else { throw .refused([noColumnMatches(shape.columns, entity)]) }
    let told = entity.attributesToldByLinks(among: columns)
    let toldByLists = (validation.toldByLists[headerEntity] ?? []).map { entity.attributes[$0].name }
    let missing = zip(entity.attributes, columns).filter { attribute, columns in
      !told.contains(attribute.name) && !toldByLists.contains(attribute.name) && columns.isEmpty && attribute.isRequired
        && !(validation.usesDefaults && attribute.defaultValue != nil)
        // A row that is there keeps what it has.
        && (!validation.tellsAbsence || entity.key.contains(attribute.name))
    }
    guard !missing.isEmpty else { return }
    throw .refused(
      missing.map { attribute, _ in
        Diagnostic(
          code: .missingLabel,
          location: SourceLocation(file: content.path),
          entity: entity.name,
          field: attribute.name,
          expected: attribute.name,
          message: "the header has no column for the required attribute '\(excerpt(of: attribute.name))'",
          remedy:
            "add the column, name the one that is meant with --map, or tell --header none if the first line is data"
        )
      }
    )
  }

  private func nameIsNotASCII(_ name: String) -> Diagnostic {
    Diagnostic(
      code: .encodingError,
      location: SourceLocation(file: content.path),
      value: excerpt(of: name),
      expected: "ASCII",
      message: "the column name '\(excerpt(of: name))' is not valid ASCII",
      remedy: "this is valid UTF-8: leave --encoding out"
    )
  }

  private func noColumnMatches(_ columns: [String], _ entity: Entity) -> Diagnostic {
    func list(_ names: [String]) -> String {
      names.prefix(6).map { "'\(excerpt(of: $0, limit: 40))'" }.joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    }
    let attributes = list(entity.attributes.map(\.name))
    return Diagnostic(
      code: .missingLabel,
      location: SourceLocation(file: content.path),
      entity: entity.name,
      expected: attributes,
      message: "no column of the header is an attribute of '\(excerpt(of: entity.name))': found \(list(columns)), "
        + "expected \(attributes)",
      remedy: "correct the header, name columns with --map, or tell --header none if the first line is data"
    )
  }
}
