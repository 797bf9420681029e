import CXML
import Diagnostics
import Records

/// What stands around the records: the elements that enclose them, and what is passed over beside them.
struct Surroundings: Sendable {
  /// An element that is open and encloses records, or might.
  struct Ancestor: Sendable {
    var name: UInt32
    /// Its start tag, byte for byte.
    var tag: DocumentFraming.Tag
    var line: Int
    var hasElements = false
    var hasContent = false
    /// Whether it has attributes, which no record has.
    var hasAttributes = false
    /// Whether it stands on the path whose children are the records.
    var isOnPath: Bool
  }

  /// How many different remarks on elements that are not read are made.
  private static let noteLimit = 8

  let file: String
  var rule = RecordRule.nothing
  private(set) var ancestors: [Ancestor] = []
  /// The tags around the last record.
  private(set) var framingTags: [DocumentFraming.Tag]?
  /// Whether elements around records began or ended since.
  private var hasMoved = true
  var notes: [Diagnostic] = []
  private var notedNames: Set<UInt32> = []
  private var notedThings: Set<String> = []
  private var hasNotedText = false
  /// By a name's number: 0 unknown, 1 names records, 2 does not.
  private var verdicts: [UInt8] = []

  init(file: String) { self.file = file }

  /// Moves the remarks so far into a batch.
  mutating func moveNotes(to batch: inout RecordBatch) {
    guard !notes.isEmpty else { return }
    batch.notes += notes
    notes.removeAll()
  }

  /// Whether an element that begins outside of any record is one.
  mutating func isRecord(_ name: UInt32, of parser: borrowing EventParser) -> Bool {
    switch rule {
    case .children(let path, _):
      return ancestors.count == path.count && (ancestors.last?.isOnPath ?? false)
    case .root: return ancestors.isEmpty
    case .nothing, .propertyList: return false
    case .named(let names):
      guard !ancestors.isEmpty else { return false }
      return verdict(on: name) { names.contains(lowercasedASCII(parser.decodedName(name))) }
    case .vocabulary(let vocabulary):
      return verdict(on: name) { vocabulary.records.contains(parser.name(name)) }
    case .told(let path):
      // Only the name decides most of the time; the ancestors are looked at where that fits.
      let ancestors = ancestors
      let isNamed = verdict(on: name) { path.endsWith(parser.pathName(name)) }
      return isNamed && path.matches(parser.pathName(name), below: ancestors.map { parser.pathName($0.name) })
    }
  }

  private mutating func verdict(on name: UInt32, _ decide: () -> Bool) -> Bool {
    while verdicts.count <= Int(name) { verdicts.append(0) }
    if verdicts[Int(name)] == 0 { verdicts[Int(name)] = decide() ? 1 : 2 }
    return verdicts[Int(name)] == 1
  }

  /// Whether an element of that name, where a record may stand, is one even without attributes and children.
  func isCertainly(_ name: UInt32, of parser: borrowing EventParser) -> Bool {
    if case .children(_, let kinds) = rule { kinds.contains(parser.name(name)) } else { true }
  }

  /// Notes that a record begins; its ancestors are the ones that a file of rejects gets.
  mutating func noteRecord() {
    if let last = ancestors.indices.last { ancestors[last].hasElements = true }
  }

  /// The tags around what comes next.
  var tags: [DocumentFraming.Tag] { ancestors.map(\.tag) }

  /// Keeps the tags around the record at hand; true if they are others than those around the one before.
  mutating func keepFraming() -> Bool {
    guard hasMoved else { return false }
    hasMoved = false
    let tags = tags
    guard tags != framingTags else { return false }
    framingTags = tags
    return true
  }

  mutating func enter(
    _ event: CXMLEvent,
    hasAttributes: Bool,
    line: Int,
    of parser: borrowing EventParser,
    in batch: borrowing RecordBatch
  ) {
    let isOnPath: Bool =
      if case .children(let path, _) = rule, ancestors.count < path.count {
        (ancestors.last?.isOnPath ?? true) && path[ancestors.count] == parser.name(event.name)
      } else { false }
    noteRecord()
    enter(event, lead: [], line: line, in: batch)
    ancestors[ancestors.count - 1].isOnPath = isOnPath
    ancestors[ancestors.count - 1].hasContent = hasAttributes && ancestors.count > 1
    ancestors[ancestors.count - 1].hasAttributes = hasAttributes
  }

  /// Opens an element; what stands before it in a file of rejects are the bytes of `lead`.
  mutating func enter(_ event: CXMLEvent, lead: [UInt8], line: Int, in batch: borrowing RecordBatch) {
    let start = Int(Int64(event.offset) - batch.byteOffset)
    hasMoved = true
    var tag = DocumentFraming.Tag(lead: lead, tag: [])
    let bytes = batch.text.bytes
    tag.tag.reserveCapacity(Int(event.tag_count))
    for index in start..<start + Int(event.tag_count) { tag.tag.append(bytes[index]) }
    ancestors.append(Ancestor(name: event.name, tag: tag, line: line, isOnPath: false))
  }

  /// Closes an element of which nothing is to be said.
  mutating func leaveSilently() {
    hasMoved = true
    _ = ancestors.popLast()
  }

  mutating func leave(of parser: borrowing EventParser) {
    hasMoved = true
    guard let ancestor = ancestors.popLast() else { return }
    if ancestor.hasElements, ancestor.hasAttributes {
      let name = parser.pathName(ancestor.name).qualified
      noteUnread("what the tag <\(excerpt(of: name))> holds", line: ancestor.line)
    } else if !ancestor.hasElements, ancestor.hasContent {
      noteUnread(ancestor.name, line: ancestor.line, of: parser)
    }
  }

  /// Passes over an element without attributes and children; `textOnLine` is nil if it holds nothing.
  mutating func passOver(_ name: UInt32, textOnLine line: Int?, of parser: borrowing EventParser) {
    noteRecord()
    if let line { noteUnread(name, line: line, of: parser) }
  }

  mutating func takeText(of parser: borrowing EventParser) {
    guard let last = ancestors.indices.last else { return }
    ancestors[last].hasContent = true
    if case .told = rule { return }
    guard ancestors[last].hasElements, !hasNotedText else { return }
    hasNotedText = true
    notes.append(
      .notRead("text in <\(excerpt(of: parser.name(ancestors[last].name)))>", file: file, line: ancestors[last].line)
    )
  }

  /// Says once for each thing that it is passed over.
  mutating func noteUnread(_ what: String, line: Int) {
    guard notedThings.count < Self.noteLimit, notedThings.insert(what).inserted else { return }
    notes.append(.notRead(what, file: file, line: line))
  }

  /// Says once for each name that elements of that name are passed over.
  mutating func noteUnread(_ name: UInt32, line: Int, of parser: borrowing EventParser) {
    if case .told = rule { return }
    guard notedNames.count < Self.noteLimit, notedNames.insert(name).inserted else { return }
    notes.append(.notRead("the element <\(excerpt(of: parser.pathName(name).qualified))>", file: file, line: line))
  }
}
