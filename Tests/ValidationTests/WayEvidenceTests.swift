import Records
import TestSupport
import Testing
import Validation

/// Which dotted columns of a flat file can be rows of their own.
@Suite struct WayEvidences {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let columns: [String]
    let rows: [[Cell]]
    /// The groups that hold: `prefix: names`.
    let groups: [String]
  }

  static let cases = [
    Case(
      testDescription: "rows behind rows",
      columns: ["title", "artist.town", "artist.name", "artist.label.name", "artist.label.genre"],
      rows: [["a", "T", "N", "L", "g"], ["b", "", "N", "L", ""], ["c", "", "", "", ""]],
      groups: ["artist: name town", "artist.label: name genre"]
    ),
    Case(
      testDescription: "a value that contradicts",
      columns: ["title", "artist.name", "artist.town"],
      rows: [["a", "N", "T"], ["b", "N", "U"]],
      groups: []
    ),
    Case(
      testDescription: "a value that contradicts an earlier one behind an empty one",
      columns: ["artist.name", "artist.town"],
      rows: [["N", ""], ["N", "T"], ["N", "U"]],
      groups: []
    ),
    Case(
      testDescription: "a row that leads to several",
      columns: ["artist.name", "artist.town", "artist.label.name", "artist.label.genre"],
      rows: [["N", "T", "L", "g"], ["N", "T", "M", "h"]],
      groups: []
    ),
    Case(
      testDescription: "values without a key",
      columns: ["artist.name", "artist.town"],
      rows: [["N", "T"], ["", "T"]],
      groups: []
    ),
    Case(
      testDescription: "nothing like a key",
      columns: ["Sepal.Length", "Sepal.Width"],
      rows: [["1", "2"]],
      groups: []
    ),
    Case(
      testDescription: "a key alone",
      columns: ["title", "artist.name"],
      rows: [["a", "N"]],
      groups: []
    ),
    Case(
      testDescription: "a key alone behind a row",
      columns: ["artist.name", "artist.town", "artist.label.name"],
      rows: [["N", "T", "L"], ["M", "T", "L"]],
      groups: ["artist: name town label.name"]
    ),
    Case(
      testDescription: "the surest name",
      columns: ["user.name", "user.ID"],
      rows: [["N", "1"], ["N", "2"]],
      groups: ["user: ID name"]
    ),
    Case(
      testDescription: "an empty name",
      columns: ["user.name", "user."],
      rows: [["N", "1"]],
      groups: []
    ),
  ]

  @Test(arguments: cases) func `columns are a row's if one of them tells the others`(_ example: Case) {
    // Batches do not matter.
    for count in [1, 2, 100] {
      var evidence = WayEvidence(columns: example.columns, nullTokens: [])
      evidence.begin(columns: example.columns)
      var start = 0
      while start < example.rows.count {
        let end = min(start + count, example.rows.count)
        evidence.observe(makeBatch(columns: example.columns, Array(example.rows[start..<end])))
        start = end
      }
      #expect(evidence.groups.map { "\($0.prefix): \($0.names.joined(separator: " "))" } == example.groups)
    }
  }
}
