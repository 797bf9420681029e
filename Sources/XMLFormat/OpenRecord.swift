import CXML
import Records

/// The record whose end has not been seen yet.
///
/// Its slices are of the batch's text while a chunk is worked on; between two chunks the assembler keeps its text.
struct OpenRecord: Sendable {
  /// A child element whose end has not been seen, or an element within one.
  struct Element: Sendable {
    /// The way to it from the record.
    var path: UInt32
    var name: UInt32
    /// Where its start tag and what follows that stand in the input.
    var offset: Int64
    var value: Int64
    /// How many of the record's pieces of text and of its inner fields are from before it.
    var firstPiece: Int
    var firstInner: Int
    var isBase64 = false
    var isNil = false
    var hasAttributes = false
    var hasElements = false
    /// Whether it has text of its own that is more than white space.
    var hasText = false
    /// Whether an element within it has attributes.
    var hasInnerAttributes = false
    /// Its number among the elements, where nesting is looked for.
    var instance: UInt32 = 0
    /// The item of a list that it is, or stands in.
    var item: Item?
  }

  /// An item of a list: an element that stands several times.
  struct Item: Sendable {
    /// The way to elements of the kind.
    var list: UInt32
    /// How many stand before it in the record.
    var index: Int
  }

  /// A value within the child element at hand.
  struct InnerField: Sendable {
    var path: UInt32
    var field: Field
    var original: Int64
    /// The item of a list that it belongs to.
    var item: Item?
  }

  /// How many items each list has so far, and how many values each of their parts, with the list.
  var itemCounts: [UInt32: Int] = [:]
  var memberCounts: [UInt32: (list: UInt32, count: Int)] = [:]

  var isOpen = false
  /// The kind, or -1 while it is unclear whether this is a record at all.
  var kind = -1
  var name: UInt32 = 0
  /// Its number in the document, once it is certain that it has one; 0 before.
  var ordinal: Int64 = 0
  /// Where it stands in the nesting; -1 where it holds no records, or is not known to.
  var node = -1
  /// The place among the records within the outermost one; -1 for that one itself.
  var slot = -1
  /// The records in the wrapper that is open, by the names of their elements; nil outside of one.
  var wrapped: [String: Int]?
  /// The name of that wrapper.
  var wrapper: UInt32 = 0
  /// Its number among the elements, where nesting is looked for.
  var instance: UInt32 = 0
  /// A tag that is a wrapper or a record, as what comes next will show.
  var undecided: CXMLEvent?
  var line = 0
  var column = 0
  var offset: Int64 = 0
  var tagByteCount = 0
  /// The child at hand, and the elements open within it.
  var elements: [Element] = []
  /// Fields of the child at hand; they count once its end has shown that it is no text with markup.
  var inner: [InnerField] = []
  /// The text of the child at hand, in the order of the input.
  var pieces: [TextSlice] = []
  var fields: [Field] = []
  var rewrites: [(text: UInt32, original: Int64)] = []
  var repeats: [(column: Int, field: Field)] = []
  var faults: [PendingFault] = []
  /// The attribute that says that the record's own text is base64; a field like others if there is no such text.
  var base64Mark: InnerField?
  /// The column that the next field will probably have.
  var nextColumn = 0
  var hasChildren = false
  /// The record's own text: the first run between two tags that is more than white space.
  var ownText = 0
  var ownByteCount = 0
  var ownRunCount = 0
  /// The run at hand.
  var run = 0
  var runByteCount = 0
  var runIsBlank = true
  var isInRun = false
  /// Where its text begins in the batch's text.
  var textStart = 0

  /// Begins a record; keeps the storage.
  mutating func begin(offset: Int64, name: UInt32, tagByteCount: Int, textStart: Int) {
    isOpen = true
    kind = -1
    ordinal = 0
    node = -1
    slot = -1
    wrapped = nil
    undecided = nil
    base64Mark = nil
    self.name = name
    self.offset = offset
    self.tagByteCount = tagByteCount
    fields.removeAll(keepingCapacity: true)
    rewrites.removeAll(keepingCapacity: true)
    if !elements.isEmpty { elements.removeAll() }
    if !inner.isEmpty { inner.removeAll() }
    if !pieces.isEmpty { pieces.removeAll() }
    if !repeats.isEmpty { repeats.removeAll() }
    if !faults.isEmpty { faults.removeAll() }
    if !itemCounts.isEmpty { itemCounts.removeAll() }
    if !memberCounts.isEmpty { memberCounts.removeAll() }
    nextColumn = 0
    hasChildren = false
    ownByteCount = 0
    ownRunCount = 0
    isInRun = false
    self.textStart = textStart
  }

  /// Takes characters of the record's own.
  mutating func takeOwnText(_ start: Int, _ byteCount: Int, isBlank: Bool) {
    if !isInRun {
      isInRun = true
      run = start
      runByteCount = 0
      runIsBlank = true
    }
    runByteCount += byteCount
    if !isBlank, runIsBlank {
      runIsBlank = false
      ownRunCount += 1
    }
    if !runIsBlank, ownRunCount == 1 {
      ownText = run
      ownByteCount = runByteCount
    }
  }

  /// Follows its text to another place.
  mutating func shift(by distance: Int) {
    for index in fields.indices where !fields[index].isAbsent { fields[index] = fields[index].shifted(by: distance) }
    for index in repeats.indices { repeats[index].field = repeats[index].field.shifted(by: distance) }
    for index in inner.indices { inner[index].field = inner[index].field.shifted(by: distance) }
    for index in pieces.indices { pieces[index].offset = moved(pieces[index].offset, by: distance) }
    for index in rewrites.indices { rewrites[index].text = moved(rewrites[index].text, by: distance) }
    if let mark = base64Mark { base64Mark?.field = mark.field.shifted(by: distance) }
    run += distance
    ownText += distance
    textStart += distance
  }

  private func moved(_ offset: UInt32, by distance: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: Int(offset) + distance)
  }
}

extension Field {
  /// The same field in a text that begins elsewhere.
  func shifted(by distance: Int) -> Field {
    let start = Int(text.offset) + distance
    return Field(TextSlice(start..<start + count), isQuoted: isQuoted, isBase64: isBase64)
  }
}
