import CSVFormat
import EntityModel
import FuzzTargets
import Records
import TestSupport
import TextFormat
import Testing

/// Records just below and above `--max-record-size`, which must be told alike however the input is cut.
@Suite struct RecordLimitTests {
  private static let limits = ReadLimits(recordByteCount: limit, fieldByteCount: 1000)
  private static let limit = 20

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let format: ReadableFormat
    /// What the line in question begins with, and what it is filled up with.
    var lines: [(beginning: String, filling: String)]
    /// A sound record, with its line end and what parts it from the next.
    var neighbour: String
  }

  private static var fixed: FixedWidthLayout {
    var layout = FixedWidthLayout(columns: [CharacterRange(first: 1, last: 3), CharacterRange(first: 18, last: nil)])
    layout.comment = "#"
    return layout
  }

  private static var ruled: FixedWidthLayout {
    var layout = fixed
    layout.isFound = true
    layout.hasRulers = true
    layout.headerLineCount = 1
    return layout
  }

  private static var commented: CSVDialect {
    var dialect = CSVDialect()
    dialect.comment = "#"
    dialect.header = .none
    return dialect
  }

  private static func outline(_ style: OutlineLayout.Style) -> ReadableFormat {
    var layout = OutlineLayout(style: style)
    layout.comment = "#"
    return .outline(layout)
  }

  static let cases = [
    Case(
      testDescription: "lines",
      format: .fixed(.lines(named: nil)),
      lines: [("a", "b"), ("", " "), ("a", "\u{B5}"), ("", "-")],
      neighbour: "x\n"
    ),
    Case(
      testDescription: "fixed",
      format: .fixed(fixed),
      lines: [("a", " "), ("a", "b"), ("", " "), ("#", "b"), ("#", " "), ("", "\u{B5}")],
      neighbour: "abc              y\n"
    ),
    Case(
      testDescription: "ruled",
      format: .fixed(ruled),
      lines: [("a", "b"), ("", "-"), ("", "="), ("--- ", "-"), ("", " "), ("#", "-")],
      neighbour: "abc              y\n"
    ),
    Case(
      testDescription: "labels",
      format: outline(.labels),
      lines: [
        ("a: ", "b"), ("  c: ", "d"), ("", " "), ("  ", " "), ("#", "b"), ("  #", "b"), ("", "z"), ("    e: ", "f"),
        ("  c: 1\n  d: ", "b"), ("  c: 1\n    d: ", "b"), ("  c: 1\n#", "b"), ("\n\n\n\n\n\n", "\n"),
      ],
      neighbour: "k: v\n"
    ),
    Case(
      testDescription: "cells",
      format: outline(.cells(delimiter: "|")),
      lines: [("a|", "b"), ("  c|", "d"), ("", " "), ("#", "b"), ("    e", "f"), ("", "|")],
      neighbour: "k|v\n"
    ),
    Case(
      testDescription: "records",
      format: .records,
      lines: [
        ("a: ", "b"), ("a: 1\n", " "), ("a: 1\n+", "b"), ("a: 1\n#", "b"), ("#", "b"), ("", " "), (" ", "b"),
        ("", "\t"), ("%null:", " "), ("%key: ", "a"), ("%key: a\n", " "), ("%key: a\n+", " "), ("a: \u{B5}", "\u{B5}"),
        ("a: 1\nb: 2\nc: ", "d"), ("a: b", "\n+"), ("a: 1\n ", " "),
      ],
      neighbour: "k: v\n\n"
    ),
    Case(
      testDescription: "CSV",
      format: .csv(commented),
      lines: [("a,", "b"), ("#", "b"), ("\"a,", "b"), ("", " "), ("a,\"", "\n"), ("", "\u{B5}")],
      neighbour: "x,y\n"
    ),
    Case(
      testDescription: "NDJSON",
      format: .ndjson,
      lines: [("{\"a\":\"", "b"), ("", " "), ("[", "1")],
      neighbour: "{\"a\":1}\n"
    ),
  ]

  @Test(arguments: cases)
  func `a line about as long as the limit is told alike in pieces of any size`(example: Case) throws {
    var count = 0
    for (beginning, filling) in example.lines {
      for length in (Self.limit - 2)...(Self.limit + 3) {
        for (end, after) in [("\n", true), ("\r\n", true), ("\r", true), ("", false), ("\r", false), ("\n", false)] {
          for mark in ["", "\u{FEFF}"] {
            for closing in filling == " " ? ["", "x", "x: y"] : [""] {
              var line = Array(beginning.utf8)
              while line.count < length { line += Array(filling.utf8) }
              line += Array(closing.utf8)
              let bytes =
                Array((mark + example.neighbour).utf8) + line + Array(end.utf8)
                + (after ? Array((end + example.neighbour + example.neighbour).utf8) : [])
              try check(example.format, bytes)
              try check(example.format, Array(mark.utf8) + line + Array(end.utf8))
              count += 2
            }
          }
        }
      }
    }
    #expect(count >= example.lines.count * 144)
  }

  private func check(_ format: ReadableFormat, _ bytes: [UInt8]) throws {
    let whole = format.read(bytes, limits: Self.limits)
    if whole.failure == nil { try ReaderLaws.checkPlaces(whole, in: bytes) }
    for size in [1, 2, 3, 5, 7, 19, 20, 21, 22, 23, 40, 64] {
      for pieces in [Pieces(sizes: [size], chunkByteCount: size), Pieces(sizes: [1], chunkByteCount: size)] {
        do throws(LawBreach) {
          try ReaderLaws.checkSame(whole, format.read(bytes, pieces, limits: Self.limits), pieces)
        } catch {
          Issue.record("\(error)\nof \(format)\n\(String(decoding: bytes, as: UTF8.self).debugDescription)")
          return
        }
      }
    }
  }
}
