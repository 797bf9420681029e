import CXML
import Records

/// The record whose end has not been seen yet.
///
/// Its slices are of the batch's text while a chunk is worked on; between two chunks its text is kept in `text`.
struct OpenRecord: ~Copyable, Sendable {
  /// A plain value at hand: a child element whose end has not been seen.
  struct Leaf: Sendable {
    var name: UInt32 = 0
    /// Where its text begins in the batch's text, and how long it is.
    var text = 0
    var byteCount = 0
    /// Where its start tag and its value stand in the input.
    var offset: Int64 = 0
    var value: Int64 = 0
    var isBase64 = false
    var isNil = false
    /// Whether it is no plain value, which has been noted.
    var isNested = false
  }

  var isOpen = false
  /// The kind, or -1 while it is unclear whether this is a record at all.
  var kind = -1
  var name: UInt32 = 0
  var ordinal: Int64 = 0
  var line = 0
  var column = 0
  var offset: Int64 = 0
  var tagByteCount = 0
  /// 0 in the record itself, 1 in a child, more below that.
  var depth = 0
  var leaf = Leaf()
  var fields: [Field] = []
  var rewrites: [(text: UInt32, original: Int64)] = []
  var repeats: [(column: Int, field: Field)] = []
  var faults: [PendingFault] = []
  /// The column that the next field will probably have.
  var nextColumn = 0
  var hasChildren = false
  /// The record's own text, and whether it is more than white space.
  var ownText = 0
  var ownByteCount = 0
  var hasOwnText = false
  /// Whether the record has passed the limit, so that its bytes are not kept.
  var isOversized = false
  /// Where its text begins in the batch's text.
  var textStart = 0
  /// Its text between two chunks.
  var text = TextBuffer()

  /// Begins a record; keeps the storage.
  mutating func begin(_ event: CXMLEvent, textStart: Int) {
    isOpen = true
    kind = -1
    name = event.name
    offset = Int64(event.offset)
    tagByteCount = Int(event.tag_count)
    depth = 0
    fields.removeAll(keepingCapacity: true)
    rewrites.removeAll(keepingCapacity: true)
    if !repeats.isEmpty { repeats.removeAll() }
    if !faults.isEmpty { faults.removeAll() }
    nextColumn = 0
    hasChildren = false
    ownByteCount = 0
    hasOwnText = false
    isOversized = false
    self.textStart = textStart
  }

  /// Takes the text so far out of a batch, before that is handed on.
  mutating func keepText(of batch: borrowing RecordBatch) {
    text.truncate(to: 0)
    if !isOversized { text.append(batch.text.bytes.extracting(textStart...)) }
    shift(by: -textStart)
  }

  /// Puts the text kept into the next batch.
  mutating func restoreText(in batch: inout RecordBatch) {
    shift(by: batch.text.count)
    batch.text.append(text.bytes)
    text.truncate(to: 0)
  }

  private mutating func shift(by distance: Int) {
    guard distance != 0 else { return }
    for index in fields.indices where !fields[index].isAbsent { fields[index] = fields[index].shifted(by: distance) }
    for index in repeats.indices { repeats[index].field = repeats[index].field.shifted(by: distance) }
    for index in rewrites.indices {
      rewrites[index].text = UInt32(truncatingIfNeeded: Int(rewrites[index].text) + distance)
    }
    leaf.text += distance
    ownText += distance
    textStart += distance
  }
}

extension Field {
  /// The same field in a text that begins elsewhere.
  fileprivate func shifted(by distance: Int) -> Field {
    let start = Int(text.offset) + distance
    return Field(TextSlice(start..<start + count), isQuoted: isQuoted, isBase64: isBase64)
  }
}
