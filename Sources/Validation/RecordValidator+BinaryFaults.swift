import Diagnostics
import Records

/// What is wrong with bytes that a file gives otherwise than in base64.
extension RecordValidator {
  /// A file beside the input that cannot be read.
  func fileFault(
    _ fault: SiblingFileFault,
    shown: String,
    _ make: (_ code: DiagnosticCode, _ message: String, _ expected: String?, _ remedy: String) -> Diagnostic
  ) -> Diagnostic {
    let expected = "the name of a file in the input's folder"
    switch fault {
    case .missing:
      return make(
        .missingFile,
        "there is no file '\(shown)' beside the input",
        expected,
        "put it there, correct its name, or leave the value out"
      )
    case .outside:
      return make(
        .fileRefused,
        "'\(shown)' leads out of the input's folder, or through a symbolic link, and is not read",
        expected,
        "put the file into that folder, and name it from there"
      )
    case .irregular:
      return make(
        .fileRefused,
        "'\(shown)' is no plain file, and is not read",
        expected,
        "name a file that holds the bytes"
      )
    case .unreadable(let reason):
      return make(.fileRefused, "'\(shown)' cannot be read: \(reason)", expected, "make the file readable")
    case .tooLong(let limit):
      return make(
        .fieldTooLong,
        "the file '\(shown)' has more than \(limit) bytes",
        "a file of at most \(limit) bytes",
        "raise --max-record-size"
      )
    }
  }

  /// A value that is no hexadecimal number of whole bytes.
  func hexFault(
    shown: String,
    _ position: Int?,
    count: Int,
    _ make: (_ code: DiagnosticCode, _ message: String, _ expected: String?, _ remedy: String) -> Diagnostic
  ) -> Diagnostic {
    let isHalf = position == count
    return make(
      .typeError,
      isHalf
        ? "'\(shown)' ends within a byte, which has two hexadecimal digits"
        : "'\(shown)' is not hexadecimal, from byte \((position ?? 0) + 1) on",
      "two hexadecimal digits a byte",
      "write the bytes like 89504e47, or leave --binary out for base64"
    )
  }
}
