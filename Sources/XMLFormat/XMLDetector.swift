import Records

/// Tells XML from other text by its beginning.
package enum XMLDetector {
  /// Whether the bytes begin an XML document, whether that is a property list, and why.
  ///
  /// - Parameter sample: The beginning of the input, a byte order mark included; 64 bytes and more are enough unless
  ///   white space goes before the first tag.
  package static func detect(sample: Span<UInt8>) -> (isXML: Bool, isPropertyList: Bool, reason: String) {
    // No look at the whole of what cannot be: most inputs are no XML.
    let start = sample.indices.first { ![0x20, 0x09, 0x0A, 0x0D].contains(sample[$0]) }
    guard let start, [0x3C, 0xEF, 0xFE, 0xFF, 0].contains(sample[start]) else {
      return (false, false, "it does not begin with '<'")
    }
    let (isXML, reason) = detectXML(sample: sample)
    guard isXML, isPropertyList(narrowed(sample).0) else { return (isXML, false, reason) }
    return (true, true, "its root element is <plist>")
  }

  /// Whether the first tag, behind declaration, document type and comments, is `<plist`.
  private static func isPropertyList(_ characters: [UInt8]) -> Bool {
    var rest = characters[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      let end: [UInt8]
      if rest.starts(with: Array("<!--".utf8)) {
        end = Array("-->".utf8)
      } else if rest.starts(with: Array("<!".utf8)) || rest.starts(with: Array("<?".utf8)) {
        end = [UInt8(ascii: ">")]
      } else {
        let name = rest.dropFirst().prefix { isNamePart($0) }
        return name.elementsEqual("plist".utf8)
      }
      while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
    }
    return false
  }

  private static func detectXML(sample: Span<UInt8>) -> (isXML: Bool, reason: String) {
    let (characters, encoding) = narrowed(sample)
    var start = 0
    while start < characters.count, [0x20, 0x09, 0x0A, 0x0D].contains(characters[start]) { start += 1 }
    let rest = characters[start...]
    guard rest.first == UInt8(ascii: "<") else { return (false, "it does not begin with '<'") }
    let suffix = encoding.map { " in \($0)" } ?? ""
    if rest.starts(with: Array("<?xml".utf8)) { return (true, "it begins with an XML declaration" + suffix) }
    let lowercased = rest.prefix(15).map { $0 | 0x20 }
    if lowercased.starts(with: Array("<!doctype html".utf8).map { $0 | 0x20 })
      || lowercased.starts(with: Array("<html".utf8))
    {
      return (false, "it begins like an HTML page")
    }
    if rest.starts(with: Array("<!DOCTYPE".utf8)) { return (true, "it begins with a document type" + suffix) }
    if rest.starts(with: Array("<!--".utf8)) { return (true, "it begins with an XML comment" + suffix) }
    guard let second = rest.dropFirst().first, isNameStart(second) else {
      return (false, "no name follows its first '<'")
    }
    // `<5;…` and `<a;b` are text: a tag's name ends at a space, '/' or '>'.
    guard let end = rest.dropFirst().firstIndex(where: { !isNamePart($0) }) else {
      return (true, "it begins with the start of a tag" + suffix)
    }
    guard [0x20, 0x09, 0x0A, 0x0D, 0x2F, 0x3E].contains(rest[end]) else { return (false, "its first '<' opens no tag") }
    let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
    return (true, "it begins with the tag <\(name)>" + suffix)
  }

  /// The characters as bytes, and the encoding if it is UTF-16.
  private static func narrowed(_ sample: Span<UInt8>) -> ([UInt8], String?) {
    func byte(_ position: Int) -> UInt8? { position < sample.count ? sample[position] : nil }
    var characters: [UInt8] = []
    switch (byte(0), byte(1)) {
    case (0xFF, 0xFE), (0x3C, 0): append(from: byte(0) == 0xFF ? 2 : 0, low: 0)
    case (0xFE, 0xFF), (0, 0x3C): append(from: byte(0) == 0xFE ? 2 : 0, low: 1)
    default:
      let start = byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0
      return (Array(copying: sample.extracting(start..<max(start, sample.count))), nil)
    }
    return (characters, "UTF-16")

    func append(from start: Int, low: Int) {
      for position in stride(from: start, to: sample.count - 1, by: 2) {
        characters.append(sample[position + 1 - low] == 0 ? sample[position + low] : 0x80)
      }
    }
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x3A || byte >= 0x80
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
  }
}
