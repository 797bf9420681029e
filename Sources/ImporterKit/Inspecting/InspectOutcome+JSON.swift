import Diagnostics
import EntityModel
import JSONSyntax

extension InspectOutcome {
  /// The version of the form that `json` writes; it grows when a field changes its meaning or goes.
  public static let jsonVersion = 1

  /// What was found as one JSON object, for programs; it ends with a line end.
  ///
  /// The article *Inspecting files* describes every field. Fields that have nothing to say are left out; new fields may
  /// appear in the same version.
  public func json() -> String {
    var json = JSONWriter(layout: .pretty)
    json.beginObject()
    json.member("version", Self.jsonVersion)
    json.member("command", "inspect")
    json.member("exitStatus", exitStatus)
    json.array("inputs", inputs) { json, input in input.write(to: &json) }
    json.endObject()
    return json.text + "\n"
  }
}

extension InspectedInput {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("path", path)
    json.member("bytes", byteCount)
    if isCompressed { json.member("compression", "gzip") }
    if let format {
      json.member("format", format.rawValue)
      json.member("formatName", formatName)
      json.member("formatReason", formatReason)
      json.member("encoding", encoding)
      json.member("encodingReason", encodingReason)
      json.member("byteOrderMark", hasByteOrderMark)
    }
    if let lineEnds {
      json.name("lineEnds")
      json.beginObject()
      json.member("lf", lineEnds.lf)
      json.member("crlf", lineEnds.crlf)
      json.member("cr", lineEnds.cr)
      json.member("none", lineEnds.none)
      json.endObject()
    }
    if let dialect { write(dialect, to: &json) }
    if format != nil { json.member("evidence", evidence) }
    json.array("told", told) { json, setting in
      json.member("name", setting.name)
      json.member("value", setting.value)
      json.member("origin", setting.origin)
    }
    json.member("records", recordCount)
    json.member("faulty", faultyCount)
    json.name("faults")
    json.beginObject()
    for (code, count) in faultCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      json.member(code.rawValue, count)
    }
    json.endObject()
    json.array("firstFaults", firstFaults) { json, fault in
      json.member("line", fault.location.line)
      json.member("column", fault.location.column)
      json.member("record", fault.location.record)
      json.member("field", fault.field)
      json.member("code", fault.code.rawValue)
      json.member("message", fault.message)
      json.member("hint", fault.remedy)
    }
    if let failure {
      json.name("error")
      json.beginObject()
      json.member("message", failure.message)
      json.member("hint", failure.remedy)
      json.member("exitStatus", failure.exitStatus)
      json.endObject()
    }
    json.array("entities", entities) { json, entity in entity.write(to: &json) }
  }

  private func write(_ dialect: CSVDialect, to json: inout JSONWriter) {
    json.name("dialect")
    json.beginObject()
    json.member("delimiter", dialect.delimiter)
    json.member("quote", dialect.quote)
    json.member("escape", dialect.escape)
    json.member("doublesQuotes", dialect.doublesQuotes)
    json.member("lineTerminator", dialect.lineEnd.rawValue)
    json.member("comment", dialect.comment)
    switch dialect.header {
    case .none: json.member("headerLines", 0)
    case .lines(let count): json.member("headerLines", count)
    }
    json.member("skippedLines", dialect.skippedLines)
    json.member("skippedFooterLines", dialect.skippedFooterLines)
    json.endObject()
  }
}

extension InspectedEntity {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("records", recordCount)
    json.member("keyCandidates", keyCandidates)
    if passedOverColumnCount > 0 { json.member("columnsPassedOver", passedOverColumnCount) }
    json.array("columns", columns) { json, column in column.write(to: &json) }
  }
}

extension InspectedColumn {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("position", position)
    json.member("type", type.name)
    json.array("ruledOut", ruledOut) { json, other in
      json.member("type", other.type.name)
      json.member("value", other.value.text)
      json.member("line", other.value.line)
      json.member("reason", other.reason)
    }
    json.member("values", valueCount)
    json.member("nulls", nullCount)
    json.member("absent", absentCount)
    json.member("nullTokens", nullTokenCount)
    json.member("empty", emptyCount)
    if repeatedCount > 0 { json.member("repeated", repeatedCount) }
    json.name("distinct")
    json.beginObject()
    json.member("count", distinct.count)
    json.member("exact", distinct.isExact)
    if !distinct.isExact {
      json.name("relativeError")
      json.double(distinct.relativeError)
    }
    json.endObject()
    if let isUnique { json.member("unique", isUnique) }
    json.member("minimum", minimum?.text)
    json.member("maximum", maximum?.text)
    if let mean {
      json.name("mean")
      json.double(mean)
    }
    json.measured("shortest", shortest)
    json.measured("longest", longest)
    json.member("topExact", isTopExact)
    json.array("top", top) { json, value in
      json.member("value", value.value.text)
      json.member("count", value.count)
    }
    json.member("sample", sample.map(\.text))
    json.array("kinds", kinds) { json, kind in
      json.member("kind", kind.name)
      json.member("count", kind.count)
      json.member("first", kind.first.text)
      json.member("line", kind.first.line)
    }
    json.array("remarks", remarks) { json, remark in
      json.member("code", remark.code)
      json.member("count", remark.count)
      json.member("first", remark.first?.text)
      json.member("line", remark.first?.line)
      json.member("message", remark.message)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func measured(_ name: String, _ measured: InspectedColumn.Measured?) {
    guard let measured else { return }
    self.name(name)
    beginObject()
    member("characters", measured.characters)
    member("value", measured.value.text)
    member("line", measured.value.line)
    endObject()
  }
}
