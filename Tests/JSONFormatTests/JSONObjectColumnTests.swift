import EntityModel
import JSONFormat
import Records
import TestSupport
import Testing

@Suite struct JSONObjectColumnTests {
  @Test(arguments: [1, 7, 4096])
  func `members of objects are told from names with dots`(chunkSize: Int) throws {
    let text = #"[{"a.b": 1, "c": {"d": 2, "e": {"f": 3}, "g.h": 4}}]"#
    var reader = JSONRecordReader(
      ChunkedSource(Array(text.utf8), chunkSize: chunkSize),
      file: "f.json",
      format: .json
    )
    var batch = RecordBatch()
    try reader.open()
    while try reader.fill(&batch) {}
    let shape = try #require(reader.shapes.first)
    #expect(shape.columns == ["a.b", "c.d", "c.e.f", "c.g.h"])
    #expect(shape.objectLengths == [1: 1, 2: 3, 3: 1])
  }
}
