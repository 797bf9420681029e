import JSONSyntax
package import EntityModel

/// Tells from the beginning of an input whether it is JSON.
package enum JSONDetector {
  /// Looks at the first bytes of an input.
  ///
  /// - Parameter sample: UTF-8, cut anywhere.
  /// - Returns: The format, nil where this is no JSON that holds records; and the reason, for the summary.
  package static func detect(sample: Span<UInt8>) -> (format: FileFormat?, reason: String) {
    let hasMark = sample.count >= 3 && sample[0] == 0xEF && sample[1] == 0xBB && sample[2] == 0xBF
    var tokenizer = JSONTokenizer(at: hasMark ? 3 : 0)
    guard let first = try? tokenizer.next(in: sample, isComplete: false) else {
      return (nil, "it does not begin like JSON")
    }
    switch first.kind {
    case .beginArray:
      // `[section]` begins a settings file; an array of records goes on with an object, or ends.
      guard let second = try? tokenizer.next(in: sample, isComplete: false) else { break }
      switch second.kind {
      case .beginObject where isObject(&tokenizer, sample): return (.json, "it begins with an array of objects")
      case .beginArray: return (.json, "it begins with an array in an array")
      case .endArray: return (.json, "it is an empty array")
      case .incomplete: return (.json, "it begins with '['")
      default: break
      }
    case .beginObject where isObject(&tokenizer, sample):
      return endsItsLine(from: first.range.lowerBound, &tokenizer, sample)
        ? (.ndjson, "its first line is an object")
        : (.json, "it begins with an object over several lines")
    default: break
    }
    return (nil, "it does not begin with an array of objects or an object a line")
  }

  /// Whether an object that was opened goes on like one, as far as the sample goes.
  private static func isObject(_ tokenizer: inout JSONTokenizer, _ sample: Span<UInt8>) -> Bool {
    guard let token = try? tokenizer.next(in: sample, isComplete: false) else { return false }
    switch token.kind {
    case .endObject, .incomplete: return true
    case .name:
      // The value after the colon, or the end of the sample.
      return (try? tokenizer.next(in: sample, isComplete: false)) != nil
    default: return false
    }
  }

  /// Whether the object that begins at an offset ends before a line does, as far as the sample goes.
  private static func endsItsLine(
    from start: Int,
    _ tokenizer: inout JSONTokenizer,
    _ sample: Span<UInt8>
  ) -> Bool {
    var end = start
    while end < sample.count, sample[end] != 0x0A { end += 1 }
    guard end < sample.count else { return true }
    while tokenizer.depth > 0 {
      guard let token = try? tokenizer.next(in: sample, isComplete: false), token.kind != .incomplete else {
        // A broken line is one reject of NDJSON, if the break is within the line.
        return tokenizer.position < end
      }
    }
    return tokenizer.position <= end
  }
}
