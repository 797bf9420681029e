import Diagnostics
import JSONSyntax

extension RunReport {
  /// The version of the form that `json` writes; it grows when a field changes its meaning or goes.
  package static let jsonVersion = 1

  /// The report as one JSON object, for programs; it ends with a line end.
  ///
  /// Fields that have nothing to say are left out; counts always stand there. New fields may appear in the same
  /// version.
  ///
  /// - `version`: 1.
  /// - `command`: `load` or `check`.
  /// - `exitStatus`: the command's.
  /// - `outcome`: `committed`, `checked`, `unchanged` (nothing to do), `undone` (nothing committed) or `stopped` (only the
  ///   first records, by batches); `reason` says why for the last three.
  /// - `committedRecords`: of a run that was stopped, how many records from the first on are decided and committed.
  /// - `error`: what stopped the run: `message`, `hint`. Its counts are those of the records read so far, if any.
  /// - `committed`: whether the database holds what was accepted.
  /// - `database`: its path.
  /// - `model`: an object with `origin` (`told`, `data-package`, `database`, `inferred`) and, for the first two, `path`.
  /// - `settings`: an array of `name`, `value` and `origin` (`default`, `detected`, `environment`, `options-file`,
  ///   `option`).
  /// - `inputs`: an array of `path` (`-` is standard input), `bytes`, `sha256` of these, `format`, `dialect` (an array of phrases),
  ///   `reason`, `encoding`, `encodingReason`, `records`, and where there are rejects `rejected` and `faults`, the paths of their files, and
  ///   `reloadOptions`, an array of what must be told to load the former again, and `rejectsAlong`: how many rejected
  ///   records begin in each stretch of `bytes` bytes, as `counts`.
  /// - `entities`: an array of `name`, `read`, `inserted`, `updated`, `unchanged`, `skipped`, `rejected`, `filtered` and
  ///   `made` (rows made along the way, not part of `read`) and `deleted` (rows of before the run that went). When
  ///   nothing was committed, `inserted`, `updated` and `deleted` are what would have been.
  /// - `total`: the same counts for all entities.
  /// - `faults`: how many faults of each code rejected records, by code.
  /// - `columns`: where those faults are, the most frequent first: an array of `entity`, `field` (left out where a whole
  ///   record is at fault), `code` and `count`; `elsewhere` is how many are at further places.
  /// - `examples`: the first five faults of each code: `file`, `record`, `line`, `column`, `entity`, `field`, `code`,
  ///   `value`, `expected`, `message`, `hint`.
  /// - `warnings`: how many warnings of each code, by code.
  /// - `started`: when the run began, as `2026-11-30T02:00:00Z`.
  /// - `seconds`: how long the run took, with three decimals.
  package func json() -> String {
    var json = JSONWriter(layout: .pretty)
    json.beginObject()
    json.member("version", Self.jsonVersion)
    json.member("command", command)
    json.member("exitStatus", exitStatus)
    writeOutcome(to: &json)
    if let failure {
      json.name("error")
      json.beginObject()
      json.member("message", failure.message)
      json.member("hint", failure.remedy)
      json.endObject()
    }
    json.member("database", database)
    writeModel(to: &json)
    json.array("settings", settings) { json, setting in
      json.member("name", setting.name)
      json.member("value", setting.value)
      json.member("origin", setting.origin.rawValue)
    }
    writeInputs(to: &json)
    json.array("entities", entities) { json, entity in
      json.member("name", entity.name)
      entity.writeCounts(to: &json)
    }
    json.name("total")
    json.beginObject()
    total.writeCounts(to: &json)
    json.endObject()
    json.writeCounts("faults", faultCounts)
    writeCensus(to: &json)
    json.writeCounts("warnings", warningCounts)
    json.member("started", startedAt.map(UTCTime.init(seconds:))?.text)
    json.name("seconds")
    json.number(spelled: elapsed.decimalSeconds)
    json.endObject()
    return json.text + "\n"
  }

  private func writeCensus(to json: inout JSONWriter) {
    json.array("columns", census.sortedPlaces) { json, place in
      json.member("entity", place.place.entity)
      json.member("field", place.place.field)
      json.member("code", place.place.code.rawValue)
      json.member("count", place.count)
    }
    json.member("elsewhere", census.elsewhere)
    let codes = census.examples.keys.sorted { $0.rawValue < $1.rawValue }
    json.array("examples", codes.flatMap { census.examples[$0] ?? [] }) { json, fault in
      json.member("file", fault.location.file)
      json.member("record", fault.location.record)
      json.member("line", fault.location.line)
      json.member("column", fault.location.column)
      json.member("entity", fault.entity)
      json.member("field", fault.field)
      json.member("code", fault.code.rawValue)
      json.member("value", fault.value)
      json.member("expected", fault.expected)
      json.member("message", fault.message)
      json.member("hint", fault.remedy)
    }
  }

  private func writeOutcome(to json: inout JSONWriter) {
    json.member("outcome", outcome.word)
    json.member("reason", outcome.reason)
    json.member("committed", outcome == .committed)
    if case .stopped(_, let count) = outcome { json.member("committedRecords", count) }
  }

  private func writeModel(to json: inout JSONWriter) {
    guard let model else { return }
    let (origin, path): (String, String?) =
      switch model {
      case .told(let path): ("told", path)
      case .dataPackage(let path): ("data-package", path)
      case .database: ("database", nil)
      case .declared: ("declared", nil)
      case .inferred: ("inferred", nil)
      }
    json.name("model")
    json.beginObject()
    json.member("origin", origin)
    json.member("path", path)
    json.endObject()
  }

  private func writeInputs(to json: inout JSONWriter) {
    // An input named twice has two pairs of files, in this order.
    var files = Dictionary(grouping: rejectionFiles, by: \.input).mapValues { $0[...] }
    json.array("inputs", inputs) { json, input in
      json.member("path", input.path)
      json.member("bytes", input.byteCount)
      json.member("sha256", input.sha256)
      json.member("format", input.format)
      json.member("dialect", input.dialect)
      json.member("reason", input.reason)
      json.member("encoding", input.encoding)
      json.member("encodingReason", input.encodingReason)
      json.member("records", input.recordCount)
      if let pair = files[input.path]?.popFirst() {
        json.member("rejected", pair.rejected)
        json.member("faults", pair.faults)
        json.member("reloadOptions", pair.options)
      }
      if let positions = census.positions[input.path] {
        json.name("rejectsAlong")
        json.beginObject()
        json.member("bytes", positions.stretchByteCount)
        json.name("counts")
        json.beginArray()
        for count in positions.counts { json.number(spelled: String(count)) }
        json.endArray()
        json.endObject()
      }
    }
  }
}

extension EntityCounts {
  fileprivate func writeCounts(to json: inout JSONWriter) {
    for (name, count) in namedCounts { json.member(name, count) }
  }
}

extension JSONWriter {
  fileprivate mutating func writeCounts(_ name: String, _ counts: [DiagnosticCode: Int64]) {
    self.name(name)
    beginObject()
    for (code, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { member(code.rawValue, count) }
    endObject()
  }
}
