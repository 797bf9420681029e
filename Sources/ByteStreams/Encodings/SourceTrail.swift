package import Records
import Synchronization

/// The source bytes that a reader may still ask for, between the source that decodes them and the reader of the text.
///
/// Bounded by what a reader holds at once: what lies before a batch is forgotten when the batch is tied to its source.
package final class SourceTrail: Sendable {
  private struct State {
    /// The source from the first mark on.
    var bytes: [UInt8] = []
    var marks: [SourceMark]
    var byteOrderMark: [UInt8] = []
    /// How much text was made.
    var textCount: Int64 = 0
  }

  /// The encoding of the source.
  package let coding: any SourceCoding
  private let state: Mutex<State>

  /// Makes a trail that begins at the head of a source.
  package init(coding: any SourceCoding) {
    self.coding = coding
    state = Mutex(State(marks: [SourceMark(text: 0, source: 0)]))
  }

  /// The byte order mark that the source began with.
  package var byteOrderMark: [UInt8] { state.withLock { $0.byteOrderMark } }

  /// The text begins behind these bytes.
  func begin(behind byteOrderMark: [UInt8]) {
    state.withLock {
      $0.byteOrderMark = byteOrderMark
      $0.marks = [SourceMark(text: 0, source: Int64(byteOrderMark.count))]
    }
  }

  /// Adds bytes that were decoded.
  ///
  /// - Parameter isMark: Whether decoding can begin afresh behind them.
  func append(_ bytes: UnsafeBufferPointer<UInt8>, textCount: Int, isMark: Bool) {
    state.withLock { state in
      unsafe state.bytes.append(contentsOf: bytes)
      state.textCount += Int64(textCount)
      guard isMark else { return }
      state.marks.append(SourceMark(text: state.textCount, source: state.marks[0].source + Int64(state.bytes.count)))
    }
  }

  /// The source of a part of the text and what follows up to the next mark; what lies before is forgotten.
  package func take(_ text: Range<Int64>) -> SourceText {
    state.withLock { state in
      let first = max((state.marks.firstIndex { $0.text > text.lowerBound } ?? state.marks.count) - 1, 0)
      state.bytes.removeFirst(Int(state.marks[first].source - state.marks[0].source))
      state.marks.removeFirst(first)
      let last = state.marks.firstIndex { $0.text >= text.upperBound }
      let end = last.map { Int(state.marks[$0].source - state.marks[0].source) } ?? state.bytes.count
      let marks = last.map { Array(state.marks[...$0]) } ?? state.marks
      return SourceText(coding: coding, bytes: Array(state.bytes[..<end]), marks: marks)
    }
  }

  /// The source of all the text that is still at hand.
  package var current: SourceText {
    state.withLock { SourceText(coding: coding, bytes: $0.bytes, marks: $0.marks) }
  }

  /// The source bytes of a text that stands at the head, or at the end, of what is at hand; nil if another stands there.
  func source(of text: [UInt8], atEnd: Bool) -> [UInt8]? {
    let current = current
    let textCount = state.withLock { $0.textCount }
    let range: Range<Int>
    if atEnd {
      guard textCount - Int64(text.count) >= current.marks[0].text else { return nil }
      range = current.position(ofText: textCount - Int64(text.count))..<current.bytes.count
    } else {
      guard current.marks[0].text == 0 else { return nil }
      range = 0..<current.position(ofText: Int64(text.count))
    }
    let bytes = Array(current.bytes[range])
    return coding.text(of: bytes.span) == text ? bytes : nil
  }
}
