/// Files beside an input, which its records name.
package protocol SiblingFiles: Sendable {
  /// Appends a file's bytes to `text`.
  ///
  /// - Parameters:
  ///   - name: A path relative to the input's folder.
  ///   - limit: How many bytes it may have.
  ///   - text: As it was, unless all was read.
  func read(_ name: Span<UInt8>, limit: Int, into text: inout TextBuffer) -> SiblingFileFault?
}

/// Why the bytes of a file beside an input were not read.
package enum SiblingFileFault: Sendable, Hashable {
  /// There is no such file.
  case missing
  /// The path leads out of the input's folder, or through a symbolic link.
  case outside
  /// It is a folder, a pipe or a device.
  case irregular
  /// It has more bytes than the limit allows.
  case tooLong(limit: Int)
  /// The system refuses it, in its words.
  case unreadable(String)
}
