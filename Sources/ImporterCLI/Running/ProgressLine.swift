import Diagnostics
import Glibc
import ImporterKit
import Reporting

/// One line on a terminal that says how far a load has come, and goes before anything else is said.
///
/// ```text
/// contacts.csv  45 %  1,234,567 records  812,000 a second  12 rejected  6 s left
/// ```
///
/// A class since the load and what shows its faults share it.
final class ProgressLine {
  private let console: Console
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var next: ContinuousClock.Instant
  private var isShown = false

  /// A short run shows none.
  private static let delay = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)

  /// Makes a line; nil where standard error is no terminal that can take it back.
  init?(on console: Console, environment: [String: String]) {
    guard isatty(STDERR_FILENO) == 1, environment["TERM", default: "dumb"] != "dumb" else { return nil }
    self.console = console
    start = clock.now
    next = start + Self.delay
  }

  /// Shows how far the load has come, ten times a second at most.
  func show(_ progress: LoadProgress) {
    let now = clock.now
    guard now >= next else { return }
    next = now + Self.interval
    isShown = true
    console.write("\r" + Self.text(of: progress, after: start.duration(to: now), width: Self.width) + "\u{1B}[K")
  }

  /// Takes the line away.
  func clear() {
    guard isShown else { return }
    isShown = false
    console.write("\r\u{1B}[K")
  }

  /// The line for a terminal of a width; what does not fit is left out from the end.
  static func text(of progress: LoadProgress, after elapsed: Duration, width: Int) -> String {
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    var parts = [progress.input == "-" ? "standard input" : excerpt(of: progress.input, limit: 40)]
    var share: Double?
    if let all = progress.byteCount, all > 0 {
      share = min(Double(progress.readByteCount) / Double(all), 1)
      parts.append("\(Int((share ?? 0) * 100)) %")
    } else {
      parts.append("\(progress.readByteCount / 1_000_000) MB")
    }
    parts.append("\(progress.recordCount.grouped) records")
    if seconds > 0 { parts.append("\(Int64(Double(progress.recordCount) / seconds).grouped) a second") }
    if progress.rejectedCount > 0 { parts.append("\(progress.rejectedCount.grouped) rejected") }
    if let share, share > 0.02, share < 1 {
      parts.append("\(Int64((seconds / share * (1 - share)).rounded(.up)).grouped) s left")
    }
    var line = parts[0]
    for part in parts.dropFirst() {
      guard line.count + 2 + part.count < width else { break }
      line += "  " + part
    }
    return line.count < width ? line : String(line.prefix(max(width - 1, 0)))
  }

  private static var width: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
