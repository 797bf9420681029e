/// What encodings are called.
enum EncodingNames {
  /// The encodings that we decode ourselves.
  static func native(_ name: String) -> ToldEncoding? {
    switch folded(name) {
    case "UTF8", "UTF8SIG", "UTF8BOM", "CP65001", "UNICODE11UTF8": .exact(.utf8)
    case "ASCII", "USASCII", "ISO646US", "ANSIX3.41968", "ANSIX3.41986", "ISO646.IRV:1991", "CSASCII", "CP367",
      "IBM367",
      "US":
      .exact(.ascii)
    case "UTF16", "UCS2", "ISO10646UCS2", "UNICODE", "CSUNICODE", "UNICODELITTLE", "UNICODEBIG": .utf16
    case "UTF16LE", "UCS2LE", "CP1200": .exact(.utf16(isBigEndian: false))
    case "UTF16BE", "UCS2BE", "CP1201": .exact(.utf16(isBigEndian: true))
    case "UTF32", "UCS4", "ISO10646UCS4", "CSUCS4": .utf32
    case "UTF32LE", "UCS4LE": .exact(.utf32(isBigEndian: false))
    case "UTF32BE", "UCS4BE": .exact(.utf32(isBigEndian: true))
    default: nil
    }
  }

  /// A name without what people write differently: case, hyphens, underlines and spaces.
  static func folded(_ name: String) -> String {
    name.uppercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  /// The spellings of a name to ask the C library for.
  static func candidates(for name: String) -> [String] {
    let isSane = !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x2F }
    guard isSane else { return [] }
    let folded = folded(name)
    var candidates = [name, name.replacing("_", with: "-"), name.replacing("-", with: "_"), folded]
    if let alias = aliases[folded] { candidates.append(alias) }
    if let common = common.first(where: { Self.folded($0) == folded }) { candidates.append(common) }
    // Windows' code pages are told by their numbers, too.
    if name.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { candidates += ["CP" + name, "IBM" + name] }
    return candidates
  }

  /// Names of other programs.
  private static let aliases: [String: String] = [
    "MACROMAN": "MACINTOSH", "XMACROMAN": "MACINTOSH", "MACOSROMAN": "MACINTOSH", "XMACCYRILLIC": "MAC-CYRILLIC",
    "MS932": "CP932", "WINDOWS31J": "CP932", "MSKANJI": "CP932", "UHC": "CP949", "KSC56011987": "EUC-KR",
    "WINDOWS949": "CP949", "XGBK": "GBK", "GB2312": "EUC-CN", "GB231280": "EUC-CN", "XSJIS": "SHIFT_JIS",
    "LATIN1": "ISO-8859-1", "LATIN2": "ISO-8859-2", "LATIN9": "ISO-8859-15", "KOI8": "KOI8-R", "WINDOWS936": "GBK",
    "DOS850": "IBM850", "OEM850": "IBM850", "XEUCJP": "EUC-JP", "BIG5HKSCS": "BIG5-HKSCS",
  ]

  /// Names to suggest.
  static let common: [String] = [
    "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE", "ASCII",
    "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
    "windows-1257", "windows-1258", "CP1250", "CP1251", "CP1252", "CP437", "CP850", "CP852", "CP866", "CP874", "CP932",
    "CP949", "CP950",
    "ISO-8859-1", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8",
    "ISO-8859-9", "ISO-8859-10", "ISO-8859-11", "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "latin1",
    "IBM437", "IBM850", "IBM852", "IBM855", "IBM858", "IBM866", "IBM037", "IBM500", "IBM1047", "macintosh",
    "MAC-CYRILLIC", "KOI8-R", "KOI8-U", "TIS-620", "Shift_JIS", "EUC-JP", "EUC-KR", "EUC-TW", "GB2312", "GBK",
    "GB18030",
    "Big5", "BIG5-HKSCS", "JOHAB", "VISCII", "ARMSCII-8",
  ]
}
