import Diagnostics
import Reporting
import Testing

@Suite struct DiagnosticTexts {
  static let required = Diagnostic(
    code: .required,
    location: SourceLocation(file: "contacts.txt", record: 3, line: 4, column: 5, byteOffset: 40, byteCount: 0),
    entity: "Contatto",
    field: "cognome",
    message: "required value is missing",
    remedy: "give 'cognome' a value, or make it optional in the model"
  )

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let shown: String
    let diagnostic: Diagnostic

    init(_ testDescription: String, _ shown: String, change: (inout Diagnostic) -> Void = { _ in }) {
      self.testDescription = testDescription
      self.shown = shown
      var diagnostic = DiagnosticTexts.required
      change(&diagnostic)
      self.diagnostic = diagnostic
    }
  }

  static let help = "\n  help: give 'cognome' a value, or make it optional in the model"
  static let cases = [
    Case(
      "an error of a field",
      "contacts.txt:4:5: error: required value is missing (field 'cognome') [required]" + help
    ),
    Case("a warning", "contacts.txt:4:5: warning: required value is missing (field 'cognome') [required]" + help) {
      $0.severity = .warning
    },
    Case("a whole record", "contacts.txt:4: error: 2 cells, expected 3 [missing-cell]" + help) {
      $0.code = .missingCell
      $0.location.column = nil
      $0.field = nil
      $0.message = "2 cells, expected 3"
    },
    Case("a whole document, without a remedy", "contacts.txt:1: error: no element is closed [malformed-xml]") {
      $0.code = .malformedXML
      $0.location = SourceLocation(file: "contacts.txt")
      $0.field = nil
      $0.message = "no element is closed"
      $0.remedy = ""
    },
    Case(
      "standard input",
      "<stdin>:4:5: error: required value is missing (field 'cognome') [required]" + help
    ) { $0.location.file = "-" },
    Case(
      "hostile names and sentences",
      #"a\n\x1B]8;;b:4:5: error: '\u{202E}' is no date (field 'co'g\u{9B}2J') [type-error]"# + "\n"
        + #"  help: write\r it"#
    ) {
      $0.code = .typeError
      $0.location.file = "a\n\u{1B}]8;;b"
      $0.field = "co'g\u{9B}2J"
      $0.message = "'\u{202E}' is no date"
      $0.remedy = "write\r it"
    },
    Case(
      "a name of a million characters",
      "contacts.txt:4:5: error: required value is missing (field '\(String(repeating: "x", count: 200))…') [required]"
        + help
    ) { $0.field = String(repeating: "x", count: 1_000_000) },
  ]

  @Test(arguments: cases) func `a diagnostic reads like a compiler's message`(_ example: Case) {
    #expect(DiagnosticText().message(for: example.diagnostic) == example.shown)
  }

  @Test func `colour marks the place and the severity, and nothing else`() {
    let text = DiagnosticText(isColored: true)
    #expect(
      text.message(for: Self.required)
        == "\u{1B}[1mcontacts.txt:4:5:\u{1B}[0m \u{1B}[1;31merror:\u{1B}[0m "
        + "required value is missing (field 'cognome') [required]" + Self.help
    )
    var warning = Self.required
    warning.severity = .warning
    #expect(text.message(for: warning).contains(" \u{1B}[1;33mwarning:\u{1B}[0m "))
  }

  @Test(arguments: cases) func `without colour no message holds an ESC, with colour only ours`(_ example: Case) {
    #expect(!DiagnosticText().message(for: example.diagnostic).contains("\u{1B}"))
    let colored = DiagnosticText(isColored: true).message(for: example.diagnostic)
    #expect(colored.filter { $0 == "\u{1B}" }.count == 4)
  }
}
