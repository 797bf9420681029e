import Diagnostics
import EntityModel
import JSONFormat
import Records
import TestSupport
import Testing

/// Records within records, read with a nesting that is told or found.
@Suite struct JSONNesting {
  /// A record as tests compare it.
  struct Nested: Equatable, CustomStringConvertible {
    var shape: String
    var ordinal: Int64
    var parent: Int64
    var place: String
    var raw: String
    var fields: [String]

    var description: String { "\(shape) \(ordinal) in \(parent) at \(place): \(fields) \(raw)" }
  }

  /// Labels, which hold artists (in a wrapper too), which hold albums and prizes.
  static let music: RecordNesting = {
    var nesting = RecordNesting()
    nesting.nodes = [RecordNesting.Node](repeating: RecordNesting.Node(), count: 4)
    nesting.roots[""] = 0
    nesting.nodes[0].children = ["artist": 1, "artists": 1]
    nesting.nodes[0].wrappers = ["artists": ["artist": 1]]
    nesting.nodes[1].children = ["albums": 2, "prize": 3]
    return nesting
  }()

  private func read(
    _ text: String,
    _ format: FileFormat = .json,
    nesting: RecordNesting = music,
    discovers: Bool = false,
    chunkSize: Int = .max
  ) throws -> (records: [Nested], nesting: RecordNesting, faults: [String]) {
    var reader = JSONRecordReader(
      ChunkedSource(Array(text.utf8), chunkSize: chunkSize),
      file: "in.json",
      format: format,
      nesting: nesting,
      discoversNesting: discovers,
      limits: ReadLimits(chunkByteCount: min(chunkSize, 128 << 10))
    )
    try reader.open()
    var records: [Nested] = []
    var faults: [String] = []
    var batch = RecordBatch()
    while try reader.fill(&batch) {
      for index in 0..<batch.count {
        let header = batch.records[index]
        let shape = batch.shapes[Int(header.kind)]
        let fields = shape.columns.indices.compactMap { column -> String? in
          let field = batch.field(column, of: index)
          guard !field.isAbsent else { return nil }
          return "\(shape.columns[column])=\(field.isNull ? "-" : self.text(of: batch.text.bytes(of: field.text)))"
        }
        records.append(
          Nested(
            shape: shape.name,
            ordinal: header.ordinal,
            parent: header.parent,
            place: "\(header.line):\(header.column)",
            raw: self.text(of: batch.raw(index)),
            fields: fields
          )
        )
      }
      faults += batch.faults.map { "\($0.record) \($0.diagnostic.code.rawValue)" }
    }
    return (records, reader.foundNesting, faults)
  }

  private func text(of bytes: Span<UInt8>) -> String {
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }

  private static let document = """
    [{"name": "L\\u0031", "artists": [
      {"name": "A", "albums": [{"title": "x"}, {"title": "y", "more": [{"no": 1}]}], "town": "T"},
      {"prize": {"year": 1}, "name": "B"}], "genre": null},
     {"artists": {"artist": [{"name": "C"}], "note": 5}}, {"artists": {"name": "D"}, "name": "L3"}, {"artists": {}}]
    """

  private static let expected = [
    #" 1 in -1 at 1:2: ["name=L1", "genre=-"]"#,
    #"artists 2 in 1 at 2:3: ["name=A", "town=T"] {"name": "A", "albums": [{"title": "x"}, {"title": "y", "more": [{"no": 1}]}], "town": "T"}"#,
    #"albums 3 in 2 at 2:28: ["title=x"] {"title": "x"}"#,
    #"albums 4 in 2 at 2:44: ["title=y", "more=[{\"no\": 1}]"] {"title": "y", "more": [{"no": 1}]}"#,
    #"artists 5 in 1 at 3:3: ["name=B"] {"prize": {"year": 1}, "name": "B"}"#,
    #"prize 6 in 5 at 3:4: ["year=1"] "prize": {"year": 1}"#,
    #" 7 in -1 at 4:2: ["artists.note=5"] {"artists": {"artist": [{"name": "C"}], "note": 5}}"#,
    #"artist 8 in 7 at 4:26: ["name=C"] {"name": "C"}"#,
    #" 9 in -1 at 4:55: ["name=L3"] {"artists": {"name": "D"}, "name": "L3"}"#,
    #"artists 10 in 9 at 4:56: ["name=D"] "artists": {"name": "D"}"#,
    #" 11 in -1 at 4:97: [] {"artists": {}}"#,
  ]

  @Test(arguments: [1, 2, 3, 7, 64, 4096, 128 << 10])
  func `objects and arrays of objects are records behind the one around them`(chunkSize: Int) throws {
    let found = try read(Self.document, chunkSize: chunkSize)
    let shown = found.records.map { record in
      var record = record
      if record.ordinal == 1 { record.raw = "" }
      return "\(record)".trimmingEnd()
    }
    #expect(shown == Self.expected)
    #expect(found.faults == [])
  }

  @Test func `a line of NDJSON holds its records, and none of them if it is malformed`() throws {
    let found = try read(
      "{\"artist\": {\"name\": \"A\"}}\n{\"artist\": [{\"name\": \"B\"}, {\"name\": }]}\n{\"name\": \"L\"}\n",
      .ndjson
    )
    #expect(found.records.map(\.ordinal) == [1, 2, 3, 4])
    #expect(found.records.map(\.parent) == [-1, 1, -1, -1])
    #expect(
      found.faults == ["2 malformed-json"] || found.faults.allSatisfy { $0.hasPrefix("2 ") || $0.hasPrefix("0 ") }
    )
    #expect(found.records.last?.fields == ["name=L"])
  }

  @Test func `values that are no objects are records of themselves, and null is none`() throws {
    let found = try read(#"[{"artists": ["A", 1, null, [2], {"name": "B"}], "artist": "C"}]"#)
    #expect(found.records.map(\.fields) == [[], ["#text=A"], ["#text=1"], ["#text=[2]"], ["name=B"], ["#text=C"]])
    #expect(found.records.map(\.raw)[1...] == [#""A""#, "1", "[2]", #"{"name": "B"}"#, #""artist": "C""#])
  }

  @Test(arguments: chunkSizes)
  func `a value where keys are taken is a field of the record around`(chunkSize: Int)
    throws
  {
    let text = #"""
      [{"name": "L", "artists": ["A", {"name": "B"}, "C\u0021", 4, null]}, {"artists": {"artist": ["D", "E"]}},
       {"artist": "F"}, {"artists": []}, {"artists": [{"name": "G", "prize": "H"}]}]
      """#
    var nesting = Self.music
    nesting.nodes[0].keyNames = ["artist", "artists", "artists.artist"]
    var reader = JSONRecordReader(
      ChunkedSource(Array(text.utf8), chunkSize: chunkSize),
      file: "in.json",
      format: .json,
      nesting: nesting,
      limits: ReadLimits(chunkByteCount: min(chunkSize, 128 << 10))
    )
    try reader.open()
    var found: [String] = []
    var batch = RecordBatch()
    while try reader.fill(&batch) {
      for index in 0..<batch.count {
        let shape = batch.shapes[Int(batch.records[index].kind)]
        var fields = shape.columns.indices.map { ($0, batch.field($0, of: index)) }.filter { !$0.1.isAbsent }
        for repeated in batch.repeats where repeated.record == index {
          fields.append((repeated.column, repeated.field))
        }
        let shown = fields.map { "\(shape.columns[$0])=\(self.text(of: batch.text.bytes(of: $1.text)))" }
        found.append("\(shape.name) \(shown.joined(separator: " "))")
      }
      #expect(batch.faults.isEmpty)
    }
    #expect(
      found == [
        " name=L artists=A artists=C! artists=4", "artists name=B", " artists.artist=D artists.artist=E", " artist=F",
        " ",
        " ", "artists name=G", "prize #text=H",
      ]
    )
  }

  @Test func `a fault of one record is not another's`() throws {
    let found = try read(#"[{"name": "L", "artists": [{"name": 1, "name": 2}, {"name": "\ud800"}, {"name": "C"}]}]"#)
    #expect(found.faults == ["1 extra-cell", "2 encoding-error"])
    #expect(found.records.map(\.fields) == [["name=L"], [], [], ["name=C"]])
  }

  @Test func `arrays that hold objects are found, wherever they stand`() throws {
    let text = #"""
      [{"a": [1, 2], "b": {"c": [{"d": [{"e": 1}]}, 3]}, "f": [[{"g": 1}]], "H": []},
       {"h": [{}], "b": {"c": []}, "i": [{"\u006A": [{"k": 1}]}]}]
      """#
    let found = try read(text, nesting: RecordNesting(), discovers: true).nesting
    #expect(Set(found.nodes[0].children.keys) == ["b.c", "h", "i"])
    let (inner, other) = (found.nodes[0].children["b.c"] ?? 0, found.nodes[0].children["i"] ?? 0)
    #expect(Set(found.nodes[inner].children.keys) == ["d"])
    #expect(Set(found.nodes[other].children.keys) == ["j"])
    let records = try read(text, nesting: found).records
    #expect(records.map(\.shape) == ["", "c", "d", "c", "", "h", "i", "j"])
    // Names are compared without regard to case, so that 'H' is an array of none.
    #expect(records[0].fields == ["a=[1, 2]", "f=[[{\"g\": 1}]]"])
  }

  @Test func `a record is taken out with its comma, or its name`() throws {
    var reader = JSONRecordReader(
      ChunkedSource(Array(#"[{"artists":[{"name":"A"} , {"name":"B"},{"prize":{"y":1},"name":"C"}],"x":1}]"#.utf8)),
      file: "in.json",
      format: .json,
      nesting: Self.music
    )
    try reader.open()
    var batch = RecordBatch()
    #expect(try reader.fill(&batch))
    let cuts: [([Int], String)] = [
      ([1], #"{"artists":[{"name":"A"} ],"x":1}"#), ([2], #"{"artists":[ {"name":"B"}],"x":1}"#),
      ([3], #"{"artists":[ {"prize":{"y":1},"name":"C"}],"x":1}"#),
      ([1, 3], #"{"artists":[{"name":"A"} , {"prize":{"y":1},"name":"C"}],"x":1}"#),
      ([4], #"{"artists":[ {"prize":{"y":1},"name":"C"}],"x":1}"#),
    ]
    for (wanted, expected) in cuts {
      let bytes = batch.raw(0, keeping: wanted)
      #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate func trimmingEnd() -> String { String(reversed().drop { $0 == " " }.reversed()) }
}
