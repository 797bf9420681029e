import Diagnostics
import Reporting
import Testing

@Suite struct TerminalMessages {
  /// What a sink prints when it is told so many of each.
  private func printed(
    isQuiet: Bool = false,
    isVerbose: Bool = false,
    isSuccess: Bool = false,
    _ told: [(count: Int, code: DiagnosticCode, severity: Diagnostic.Severity)]
  ) -> [String] {
    var lines: [String] = []
    let sink = TerminalDiagnostics(isQuiet: isQuiet, isVerbose: isVerbose) { lines.append($0) }
    for (count, code, severity) in told {
      for number in 0..<count {
        sink.note(
          Diagnostic(
            severity: severity,
            code: code,
            location: SourceLocation(file: "f", line: number + 1),
            message: "m",
            remedy: ""
          )
        )
      }
    }
    sink.finish(isSuccess: isSuccess)
    return lines
  }

  @Test func `ten of a code are shown, then how many more`() {
    let lines = printed([(1_244, .required, .error)])
    #expect(lines.count == 11)
    #expect(lines[9] == "f:10: error: m [required]")
    #expect(lines[10] == "… and 1,234 more [required]")
  }

  @Test func `exactly ten need no further word`() {
    #expect(printed([(10, .required, .error)]).count == 10)
    #expect(printed([(11, .required, .error)]).last == "… and 1 more [required]")
    #expect(printed([]).isEmpty)
  }

  @Test func `each code has a cap of its own, and the errors come last`() {
    let lines = printed([(12, .typeError, .error), (15, .extraLabel, .warning), (13, .required, .error)])
    #expect(lines.count == 33)
    #expect(lines.suffix(3) == ["… and 5 more [extra-label]", "… and 2 more [type-error]", "… and 3 more [required]"])
  }

  @Test func `warnings of a code do not use up its errors`() {
    let lines = printed([(30, .missingCell, .warning), (3, .missingCell, .error)])
    #expect(lines.filter { $0.contains("error:") }.count == 3)
    #expect(lines.last == "… and 20 more [missing-cell]")
  }

  @Test func `verbose shows all`() {
    #expect(printed(isVerbose: true, [(1_000, .required, .error)]).count == 1_000)
  }

  @Test func `quiet says nothing of warnings where all went well`() {
    #expect(printed(isQuiet: true, isSuccess: true, [(30, .extraLabel, .warning)]).isEmpty)
    #expect(printed(isSuccess: true, [(30, .extraLabel, .warning)]).count == 11)
  }

  @Test func `quiet keeps warnings back until it is known that something failed`() {
    let lines = printed(isQuiet: true, [(12, .extraLabel, .warning), (12, .required, .error)])
    #expect(lines.count == 22)
    #expect(lines.prefix(10).allSatisfy { $0.contains("error:") })
    #expect(lines[10...19].allSatisfy { $0.contains("warning:") })
    #expect(lines.suffix(2) == ["… and 2 more [extra-label]", "… and 2 more [required]"])
  }

  @Test func `after its end it counts anew`() {
    var lines: [String] = []
    let sink = TerminalDiagnostics { lines.append($0) }
    for _ in 0..<12 { sink.note(DiagnosticTexts.required) }
    sink.finish()
    sink.finish()
    #expect(lines.count == 11)
    sink.note(DiagnosticTexts.required)
    #expect(lines.count == 12)
  }
}
