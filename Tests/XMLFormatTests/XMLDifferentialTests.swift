import Diagnostics
import Glibc
import Records
import Testing

@testable import XMLFormat

/// Reads what `scripts/check-xml-differential` has generated, for its comparison with expat.
///
/// The file that `IMPORTER_XML_DOCUMENTS` names holds documents, each behind its length in four bytes. Beside it, in
/// `….read`, a line is written for each: `-` and the reason of a refusal, or `+` and the records, in hexadecimal.
@Suite struct XMLDifferential {
  @Test func `generated documents are read for comparison`() throws {
    guard let variable = unsafe getenv("IMPORTER_XML_DOCUMENTS") else { return }
    let path = unsafe String(cString: variable)
    let bytes = try #require(contents(of: path))
    var output = ""
    var position = 0
    while position + 4 <= bytes.count {
      let count = (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
      let document = Array(bytes[position + 4..<position + 4 + count])
      position += 4 + count
      let chunkSize = [1, 3, 7, 64, 4096][position % 5]
      output += line(of: try readXML(document, chunkSize: chunkSize, recordPath: "rec")) + "\n"
    }
    guard let file = unsafe fopen(path + ".read", "w") else {
      Issue.record("the answer cannot be written")
      return
    }
    unsafe fputs(output, file)
    unsafe fclose(file)
  }

  private func line(of document: ReadDocument) -> String {
    if let refusal = document.refusal { return "- \(refusal.message.replacing("\n", with: " "))" }
    var line = "+"
    for record in document.records {
      line += " r"
      for (name, value) in record.fields { line += " \(hexadecimal(name)):\(hexadecimal(value))" }
      for more in record.repeats {
        let parts = more.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        line += " \(hexadecimal(String(parts[0]))):\(hexadecimal(String(parts[1])))"
      }
    }
    return line
  }

  private func hexadecimal(_ text: String) -> String {
    let digits = Array("0123456789abcdef")
    return String(text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private func contents(of path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
