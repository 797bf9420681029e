/// The encoding of a byte a character in which a text that is not UTF-8 would make sense; nil where nothing stands out.
///
/// Only for advice: what it says is never acted upon. It looks at how bytes above 0x7F stand among ASCII letters: one or
/// two of them within a word are accents, whole words of them are Cyrillic, and accents among the control characters of
/// windows-1252 are those of DOS or of old Macs.
package func plausibleEncoding(of bytes: Span<UInt8>) -> String? {
  var high = HighBytes()
  for position in 0..<min(bytes.count, 4096) {
    high.add(
      bytes[position],
      after: position > 0 ? bytes[position - 1] : 0,
      before: position + 1 < bytes.count ? bytes[position + 1] : 0
    )
  }
  return high.encoding
}

/// The remedy for text that is not UTF-8.
package func encodingRemedy(for bytes: Span<UInt8>) -> String {
  guard let name = plausibleEncoding(of: bytes) else {
    return "save the file as UTF-8, or name its encoding with --encoding"
  }
  return "this looks like \(name): use --encoding \(name)"
}

/// How the bytes above 0x7F of a text stand.
private struct HighBytes {
  private var count = 0
  private var run = 0
  private var longestRun = 0
  private var isUnassigned = false
  /// In windows-1251 the small letters are above the capitals, in KOI8-R below.
  private var upperHalf = 0
  private var lowerHalf = 0
  /// Bytes within words that are letters in DOS' code page 850, and on a Mac, but signs in windows-1252.
  private var ofDOS = 0
  private var ofMac = 0

  mutating func add(_ byte: UInt8, after previous: UInt8, before next: UInt8) {
    guard byte >= 0x80 else {
      run = 0
      return
    }
    count += 1
    run += 1
    longestRun = max(longestRun, run)
    switch byte {
    case 0x81, 0x8D, 0x8F, 0x90, 0x9D: isUnassigned = true
    case 0xC0...0xDF: lowerHalf += 1
    case 0xE0...0xFF: upperHalf += 1
    default: break
    }
    guard Self.isLetter(previous) else { return }
    // At the end of a word stand quotes, dashes and dots of windows-1252, too.
    guard Self.isLetter(next) || [0x82, 0x8A, 0x8D, 0x8E, 0x8F, 0x98, 0x9D].contains(byte) else { return }
    switch byte {
    case 0x81, 0x82, 0x84, 0x85, 0x87, 0x8D, 0x94, 0xA0, 0xA4: ofDOS += 1
    case 0x8F, 0x90, 0x98, 0x9D: ofMac += 1
    case 0x8E where Self.isLowercase(previous) || Self.isLowercase(next): ofMac += 1
    case 0x8A where Self.isLowercase(previous): ofDOS += 1
    default: break
    }
  }

  var encoding: String? {
    guard count > 0 else { return nil }
    if longestRun > 2 {
      guard (lowerHalf + upperHalf) * 10 >= count * 9 else { return nil }
      return upperHalf >= lowerHalf ? "windows-1251" : "KOI8-R"
    }
    if ofDOS + ofMac > 0 { return ofMac > ofDOS ? "macintosh" : "IBM850" }
    return isUnassigned ? nil : "windows-1252"
  }

  private static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte | 0x20) }
  private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
