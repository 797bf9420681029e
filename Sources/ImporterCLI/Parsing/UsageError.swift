package import Diagnostics

/// A command line, or a line of an options file, that cannot be understood.
package struct UsageError: RunFailure, Hashable {
  /// A line of an options file.
  package struct Place: Sendable, Hashable {
    /// The file as the user named it.
    package var file: String
    /// The line, from 1; nil when the whole file is meant.
    package var line: Int?
  }

  /// What is wrong, in lower case.
  package var message: String
  /// What to do about it.
  package var remedy: String?
  /// The name of the command whose usage applies; empty for `importer` itself.
  package var command: String
  /// The place in an options file; nil when the command line is at fault.
  package var place: Place?

  /// Makes an error; see the properties.
  package init(_ message: String, remedy: String? = nil, command: String = "", place: Place? = nil) {
    self.message = message
    self.remedy = remedy
    self.command = command
    self.place = place
  }

  /// Wrong usage, or a wrong options file.
  package var kind: FailureKind { place == nil ? .usage : .model }

  /// The failure in one sentence, with its place.
  package var description: String {
    guard let place else { return message }
    return excerpt(of: place.file) + (place.line.map { ":\($0)" } ?? "") + ": " + message
  }
}
