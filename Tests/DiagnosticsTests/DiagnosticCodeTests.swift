import Diagnostics
import Glibc
import Testing

@Suite struct DiagnosticCodes {
  /// Users' scripts depend on these; a new code is added here, none is ever taken out or changed.
  static let published = """
    missing-cell extra-cell unreadable-line unterminated-quote text-after-quote nested-record mixed-content \
    record-too-long field-too-long truncated-record blank-header duplicate-label missing-label extra-label \
    encoding-error illegal-character type-error required out-of-range length pattern enum unique-error duplicate-key \
    database-constraint malformed-xml malformed-json entity-refused input-changed
    """.split(separator: " ").map(String.init)

  @Test(arguments: published) func `a published code stays`(_ name: String) {
    #expect(DiagnosticCode(rawValue: name) != nil)
  }

  @Test func `codes are words in lower case parted by hyphens`() {
    for code in DiagnosticCode.allCases {
      #expect(code.rawValue.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") })
      #expect(!code.rawValue.hasPrefix("-") && !code.rawValue.hasSuffix("-"))
    }
  }

  @Test func `every code is explained, once, in the article about them`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let article = try #require(Self.text(of: root + "/Sources/Diagnostics/Diagnostics.docc/FaultCodes.md"))
    let explained = article.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      String(line.dropFirst(3).prefix { $0 != "`" })
    }
    #expect(explained.sorted() == DiagnosticCode.allCases.map(\.rawValue).sorted())
  }

  private static func text(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100_000)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}
