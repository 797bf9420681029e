import CXML
import Records

/// What stands around records in a document, for a file of rejected ones.
struct DocumentFraming: Sendable {
  /// The tag of an element that encloses records, and what must stand before it: the key of a property list.
  struct Tag: Sendable, Hashable {
    var lead: [UInt8] = []
    var tag: [UInt8]
  }

  /// The XML declaration, byte for byte.
  var declaration: [UInt8] = []
  /// How characters are made of bytes, as `EventParser.width` says.
  var width = Int32(CXML_BYTES)

  /// The declaration and the start tags around records, and the end tags.
  func framing(of tags: [Tag]) -> RejectFraming {
    let lineEnd = encoded("\n")
    var opening = declaration
    if !opening.isEmpty { opening += lineEnd }
    var levels: [RejectFraming.Level] = []
    for tag in tags {
      levels.append(RejectFraming.Level(opening: tag.lead + tag.tag + lineEnd, closing: endTag(of: tag.tag) + lineEnd))
    }
    return RejectFraming(
      opening: opening + levels.flatMap(\.opening),
      separator: lineEnd,
      closing: levels.reversed().flatMap(\.closing),
      levels: levels
    )
  }

  /// ASCII characters in the input's encoding.
  private func encoded(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { buffer in encoded(unsafe Array(buffer)) }
  }

  private func encoded(_ ascii: [UInt8]) -> [UInt8] {
    switch width {
    case Int32(CXML_UTF16_LITTLE): ascii.flatMap { [$0, 0] }
    case Int32(CXML_UTF16_BIG): ascii.flatMap { [0, $0] }
    default: ascii
    }
  }

  /// The end tag that belongs to a start tag, byte for byte the same name.
  private func endTag(of tag: [UInt8]) -> [UInt8] {
    let step = width == CXML_BYTES ? 1 : 2
    let low = width == Int32(CXML_UTF16_BIG) ? 1 : 0
    var end = step
    while end + step <= tag.count {
      let isASCII = step == 1 || tag[end + 1 - low] == 0
      if isASCII, [0x20, 0x09, 0x0A, 0x0D, 0x3E, 0x2F].contains(tag[end + low]) { break }
      end += step
    }
    return encoded("</") + tag[step..<end] + encoded(">")
  }
}
