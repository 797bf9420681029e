import Diagnostics

/// What is wrong with the indentation of a line.
enum IndentationFault {
  case mixed, between, belowRejected
  case tooDeep(Int)
}

/// What is wrong with a line of an outline, other than its indentation.
enum OutlineFault {
  case noKind, unknownKind, attributeBehindChildren, badKey, partMark
}

extension Diagnostic {
  /// A line's indentation fits no record above it.
  static func indentation(_ fault: IndentationFault, at location: SourceLocation) -> Diagnostic {
    let (message, remedy): (String, String) =
      switch fault {
      case .mixed:
        (
          "the line is indented otherwise than the lines above it",
          "indent all lines alike, by spaces or by tabs, by as many for each level"
        )
      case .between:
        (
          "the line goes back to an indentation that no record above it has",
          "indent it like the record beside which it belongs"
        )
      case .belowRejected: ("the record hangs below a line that is rejected", "mend the line above it, and load both")
      case .tooDeep(let levels):
        (
          "the line is \(levels + 1) levels deeper than what is above it", "indent it by one level below its record"
        )
      }
    return Diagnostic(
      code: .badIndentation,
      location: location,
      expected: "the indentation of a record above it, or one level more",
      message: message,
      remedy: remedy
    )
  }

  /// A line of a labelled outline is neither a record nor an attribute.
  static func outline(_ fault: OutlineFault, at location: SourceLocation) -> Diagnostic {
    let (message, remedy): (String, String) =
      switch fault {
      case .noKind: ("the line is no 'Kind: value'", "write the kind of the record and a colon before it")
      case .unknownKind:
        (
          "the key is none of the kinds that '%kinds' names",
          "begin the part with 'Kind: value', or add the kind to '%kinds'"
        )
      case .attributeBehindChildren:
        (
          "the attribute stands behind the children of its record",
          "move it up, directly below the line that begins its record"
        )
      case .partMark:
        (
          "the line is one that parts records in a file of rejects",
          "write something else beside it, or tell --layout lines if the file is no outline"
        )
      case .badKey: ("a key is no text in UTF-8, or too long", "convert the file to UTF-8, or tell --encoding")
      }
    return Diagnostic(
      code: .unreadableLine,
      location: location,
      expected: fault == .partMark ? "a record" : "'Kind: value', with deeper 'key: value' lines below it",
      message: message,
      remedy: remedy
    )
  }

  /// More columns than an input may have.
  static func tooManyColumns(limit: Int, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      code: .extraCell,
      location: location,
      expected: "at most \(limit) columns",
      message: "the record has a column more than the \(limit) that an input may have",
      remedy: "check whether the file is an outline at all; --layout tells another layout"
    )
  }
}
