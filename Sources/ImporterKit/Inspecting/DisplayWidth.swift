/// How many columns a text takes on a terminal of fixed pitch: two for wide East Asian characters and pictures, none for
/// marks that combine with the character before them.
func displayWidth(of text: String) -> Int {
  text.unicodeScalars.reduce(0) { $0 + displayWidth(of: $1) }
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
  if scalar.isASCII { return 1 }
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1FAFF, 0x20000...0x3FFFD:
    return 2
  case 0xFE00...0xFE0F: return 0
  default:
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return 1
    }
  }
}

extension String {
  /// Filled with blanks at its end to a width.
  func filled(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - displayWidth(of: self))) }

  /// Filled with blanks at its beginning to a width.
  func rightAligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - displayWidth(of: self))) + self
  }

  /// Cut to a width, with `…` as its last character where something is left out.
  func cut(to width: Int) -> String {
    guard displayWidth(of: self) > width else { return self }
    var (kept, used) = ("", 0)
    for character in self {
      let more = displayWidth(of: String(character))
      guard used + more <= width - 1 else { break }
      kept.append(character)
      used += more
    }
    return kept + "…"
  }

  /// Broken at blanks into lines of at most a width, where words allow it.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, displayWidth(of: line) + 1 + displayWidth(of: String(word)) > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
