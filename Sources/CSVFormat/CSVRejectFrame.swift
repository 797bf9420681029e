/// Which of the lines that are no records stand in a file of rejects, too.
///
/// Lines that the user told to skip do, so that the file is read by the same options. Lines that were detected do not: among
/// fewer records the detection may find others.
package struct CSVRejectFrame: Sendable, Hashable {
  /// The skipped lines that are left out, counted from 0.
  package var leftOutLines: Range<Int>
  /// Whether the skipped footer stands there.
  package var keepsFooter: Bool

  /// Keeps every line, or leaves some out.
  package init(leftOutLines: Range<Int> = 0..<0, keepsFooter: Bool = true) {
    self.leftOutLines = leftOutLines
    self.keepsFooter = keepsFooter
  }
}
