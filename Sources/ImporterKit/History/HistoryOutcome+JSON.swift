import JSONSyntax
import Reporting
import SQLiteStore

extension HistoryOutcome {
  /// The version of the form that `json` writes; it grows when a field changes its meaning or goes.
  static let jsonVersion = 1

  /// The list as one JSON object, for programs.
  ///
  /// - `version`: 1.
  /// - `database`: its path.
  /// - `count`: how many runs there are in all; those before the listed ones were left out.
  /// - `runs`: the newest last, each with `run` (its number), `command` (`load` or `delete`), `mode` (of a load), `started`
  ///   (ISO 8601, in UTC), `seconds`; `files`, each with `path`, `bytes`, `sha256`, `format`, `records`, `rejected`,
  ///   `filtered`; `entities`, each with `name` and the counts of the run report.
  /// - `unfinished`: a load that `--commit-every` has left incomplete: `files`, `started`, `committedRecords`.
  public func json() -> String {
    var json = JSONWriter(layout: .pretty)
    json.beginObject()
    json.member("version", Self.jsonVersion)
    json.member("database", database)
    json.member("count", count)
    json.array("runs", runs) { json, run in
      json.member("run", run.run)
      json.member("command", run.command)
      json.member("mode", run.mode)
      json.member("started", UTCTime(seconds: run.started).text)
      json.name("seconds")
      json.double((run.seconds * 1_000).rounded() / 1_000)
      json.array("files", run.files) { json, file in
        json.member("path", file.path)
        json.member("bytes", file.byteCount)
        json.member("sha256", file.sha256)
        json.member("format", file.format)
        json.member("records", file.recordCount)
        json.member("rejected", file.rejectedCount)
        json.member("filtered", file.filteredCount)
      }
      json.array("entities", run.counts) { json, count in
        json.member("name", count.entity)
        for name in LoadEntry.countNames { json.member(name, count[name]) }
      }
    }
    if let unfinished {
      json.name("unfinished")
      json.beginObject()
      json.member("files", unfinished.inputs)
      json.member("started", UTCTime(seconds: unfinished.started).text)
      json.member("committedRecords", unfinished.recordCount)
      json.endObject()
    }
    json.endObject()
    return json.text + "\n"
  }
}
