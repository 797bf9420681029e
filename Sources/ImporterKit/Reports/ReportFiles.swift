import ByteStreams
import Diagnostics
import EntityModel
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
      guard !files.contains(where: { $0.path == path }) else {
        throw UsageFailure("the report '\(excerpt(of: path))' is named twice", remedy: "name it once")
      }
      for source in job.inputs + [job.database] { try refuseOutput(path, over: source, option: "--report") }
      files.append(try File(path: path, form: form))
    }
    self.files = files
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
