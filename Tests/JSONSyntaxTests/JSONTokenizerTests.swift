import JSONSyntax
import TestSupport
import Testing

@Suite struct JSONTokenizerTests {
  struct Piece: Equatable {
    var kind: JSONToken.Kind
    var text: [UInt8]
    var hasEscapes: Bool
    var place: JSONPlace
  }

  /// All tokens of a text that comes in pieces; what is read is taken away from the front now and then.
  static func tokens(of text: [UInt8], chunkSize: Int, discarding: Bool) throws(JSONSyntaxError) -> [Piece] {
    var tokenizer = JSONTokenizer()
    var held: [UInt8] = []
    var taken = 0
    var pieces: [Piece] = []
    while true {
      let token = try tokenizer.next(in: held.span, isComplete: taken == text.count)
      if token.kind == .incomplete {
        let end = min(taken + chunkSize, text.count)
        held += text[taken..<end]
        taken = end
        continue
      }
      pieces.append(
        Piece(
          kind: token.kind,
          text: Array(held[token.range]),
          hasEscapes: token.hasEscapes,
          place: tokenizer.place(at: token.range.lowerBound, in: held.span)
        )
      )
      guard token.kind != .end else { return pieces }
      if discarding, pieces.count % 3 == 0 {
        let count = tokenizer.position
        tokenizer.discard(count, of: held.span)
        held.removeFirst(count)
      }
    }
  }

  static let text = Array(
    "[{\"a\\\\\": 1.5e-3, \"b\" :\r\n\"x\\u00e8\\ud83d\\ude00è\"}, true,\rfalse ,null,[], {},\n[-0, 12],\"\"]\n".utf8
  )

  @Test(arguments: [1, 2, 3, 5, 7, 64, 4096], [false, true])
  func `tokens do not depend on how the bytes arrive`(chunkSize: Int, discarding: Bool) throws {
    let whole = try Self.tokens(of: Self.text, chunkSize: .max / 2, discarding: false)
    #expect(whole.count == 21)
    #expect(try Self.tokens(of: Self.text, chunkSize: chunkSize, discarding: discarding) == whole)
  }

  @Test func `tokens name their bytes and places`() throws {
    let pieces = try Self.tokens(of: Self.text, chunkSize: 4, discarding: true)
    #expect(
      pieces[2] == Piece(kind: .name, text: Array(#"a\\"#.utf8), hasEscapes: true, place: .init(line: 1, column: 4))
    )
    #expect(
      pieces[3]
        == Piece(kind: .number, text: Array("1.5e-3".utf8), hasEscapes: false, place: .init(line: 1, column: 10))
    )
    #expect(pieces[5].place == JSONPlace(line: 2, column: 2))
    #expect(pieces.last?.kind == .end)
  }

  @Test func `a number at the end of a chunk may go on in the next`() throws {
    var tokenizer = JSONTokenizer()
    #expect(try tokenizer.next(in: Array("12".utf8).span, isComplete: false).kind == .incomplete)
    #expect(try tokenizer.next(in: Array("123 ".utf8).span, isComplete: false).range == 0..<3)
  }

  @Test func `an error is placed in the text, not in the chunk`() throws {
    let broken = Array("[1,\n2,\n  x]".utf8)
    for chunkSize in 1...6 {
      for discarding in [false, true] {
        #expect(throws: JSONSyntaxError.self) {
          try Self.tokens(of: broken, chunkSize: chunkSize, discarding: discarding)
        }
        do throws(JSONSyntaxError) {
          _ = try Self.tokens(of: broken, chunkSize: chunkSize, discarding: discarding)
        } catch { #expect(error.place == JSONPlace(line: 3, column: 3)) }
      }
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `damaged text neither traps nor depends on chunks`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var text = Self.text
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 0..<text.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: text[index] = UInt8.random(in: 0...255, using: &random)
      case 1: text.remove(at: index)
      default: text.insert(text[Int.random(in: 0..<text.count, using: &random)], at: index)
      }
    }
    func outcome(_ chunkSize: Int) -> String {
      do throws(JSONSyntaxError) {
        return "\(try Self.tokens(of: text, chunkSize: chunkSize, discarding: false))"
      } catch {
        return "\(error.place)"
      }
    }
    let whole = outcome(.max / 2)
    for chunkSize in [1, 3, 16] { #expect(outcome(chunkSize) == whole) }
  }
}
