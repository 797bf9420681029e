import ByteStreams
import Diagnostics
import EntityModel
import Glibc
import Records
import Reporting

/// The report files of a run: opened before anything is read, so that one that cannot be made stops the run, and
/// complete at its end, or not there.
///
/// A class since a run that fails writes them too.
final class ReportFiles {
  private final class File {
    let form: ReportForm
    let path: String
    var sink: FileByteSink?

    init(path: String, form: ReportForm) throws(WriteError) {
      self.path = path
      self.form = form
      sink = try FileByteSink(path: path)
    }

    func write(_ text: String) throws(WriteError) {
      guard var sink = sink.take() else { return }
      try sink.write(Array(text.utf8).span)
      try sink.finish()
    }
  }

  private let files: [File]

  /// Opens the files.
  ///
  /// - Throws: `UsageFailure` for a name that is none, or is that of an input or of the database; `WriteError`.
  init(_ paths: [String], of job: LoadJob) throws {
    var files: [File] = []
    for path in paths {
      guard let form = ReportForm(path: path) else {
        throw UsageFailure(
          "the report '\(excerpt(of: path))' has no form",
          remedy: "let the name end with .html, .json, .csv or .txt"
        )
      }
      guard !files.contains(where: { FilePath.isSamePlace($0.path, path) }) else {
        throw UsageFailure("the report '\(excerpt(of: path))' is named twice", remedy: "name it once")
      }
      try Self.refuse(path, form, of: job)
      files.append(try File(path: path, form: form))
    }
    self.files = files
  }

  /// Refuses a report that would take the place of anything but an earlier report.
  private static func refuse(_ path: String, _ form: ReportForm, of job: LoadJob) throws {
    let isElsewhere = "name another file with --report"
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    // First of all, since opening one to look at it would wait.
    guard !exists || status.st_mode & S_IFMT != S_IFIFO || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") else {
      throw UsageFailure("the report '\(excerpt(of: path))' is a named pipe", remedy: isElsewhere)
    }
    for source in job.inputs + [job.database] { try refuseOutput(path, over: source, option: "--report") }
    guard !FilePath.isSamePlace(path, job.database) else {
      throw UsageFailure("the report '\(excerpt(of: path))' is the database", remedy: isElsewhere)
    }
    guard !RejectionNames.isRejectionFile(path) else {
      throw UsageFailure("'\(excerpt(of: path))' is a name of rejected records or their faults", remedy: isElsewhere)
    }
    guard exists, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return }
    let beginning = try peek(128, of: FileByteSource(path: path)).withPrefix { bytes in bytes.indices.map { bytes[$0] }
    }
    guard form.wrote(beginning) else {
      throw UsageFailure(
        "the file '\(excerpt(of: path))' is there, and is no report",
        remedy: "remove it, or " + isElsewhere
      )
    }
  }

  /// Writes all of them.
  ///
  /// - Parameters:
  ///   - report: What they say.
  ///   - model: What the records were validated against; nil where the run never had one.
  ///   - sections: What else a page shows.
  /// - Returns: Why the first of those that could not be written was not.
  func write(_ report: RunReport, model: EntityModel?, sections: () -> [ReportPage.Section]) -> WriteError? {
    var failure: WriteError?
    for file in files {
      do throws(WriteError) {
        switch file.form {
        case .json: try file.write(report.json())
        case .csv: try file.write(report.csv())
        case .text: try file.write(report.text())
        case .html:
          let picture = model.flatMap { ModelSection.section($0, report) }.map { [$0] } ?? []
          try file.write(ReportPage(report).html(with: picture + sections()))
        }
      } catch {
        failure = failure ?? error
      }
    }
    return failure
  }
}
