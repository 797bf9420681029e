import Diagnostics
import EntityModel
import Records
import TestSupport
import Testing
import Validation

/// Rows on the way to others, as dotted columns give them.
@Suite struct Ways {
  /// Albums lead to artists, by number, and those to labels, by name.
  private static let music: [Entity] = {
    func attribute(_ name: String, isRequired: Bool = false) -> Attribute {
      var attribute = Attribute(name: name)
      attribute.isRequired = isRequired
      return attribute
    }
    var label = Entity(
      name: "label",
      attributes: [attribute("name", isRequired: true), attribute("genre")],
      key: ["name"]
    )
    label.attributes[1].defaultValue = "none"
    var artist = Entity(
      name: "artist",
      attributes: [attribute("name", isRequired: true), attribute("born")],
      key: ["label", "name"]
    )
    artist.attributes[1].type = .integer(bits: 16)
    artist.relationships = [Relationship(name: "label", target: "label")]
    var album = Entity(name: "album", attributes: [attribute("title", isRequired: true)])
    album.relationships = [Relationship(name: "artist", target: "artist")]
    return EntityModel(entities: [label, artist, album]).withReferenceAttributes().entities
  }()

  private func validate(_ columns: [String], _ rows: [[Cell]]) throws -> (rows: [String], faults: [String]) {
    var plan = ValidationPlan(entities: Self.music, defaultEntity: 2)
    plan.ranks = [0, 0, 0]
    var validator = try RecordValidator.compiling(plan)
    var batch = makeBatch(columns: columns, rows)
    var values = ValueBatch()
    validator.validate(&batch, into: &values)
    let shown = values.rows.map { row in
      let entity = Self.music[Int(row.entity)]
      let fields = entity.attributes.indices.map { index -> String in
        switch values.values[Int(row.valueStart) + index] {
        case .null: "-"
        case .absent: "?"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let slice), .blob(let slice): String(decoding: bytes(slice, of: batch), as: UTF8.self)
        }
      }
      let carriers = values.carriers.filter { $0.valueStart == Int(row.valueStart) }.map { "\($0.record)" }
      let way = row.way > 0 ? values.ways[Int(row.way) - 1] + " of " + carriers.joined(separator: ",") : "\(row.record)"
      return "\(way): \(fields.joined(separator: "|"))"
    }
    return (shown, values.rejections.flatMap(\.diagnostics).map { "\($0.field ?? "") \($0.code.rawValue)" })
  }

  private func bytes(_ slice: TextSlice, of batch: borrowing RecordBatch) -> [UInt8] {
    let span = batch.text.bytes(of: slice)
    return span.indices.map { span[$0] }
  }

  private static let columns = ["title", "artist.name", "artist.born", "artist.label.name", "artist.label.genre"]

  @Test func `rows come once, those at the far ends of ways first, and the record takes their keys`() throws {
    let found = try validate(
      Self.columns,
      [["a", "N", "1970", "L", "g"], ["b", "N", "1970", "L", "g"], ["c", "N", "", "L", ""], ["d", "", "", "", ""]]
    )
    #expect(found.faults.isEmpty)
    #expect(
      found.rows == [
        "artist.label of 0,1: L|g", "artist.label of 2: L|?", "artist of 0,1: N|1970|L", "artist of 2: N|?|L",
        "0: a|L|N", "1: b|L|N", "2: c|L|N", "3: d|-|-",
      ]
    )
  }

  @Test func `what gives a key alone makes nothing`() throws {
    let found = try validate(["title", "artist.name", "artist.label.name"], [["a", "N", "L"]])
    #expect(found.rows == ["0: a|L|N"])
  }

  @Test func `faults of such rows name the way, and keep their records and all rows on their ways out`() throws {
    let found = try validate(
      Self.columns,
      [
        ["a", "N", "soon", "L", "g"], ["b", "", "1970", "", ""], ["c", "N", "1970", "", "g"], ["", "N", "1", "L", "g"],
      ]
    )
    #expect(found.rows.isEmpty)
    #expect(
      found.faults == [
        "artist.born type-error", "artist.name required", "artist.label.name required", "title required",
      ]
    )
  }
}
