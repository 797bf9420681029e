import CXML
import Records

/// Owns one C parser and shows its events.
///
/// The handle is kept as a number, since only its owner ever uses it and may hand it to another thread.
@safe
struct EventParser: ~Copyable, Sendable {
  private let address: UInt

  /// Makes a parser.
  ///
  /// - Parameters:
  ///   - isDecoded: Whether the input is UTF-8 whatever its declaration says.
  ///   - usesLibXML2Alone: Whether even plain documents are left to libxml2.
  init(isDecoded: Bool = false, usesLibXML2Alone: Bool = false) {
    guard let parser = unsafe cxml_open() else { preconditionFailure("memory is short") }
    if usesLibXML2Alone { unsafe cxml_use_libxml2_alone(parser) }
    if isDecoded { unsafe cxml_ignore_declared_encoding(parser) }
    address = UInt(bitPattern: parser)
  }

  deinit { unsafe cxml_close(handle) }

  /// The C parser.
  private var handle: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

  /// Takes the next bytes; false once the document is refused.
  func feed(_ bytes: Span<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe cxml_feed(handle, buffer.baseAddress, buffer.count) == 0
    }
  }

  /// Says that the input has ended; false if the document is refused.
  func finish() -> Bool { unsafe cxml_finish(handle) == 0 }

  /// The events gathered so far; valid until the next call of `feed`, `finish` or `forgetEvents`.
  @unsafe var events: UnsafeBufferPointer<CXMLEvent> {
    var count = 0
    let events = unsafe cxml_events(handle, &count)
    return unsafe UnsafeBufferPointer(start: events, count: events == nil ? 0 : count)
  }

  /// How many events are gathered.
  var eventCount: Int { unsafe events.count }

  /// Appends the events' text from `start` on to a buffer.
  func appendText(from start: Int, to buffer: inout TextBuffer) {
    var count = 0
    guard let text = unsafe cxml_text(handle, &count), start < count else { return }
    let more = count - start
    unsafe buffer.fill(more) { room in
      unsafe room.update(from: text + start, count: more)
      return more
    }
  }

  /// Forgets the events and their text.
  func forgetEvents() { unsafe cxml_forget(handle) }

  /// Whether libxml2 reads the document, or what is left of it.
  var usesLibXML2: Bool { unsafe cxml_uses_libxml2(handle) != 0 }

  /// How many bytes of the input have become events.
  var takenByteCount: Int64 { Int64(unsafe cxml_taken(handle)) }

  /// The bytes of the XML declaration.
  var declaration: Range<Int64> {
    var start: UInt64 = 0
    let count = unsafe cxml_declaration(handle, &start)
    return Int64(start)..<Int64(start) + Int64(count)
  }

  /// How characters are made of bytes: `CXML_BYTES` or one of the UTF-16 values.
  var width: Int32 { unsafe cxml_width(handle) }

  /// A name without its prefix, as it stands in the document.
  func name(_ number: UInt32) -> String {
    var count = 0
    guard let bytes = unsafe cxml_name(handle, number, &count) else { return "" }
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// A name without its prefix and without the escapes of `XMLName`.
  func decodedName(_ number: UInt32) -> String { XMLName.decoding(name(number)) }

  /// The namespace of a name; empty for none.
  func namespace(_ number: UInt32) -> String {
    unsafe cxml_namespace(handle, number).map { unsafe String(cString: $0) } ?? ""
  }

  /// The prefix that a name was first seen with; empty for none.
  func prefix(_ number: UInt32) -> String {
    unsafe cxml_prefix(handle, number).map { unsafe String(cString: $0) } ?? ""
  }

  /// A name as a record path may have it.
  func pathName(_ number: UInt32) -> RecordPath.Name {
    let name = name(number)
    let prefix = prefix(number)
    return RecordPath.Name(local: name, qualified: prefix.isEmpty ? name : "\(prefix):\(name)")
  }

  /// The text of an event, as a string; for the few that are looked at for what they say.
  func text(of event: CXMLEvent) -> String {
    var count = 0
    guard let text = unsafe cxml_text(handle, &count) else { return "" }
    let slice = unsafe UnsafeBufferPointer(start: text + Int(event.text), count: Int(event.text_count))
    return unsafe String(decoding: slice, as: UTF8.self)
  }

  /// How many line ends stand in some of the input's bytes; `column` moves on from the first byte to behind the last.
  func lineCount(in bytes: Span<UInt8>, column: inout Int) -> Int {
    let width = width
    var behind = column
    let count = unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe cxml_count_lines(base, buffer.count, width, &behind)
    }
    column = behind
    return count
  }

  /// Why the document is refused.
  var failure: (kind: Int, line: Int, column: Int, message: String) {
    let words = unsafe cxml_failure_message(handle).map { unsafe String(cString: $0) } ?? ""
    return unsafe (
      Int(cxml_failure(handle)), Int(cxml_failure_line(handle)), Int(cxml_failure_column(handle)), words
    )
  }
}
