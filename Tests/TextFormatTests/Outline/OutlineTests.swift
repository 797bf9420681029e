import Diagnostics
import Records
import TestSupport
import TextFormat
import Testing

@Suite struct ReadingOutlines {
  /// Records as `kind<parent:name=value…`, faults as `line code`.
  struct Reading: Hashable {
    var records: [String] = []
    var raws: [String] = []
    var faults: [String] = []
    var opening = ""
  }

  private func read(
    _ input: String,
    _ layout: OutlineLayout,
    chunkSize: Int = .max,
    limits: ReadLimits = ReadLimits()
  ) throws -> Reading {
    var limits = limits
    limits.chunkByteCount = min(limits.chunkByteCount, chunkSize)
    var reader = OutlineReader(
      ChunkedSource(input, chunkSize: chunkSize),
      file: "in.txt",
      layout: layout,
      limits: limits
    )
    try reader.open()
    var batch = RecordBatch()
    var result = Reading()
    while try reader.fill(&batch) {
      for record in 0..<batch.count {
        let header = batch.records[record]
        let shape = batch.shapes[Int(header.kind)]
        var shown = shape.name + (header.parent < 0 ? "" : "<\(header.parent)")
        for (column, name) in shape.columns.enumerated() {
          let field = batch.field(column, of: record)
          if !field.isAbsent { shown += " \(name)=\(text(batch.text.bytes(of: field.text)))" }
        }
        for further in batch.repeats where further.record == record {
          shown += " \(shape.columns[further.column])+=\(text(batch.text.bytes(of: further.field.text)))"
        }
        result.records.append(shown)
        result.raws.append(text(batch.raw(record)))
        #expect(header.ordinal == Int64(result.records.count))
      }
      for fault in batch.faults.map(\.diagnostic) {
        result.faults.append("\(fault.location.line) \(fault.code.rawValue)")
      }
    }
    result.opening = String(decoding: reader.framing.opening, as: UTF8.self)
    return result
  }

  private let cells = OutlineLayout(style: .cells(delimiter: "|"))
  private let labels = OutlineLayout(style: .labels)
  private static let sizes = [1, 2, 3, 7, 64, 4096, 128 << 10]

  private static let labelled = """
    Label: Basalt Audio
      genre: ambient

      # not looked at
      founded: 1994
      Artist: Mira Tal
        hometown: Hanoi
        Album: Low Tide
          released: 1998
      Artist: Ottavo
    Label:
      genre: a
      genre: b
    """

  @Test func `labels make records, deeper keys their attributes, whatever the size of chunks`() throws {
    var layout = labels
    layout.comment = "#"
    let whole = try read(Self.labelled, layout)
    #expect(
      whole.records == [
        "Label name=Basalt Audio genre=ambient founded=1994", "Artist<1 name=Mira Tal hometown=Hanoi",
        "Album<2 name=Low Tide released=1998", "Artist<1 name=Ottavo", "Label genre=a genre+=b",
      ]
    )
    #expect(whole.faults == [])
    #expect(whole.raws[1] == "  Artist: Mira Tal\n    hometown: Hanoi\n")
    #expect(whole.opening == "%outline: labels\n%kinds: Label, Artist, Album\n%parts:\n")
    for size in Self.sizes { #expect(try read(Self.labelled, layout, chunkSize: size) == whole, "\(size)") }
    // What a file of rejects is: parts that hang below nothing, whatever stands before them.
    let rejects = try read(whole.opening + whole.raws[3] + "%\n" + whole.raws[2], labels)
    #expect(rejects.records == ["Artist<0 name=Ottavo", "Album<0 name=Low Tide released=1998"])
    #expect(rejects.faults == [])
    #expect(rejects.opening == "%outline: labels\n%kinds: Label, Artist, Album\n%parts:\n")
  }

  @Test func `a plus continues a value with the line end before it, whatever the size of chunks`() throws {
    let text =
      "A:\n  x: one\n  + two\r\n  +  three\r  +\n  y:\n  + \n  x: four\n  + five\n  B: six\n    z: 1\n    + : 2\nA:\n  y: 7\n"
    let whole = try read(text, labels)
    #expect(
      whole.records == [
        "A x=one\ntwo\r\n three\r y=\n x+=four\nfive", "B<1 name=six z=1\n: 2", "A y=7",
      ]
    )
    #expect(whole.faults == [] && whole.raws.joined() == text)
    for size in Self.sizes { #expect(try read(text, labels, chunkSize: size) == whole, "\(size)") }
    let rejects = try read(whole.opening + whole.raws[0], labels)
    #expect(rejects.records == [whole.records[0]])
    // Of another line, or at another indentation, it continues nothing.
    for stray in ["A: 1\n  + x\n", "A:\n  x: 1\n\n  + y\n", "A:\n  x: 1\n    + y\n", "A:\n  x: 1\n+ y\n"] {
      #expect(try read(stray, labels).faults.map { $0.drop { $0 != " " } } == [" unreadable-line"], "\(stray)")
    }
  }

  @Test func `no kinds count but those that a file tells`() throws {
    var layout = labels
    layout.kinds = ["A", "x"]
    #expect(try read("A:\n  x: 1\n", layout).records == ["A", "x<1 name=1"])
    #expect(try read("%outline: labels\n%kind: A\nA:\n  x: 1\n", layout).records == ["A x=1"])
  }

  @Test func `a record is put back below another one in a file of rejects`() throws {
    let whole = try read("A: 1\n  B: 2\n    x: 1\n", labels)
    let mended = try read(whole.opening + whole.raws[0] + "%+\n" + whole.raws[1] + "%\n" + whole.raws[1], labels)
    #expect(mended.records == ["A name=1", "B<1 name=2 x=1", "B<0 name=2 x=1"])
    let lines = try read("A | 1\n  B | 2\n", cells)
    let again = try read(lines.opening + lines.raws.joined() + "%\n" + lines.raws[1], cells)
    #expect(again.records.map { $0.prefix(9) } == ["level_1 c", "level_2<1", "level_2<0"])
    #expect(again.faults == [])
  }

  @Test func `a line that parts the records of a file of rejects is none itself`() throws {
    for mark in ["%", "%+"] {
      let whole = try read("A\n  \(mark)\n\(mark)\n\(mark) \nB\n", cells)
      #expect(whole.faults == ["3 unreadable-line"])
      #expect(whole.raws == ["A\n", "  \(mark)\n", "\(mark)\n", "\(mark) \n", "B\n"])
    }
  }

  @Test func `a record that looks like a line of the head is a record`() throws {
    let whole = try read("%kinds: A\n%indent: 3\nB\n", cells)
    #expect(whole.raws == ["%kinds: A\n", "%indent: 3\n", "B\n"])
    let rejects = try read(whole.opening + whole.raws[0] + "%\n" + whole.raws[1], cells)
    #expect(rejects.raws == Array(whole.raws.prefix(2)))
    #expect(rejects.faults == [])
  }

  @Test func `an attribute that is called like a kind stays one in a file of rejects`() throws {
    let whole = try read("Person: Ada\n  Company: Acme\n\nCompany: Acme\n", labels)
    #expect(whole.records == ["Person name=Ada Company=Acme", "Company name=Acme"])
    let rejects = try read(whole.opening + whole.raws[0] + "%\n" + whole.raws[1], labels)
    #expect(rejects.records == whole.records)
  }

  @Test func `an attribute that was rejected is no record of its own in a file of rejects`() throws {
    let whole = try read("A: 1\n  B: 2\n    x: 1\n  late: 1\n", labels)
    #expect(whole.faults == ["4 unreadable-line"])
    let rejects = try read(whole.opening + whole.raws[2], labels)
    #expect(rejects.faults == ["4 unreadable-line"])
  }

  @Test func `kinds of any name are told in a file of rejects`() throws {
    let whole = try read("a, b: 1\n  c  d: 2\n    x: 1\n", labels)
    #expect(whole.records.count == 2)
    let rejects = try read(whole.opening + whole.raws[1] + "%\n" + whole.raws[0], labels)
    #expect(rejects.records == ["c  d<0 name=2 x=1", "a, b name=1"])
  }

  @Test(arguments: ["  ", "\t", "    ", " \t"], ["\n", "\r\n", "\r"])
  func `depth tells the kind of lines with cells`(unit: String, lineEnd: String) throws {
    let lines = ["A | x", ">B | y", ">>C", ">>D", ">E", "F"].map { $0.replacing(">", with: unit) + lineEnd }
    let whole = try read(lines.joined(), cells)
    #expect(
      whole.records == [
        "level_1 column_1=A column_2=x", "level_2<1 column_1=B column_2=y", "level_3<2 column_1=C",
        "level_3<2 column_1=D", "level_2<1 column_1=E", "level_1 column_1=F",
      ]
    )
    #expect(whole.faults == [])
    #expect(whole.raws == lines)
    for size in Self.sizes { #expect(try read(lines.joined(), cells, chunkSize: size) == whole) }
  }

  @Test func `a line too deep is rejected with what hangs below it`() throws {
    let whole = try read("A\n  B\n      C\n        D\n  E\n", cells)
    #expect(whole.faults == ["3 bad-indentation", "4 bad-indentation"])
    #expect(whole.records.count == 5)
    #expect(whole.raws[2] + whole.raws[3] == "      C\n        D\n")
  }

  @Test(arguments: [
    ("A: 1\n    B: 2\n      C: 3\n        D: 4\n   E: 5\n", ["5 bad-indentation"]),
    ("A: 1\n  B: 2\n    x: 1\n\tB: 3\n    y: 1\n", ["4 bad-indentation", "5 bad-indentation"]),
    ("A: 1\n  no colon\nB: 2\n", ["2 unreadable-line"]),
    ("A: 1\n  B: 2\n    x: 1\n  late: 1\nA: 2\n", ["4 unreadable-line"]),
  ])
  func `what fits nowhere is a fault of its own record`(input: String, faults: [String]) throws {
    let whole = try read(input, labels)
    #expect(whole.faults.contains(faults[0]))
    for size in Self.sizes { #expect(try read(input, labels, chunkSize: size) == whole) }
    #expect(whole.raws.joined() == input)
  }

  @Test func `limits hold`() throws {
    var limits = ReadLimits()
    limits.recordByteCount = 40
    limits.fieldByteCount = 10
    limits.columnCount = 2
    let long = try read("A: 1\n" + String(repeating: "x", count: 100) + "\nB: 2\n", labels, limits: limits)
    #expect(long.faults.contains("2 record-too-long") || long.faults.contains("2 unreadable-line"))
    #expect(long.records.last == "B name=2")
    #expect(try read("A: 12345678901\n", labels, limits: limits).faults == ["1 field-too-long"])
    #expect(try read("A: 1\n  b: 1\n  c: 1\n", labels, limits: limits).faults == ["1 extra-cell"])
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `any text gives the same records at any size of chunks`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "A: 1", "b: 2", "C:", "x | y", "", " ", "  ", "    ", "\t", "\n", "\n", "\r\n", "\r", "# c", "é: ü", ":",
      "\n  + x", "\n+",
    ]
    let input = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
    for layout in [labels, cells] {
      let whole = try read(input, layout)
      for size in [1, 3, 7, 64] {
        #expect(try read(input, layout, chunkSize: size) == whole, "\(input.debugDescription)")
      }
    }
  }
}
