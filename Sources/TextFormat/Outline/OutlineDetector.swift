/// Tells whether a text is an outline, and of which style.
package enum OutlineDetector {
  /// What was found out.
  package struct Finding: Sendable {
    /// How its lines become records, if it is one.
    package var layout: OutlineLayout
    /// Whether it is one for certain, so that nobody needs to tell.
    package var isCertain: Bool
    /// What speaks for it.
    package var reason: String
  }

  private struct Line {
    let depth: Int
    let key: String?
    let text: ArraySlice<UInt8>
  }

  /// Looks at the beginning of an input.
  ///
  /// It is certain where the first line says `%outline:`; where all lines are `Key: value`, the outermost ones share one key
  /// and something hangs below them; or where most lines have cells and the indentation has one step.
  package static func detect(
    sample: Span<UInt8>,
    isWholeInput: Bool,
    comment: String?,
    skippedLineCount: Int,
    delimiter: String?
  ) -> Finding {
    let mark = comment.map { Array($0.utf8) } ?? []
    let contents = SampleLines(sample, isWholeInput: isWholeInput).lines.dropFirst(skippedLineCount).filter { line in
      !SampleLines.isBlank(line) && (mark.isEmpty || !line.drop(while: LineScan.isBlank).starts(with: mark))
    }
    if let first = contents.first, first.starts(with: OutlineDirective.mark) {
      return Finding(layout: OutlineLayout(style: .labels), isCertain: true, reason: "it begins with '%outline:'")
    }
    var stack: [ArraySlice<UInt8>] = []
    var isRegular = contents.first.map { !LineScan.isBlank($0.first ?? 0) } ?? false
    var lines: [Line] = []
    for content in contents {
      let text = content.drop(while: LineScan.isBlank)
      let indentation = content[..<text.startIndex]
      while let last = stack.last, !(indentation.count > last.count && indentation.starts(with: last)) {
        if indentation.count == last.count { break }
        stack.removeLast()
        if let next = stack.last, next.count < indentation.count, !(indentation.starts(with: next)) {
          isRegular = false
        }
      }
      if let last = stack.last, last.count == indentation.count {
        if last != indentation { isRegular = false }
        stack.removeLast()
      }
      lines.append(Line(depth: stack.count, key: key(of: text), text: text))
      stack.append(indentation)
    }
    let indented = lines.count { $0.depth > 0 }
    let levels = (lines.map(\.depth).max() ?? 0) + 1
    let told = delimiter ?? cellDelimiter(of: lines.map(\.text))
    if delimiter == nil, !lines.isEmpty, lines.allSatisfy({ $0.key != nil }) {
      var layout = OutlineLayout(style: .labels)
      for (line, next) in zip(lines, lines.dropFirst()) where next.depth > line.depth {
        if let key = line.key { layout.kinds.insert(key) }
      }
      let outermost = Set(lines.filter { $0.depth == 0 }.compactMap(\.key))
      layout.kinds.formUnion(outermost)
      return Finding(
        layout: layout,
        isCertain: isRegular && outermost.count == 1 && indented * 2 >= lines.count && indented > 1,
        reason: "\(levels) levels of 'Key: value' lines below '\(outermost.sorted().first ?? "")'"
      )
    }
    return Finding(
      layout: OutlineLayout(style: .cells(delimiter: told)),
      isCertain: isRegular && told != nil && delimiter == nil && levels > 1 && indented * 4 >= lines.count
        && indented > 1,
      reason: "\(levels) levels of lines" + (told.map { " with cells parted by '\($0 == "\t" ? "tab" : $0)'" } ?? "")
    )
  }

  /// A mark that stands on most lines.
  private static func cellDelimiter(of lines: [ArraySlice<UInt8>]) -> String? {
    ["|", "\t", ";"].first { mark in
      let byte = mark.utf8.first ?? 0
      return !lines.isEmpty && lines.count { $0.contains(byte) } * 5 >= lines.count * 3
    }
  }

  /// The key of `Key: value`, if it looks like one.
  private static func key(of text: ArraySlice<UInt8>) -> String? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex, colon - text.startIndex <= 40
    else {
      return nil
    }
    guard colon + 1 == text.endIndex || LineScan.isBlank(text[colon + 1]) else { return nil }
    let key = text[..<colon]
    guard let first = key.first, first >= 0x41, key.allSatisfy({ $0 >= 0x30 || " -_.#".utf8.contains($0) }) else {
      return nil
    }
    return String(decoding: key, as: UTF8.self)
  }
}
