import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

/// An encoding as these tests spell it, with a sequence that is none of its characters.
private struct Spelling: CustomTestStringConvertible, Sendable {
  let name: String
  let mark: [UInt8]
  let invalid: [UInt8]
  let encode: @Sendable (String) -> [UInt8]
  var testDescription: String { name }

  private static func utf16(_ text: String, big: Bool) -> [UInt8] {
    text.utf16.flatMap { big ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  static let all = [
    Spelling(name: "UTF-8", mark: [0xEF, 0xBB, 0xBF], invalid: [0xED, 0xA0, 0x80]) { Array($0.utf8) },
    Spelling(name: "UTF-16LE", mark: [0xFF, 0xFE], invalid: [0x12, 0xDC]) { utf16($0, big: false) },
    Spelling(name: "UTF-16BE", mark: [], invalid: [0xD8, 0x0A]) { utf16($0, big: true) },
    Spelling(name: "UTF-32LE", mark: [], invalid: [0, 0, 0x11, 0]) { text in
      text.unicodeScalars.flatMap { scalar in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: scalar.value >> $0) } }
    },
    Spelling(name: "windows-1252", mark: [], invalid: [0x81]) { text in
      text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) }
    },
    Spelling(name: "Shift_JIS", mark: [], invalid: [0xA0]) { text in
      text.unicodeScalars.flatMap { $0 == "表" ? [0x95, 0x5C] : $0 == "ソ" ? [0x83, 0x5C] : [UInt8($0.value)] }
    },
  ]

  /// Characters that are more than ASCII, of those that it has.
  var letters: [String] {
    switch name {
    case "windows-1252": ["é", "€", "ÿ"]
    case "Shift_JIS": ["表", "ソ"]
    default: ["é", "表", "😀", "\u{10FFFF}", "\u{FEFF}", "\u{D7FF}"]
    }
  }
}

@Suite struct EncodedRejects {
  /// A record, whether it will be rejected, and which bytes of it are at fault.
  private struct Made {
    var bytes: [UInt8]
    var fault: Range<Int>?
  }

  private static func record(
    _ number: Int,
    as format: FileFormat,
    in spelling: Spelling,
    lineEnd: String,
    using random: inout SplitMix64
  ) -> Made {
    func text() -> String {
      let pieces = spelling.letters + ["a", "b", " ", "5", "x y"]
      let count = Int.random(in: 1...8, using: &random)
      return "t" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    let (open, middle, close) =
      switch format {
      case .ndjson: ("{\"t\":\"", "\",\"n\":", "}" + lineEnd)
      case .text: ("t: ", lineEnd + "n: ", lineEnd)
      default: ("\"", "\",", lineEnd)
      }
    var made = Made(bytes: spelling.encode(open + text()))
    let kind = Int.random(in: 0..<6, using: &random)
    if kind == 0 {
      made.fault = made.bytes.count..<made.bytes.count + spelling.invalid.count
      made.bytes += spelling.invalid + spelling.encode(text())
    } else if format == .csv, kind == 1 {
      made.bytes += spelling.encode("\"\"" + lineEnd + text())
    }
    made.bytes += spelling.encode(middle)
    if kind == 2 {
      // JSON has its own words for what is no number.
      let wrong = format == .ndjson ? "true" : "z\(number)"
      made.fault = made.bytes.count..<made.bytes.count + spelling.encode(wrong).count
      made.bytes += spelling.encode(wrong)
    } else {
      made.bytes += spelling.encode(String(number))
    }
    made.bytes += spelling.encode(close)
    return made
  }

  struct Input: CustomTestStringConvertible, Sendable {
    let format: FileFormat
    let seed: UInt64
    let count: Int
    var testDescription: String { "\(count) records of \(format.rawValue), seed \(seed)" }
  }

  static let inputs =
    [FileFormat.csv, .text, .ndjson].flatMap { format in
      [1, 2].map { Input(format: format, seed: $0, count: 40) }
    } + [Input(format: .csv, seed: 3, count: 7000)]

  @Test(arguments: Spelling.all, inputs)
  fileprivate func `rejects and accepted records together are the input, byte for byte`(
    spelling: Spelling,
    size: Input
  ) throws {
    let format = size.format
    var random = SplitMix64(seed: size.seed)
    let folder = Folder()
    let lineEnd = ["\n", "\r\n"][Int(size.seed % 2)]
    let blank = format == .text ? spelling.encode(lineEnd) : []
    let opening = spelling.mark + spelling.encode(format == .csv ? "t,n" + lineEnd : "")
    var (input, rejected) = (opening, opening)
    var faults: [(place: Range<Int>, line: Int)] = []
    for number in 0..<size.count {
      if number > 0 { input += blank }
      let made = Self.record(number, as: format, in: spelling, lineEnd: lineEnd, using: &random)
      if let fault = made.fault {
        if !faults.isEmpty { rejected += blank }
        rejected += made.bytes
        faults.append((input.count + fault.lowerBound..<input.count + fault.upperBound, number))
      }
      input += made.bytes
    }
    let name = "t.\(format.rawValue)"
    folder.write(input, to: name)
    var job = LoadJob(inputs: [folder(name)], database: folder("t.sqlite"))
    job.reading.format = format
    job.reading.encoding = spelling.name
    if format == .text { job.reading.layout = .records }
    if format == .csv {
      job.reading.header = .lines(1)
      job.reading.delimiter = ","
      job.reading.quote = .text("\"")
    }
    job.model.entity = "t"
    job.model.types = [
      ModelOptions.TypedColumn(column: "t", type: .text),
      ModelOptions.TypedColumn(column: "n", type: .integer(bits: 64)),
    ]
    let collected = Collected()
    let outcome = try job.run(diagnostics: collected)
    #expect(outcome.rejectedCount == Int64(faults.count))
    #expect(folder.read("t.rejected.\(format.rawValue)") == (faults.isEmpty ? nil : rejected))
    let places = collected.all.filter { $0.severity == .error }.map(\.location)
    #expect(places.map(\.byteOffset) == faults.map { Int64($0.place.lowerBound) })
    // Invalid UTF-8 is told byte by byte.
    guard spelling.name != "UTF-8" else { return }
    #expect(places.map(\.byteCount) == faults.map(\.place.count))
  }
}
