import Diagnostics
import Records
import TestSupport
import Testing

@testable import XMLFormat

@Suite struct XMLNesting {
  /// Labels hold artists, artists albums, each under its own name; artists and tags may stand in a wrapper.
  static let music: RecordNesting = {
    var nesting = RecordNesting()
    nesting.nodes = [RecordNesting.Node(), RecordNesting.Node(), RecordNesting.Node(), RecordNesting.Node()]
    nesting.nodes[0].children = ["artist": 1, "artists": 1, "tag": 3]
    nesting.nodes[0].wrappers = ["artists": ["artist": 1], "tags": ["tag": 3]]
    nesting.nodes[1].children = ["album": 2]
    nesting.roots = ["label": 0]
    return nesting
  }()

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    /// Each record as its path of kinds, its ordinal and its parent's, its line, and its fields.
    let records: [String]
  }

  static let cases = [
    Case(
      testDescription: "records in records",
      input: """
        <labels>
          <label name="Basalt"><artist name="Mira"><album title="Low"/><album title="Tin"><x/></album></artist>
            <artist name="Otto"/><genre>ambient</genre>
          </label>
          <LABEL><name>Quiet</name></LABEL>
        </labels>
        """,
      records: [
        "label 1 in -1, line 2: name=Basalt genre=ambient", "label/artist 2 in 1, line 2: name=Mira",
        "label/artist/album 3 in 2, line 2: title=Low", "label/artist/album 4 in 2, line 2: title=Tin x=",
        "label/artist 5 in 1, line 3: name=Otto", "LABEL 6 in -1, line 5: name=Quiet",
      ]
    ),
    Case(
      testDescription: "a record of nothing but text",
      input: "<l><label><tag>a</tag><tag>b&amp;c</tag><tag/></label></l>",
      records: [
        "label 1 in -1, line 1:", "label/tag 2 in 1, line 1: #text=a", "label/tag 3 in 1, line 1: #text=b&c",
        "label/tag 4 in 1, line 1: #text=",
      ]
    ),
    Case(
      testDescription: "wrappers",
      input: """
        <l><label name="A"><artists>
          <artist name="B"/>
          <artist><name>C</name></artist></artists><tags><tag>x</tag><other k="v"/></tags><tags/><artists/></label>
        <label name="D"><artists name="E"/><artists>
          <name>F</name></artists></label></l>
        """,
      records: [
        "label 1 in -1, line 1: name=A", "label/artist 2 in 1, line 2: name=B", "label/artist 3 in 1, line 3: name=C",
        "label/tag 4 in 1, line 3: #text=x", "label/other 5 in 1, line 3: k=v", "label 6 in -1, line 4: name=D",
        "label/artists 7 in 6, line 4: name=E", "label/artists 8 in 6, line 4: name=F",
      ]
    ),
    Case(
      testDescription: "fields behind what stands within, and text around it",
      input: "<l><label>own <artist>Mira <album><title>T<b>U</b></title></album></artist><name>N</name></label></l>",
      records: [
        "label 1 in -1, line 1: name=N #text=own ", "label/artist 2 in 1, line 1: #text=Mira ",
        "label/artist/album 3 in 2, line 1: title=TU",
      ]
    ),
    Case(
      testDescription: "a nested name outside of any record",
      input: "<l><artist name='A'><album/></artist><artist name='B'/></l>",
      records: ["artist 1 in -1, line 1: name=A album=", "artist 2 in -1, line 1: name=B"]
    ),
  ]

  @Test(arguments: cases, chunkSizes)
  func `records in records do not depend on chunk size`(_ example: Case, chunkSize: Int) throws {
    let document = try readXML(
      example.input,
      chunkSize: chunkSize,
      knownNames: ["label", "artist"],
      nesting: Self.music
    )
    let found = document.records.map { record in
      let fields = record.columns.compactMap { name in record.fields[name].map { " \(name)=\($0)" } }.joined()
      return "\(record.path) \(record.ordinal) in \(record.parent), line \(record.line):\(fields)"
    }
    #expect(found == example.records)
  }

  @Test(arguments: chunkSizes) func `a mark of base64 is for a record's own text, or else a field`(chunkSize: Int)
    throws
  {
    let document = try readXML(
      "<l><label encoding='base64'>QQ==</label><label encoding='base64' name='x'/><label encoding='utf-8'>a</label></l>",
      chunkSize: chunkSize,
      knownNames: ["label"]
    )
    #expect(
      document.records.map(\.fields) == [
        ["#text": "QQ=="], ["encoding": "base64", "name": "x"], ["encoding": "utf-8", "#text": "a"],
      ]
    )
    #expect(document.records.map(\.base64) == [["#text"], [], []])
  }

  @Test(arguments: chunkSizes)
  func `text where keys are taken is a field of the record around`(chunkSize: Int) throws {
    let text = """
      <l><label name="L"><artist>A&amp;B</artist><artist name="C"/><artist><![CDATA[D]]></artist></label>
      <label><artists><artist>E</artist><artist>
      F </artist></artists></label><label><artists>G</artists><artist><name>H</name></artist><artist/></label></l>
      """
    var nesting = Self.music
    nesting.nodes[0].keyNames = ["artist", "artists"]
    var reader = XMLReader(
      ChunkedSource(Array(text.utf8), chunkSize: chunkSize),
      file: "test.xml",
      knownNames: ["label"],
      nesting: nesting
    )
    var found: [String] = []
    var batch = RecordBatch()
    while try reader.fill(&batch) {
      for index in 0..<batch.count {
        let header = batch.records[index]
        let shape = batch.shapes[Int(header.kind)]
        var fields = shape.columns.indices.map { ($0, batch.field($0, of: index)) }.filter { !$0.1.isAbsent }
        for repeated in batch.repeats where repeated.record == index {
          fields.append((repeated.column, repeated.field))
        }
        let shown = fields.map { column, field in
          let bytes = batch.text.bytes(of: field.text)
          return "\(shape.columns[column])=\(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))"
        }
        found.append("\(header.ordinal) \(shape.name) \(shown.joined(separator: "|"))")
      }
    }
    #expect(
      found == [
        "1 label name=L|artist=A&B|artist=D", "2 artist name=C", "3 label artist=E|artist=\nF ", "4 label artists=G",
        "5 artist name=H", "6 artist ",
      ]
    )
  }

  @Test(arguments: chunkSizes) func `raw bytes are those of each record alone`(chunkSize: Int) throws {
    let artist = "<artist name=\"M\"><album title=\"L\"/></artist>"
    let label = "<label>\(artist)<tag>t</tag></label>"
    let document = try readXML("<l> \(label) </l>", chunkSize: chunkSize, knownNames: ["label"], nesting: Self.music)
    #expect(document.records.map(\.raw) == [label, artist, "<album title=\"L\"/>", "<tag>t</tag>"])
  }
}
