package import Diagnostics

/// A load that commits by batches and has not come to its end: what it was, and how far its last batch has brought it.
package struct UnfinishedLoad: Sendable, Hashable {
  /// The digest of all options that decide what the load does, and of its inputs' names.
  package var settings: String
  /// The digest of the model and of how the inputs are read.
  package var plan: String
  /// The digest of all records up to the end of the last batch.
  package var content = ""
  /// What becomes of keys that are there, such as `upsert`.
  package var mode: String
  /// The names of the entities that it writes.
  package var entities: [String] = []
  /// When it began, in seconds since 1970.
  package var started: Int64
  /// The inputs as they were named.
  package var inputs: [String]
  /// Position of the input that was being read.
  package var input = 0
  /// How many batches of records were read, of all inputs.
  package var batchCount: Int64 = 0
  /// How many records they held.
  package var recordCount: Int64 = 0
  /// The number of each input's files of rejects, whether there are such or not.
  package var rejectNumbers: [Int] = []
  /// The numbers of the first rows that get theirs ahead, by entity.
  package var firstNumbers: [Int: Int64] = [:]
  /// What has been counted of the records, by names of the caller's.
  package var counts: [String: Int64] = [:]
  /// The tables that the load has made.
  package internal(set) var tables: [String] = []
  /// Whether it has made the database.
  var madeDatabase = false
  /// What the writer has counted, by its own names.
  var writerCounts: [String: Int64] = [:]

  /// A load that has read nothing yet; see the properties.
  package init(settings: String, plan: String, mode: String, started: Int64, inputs: [String]) {
    self.mode = mode
    self.settings = settings
    self.plan = plan
    self.started = started
    self.inputs = inputs
  }

  /// Reads what a database holds of an unfinished load; nil without one, and without a database.
  ///
  /// - Throws: `.schema` for one that another version of importer has begun.
  package static func read(
    fromDatabase path: String,
    lockWait: Duration = .seconds(10),
    interrupter: StoreInterrupter = StoreInterrupter()
  ) throws(StoreError) -> UnfinishedLoad? {
    let connection: Connection
    do throws(StoreError) {
      connection = try Connection.readOnly(path, lockWait: lockWait, interrupter: interrupter)
    } catch .missing {
      return nil
    }
    return try ProgressTable(of: connection).read()
  }
}

// MARK: - As names and values

extension UnfinishedLoad {
  /// Grows when an older version could misread what a newer one writes.
  static let format = "1"

  /// All of it, as names and values.
  var members: [String: String] {
    var members = [
      "format": Self.format, "settings": settings, "plan": plan, "content": content, "mode": mode,
      "started": String(started),
      "input": String(input), "batches": String(batchCount), "records": String(recordCount),
      "madeDatabase": madeDatabase ? "1" : "0",
    ]
    for (index, path) in inputs.enumerated() { members["input.\(index)"] = path }
    for (index, entity) in entities.enumerated() { members["entity.\(index)"] = entity }
    for (index, number) in rejectNumbers.enumerated() { members["rejects.\(index)"] = String(number) }
    for (entity, number) in firstNumbers { members["number.\(entity)"] = String(number) }
    for (name, count) in counts { members["count.\(name)"] = String(count) }
    for (index, table) in tables.enumerated() { members["table.\(index)"] = table }
    for (name, count) in writerCounts { members["writer.\(name)"] = String(count) }
    return members
  }

  /// Reads what `members` has given; nil where something is missing or of another format.
  init?(_ members: [String: String]) {
    guard members["format"] == Self.format, let settings = members["settings"], let plan = members["plan"],
      let content = members["content"], let mode = members["mode"],
      let started = members["started"].flatMap({ Int64($0) }),
      let input = members["input"].flatMap({ Int($0) }), let batches = members["batches"].flatMap({ Int64($0) }),
      let records = members["records"].flatMap({ Int64($0) })
    else { return nil }
    self.init(settings: settings, plan: plan, mode: mode, started: started, inputs: [])
    self.content = content
    self.input = input
    batchCount = batches
    recordCount = records
    madeDatabase = members["madeDatabase"] == "1"
    while let path = members["input.\(inputs.count)"] { inputs.append(path) }
    while let entity = members["entity.\(entities.count)"] { entities.append(entity) }
    while let number = members["rejects.\(rejectNumbers.count)"].flatMap({ Int($0) }) { rejectNumbers.append(number) }
    while let table = members["table.\(tables.count)"] { tables.append(table) }
    for (name, value) in members {
      guard let dot = name.firstIndex(of: "."), let number = Int64(value) else { continue }
      let rest = String(name[name.index(after: dot)...])
      switch name[..<dot] {
      case "number": if let entity = Int(rest) { firstNumbers[entity] = number }
      case "count": counts[rest] = number
      case "writer": writerCounts[rest] = number
      default: break
      }
    }
  }
}

// MARK: - In the list of loads

extension UnfinishedLoad {
  /// What the database is to remember of a load that will not be completed.
  fileprivate var entry: LoadEntry {
    var entry = LoadEntry(command: "load", mode: mode, started: started)
    entry.files = inputs.enumerated().filter { $0.offset <= input }.map { index, path in
      LoadEntry.File(
        path: path,
        byteCount: nil,
        sha256: nil,
        format: "unfinished",
        recordCount: counts["records.\(index)"] ?? 0,
        rejectedCount: counts["rejectedOf.\(index)"] ?? 0,
        filteredCount: counts["filteredOf.\(index)"] ?? 0
      )
    }
    entry.counts = entities.enumerated().map { index, name in
      let numbers = LoadEntry.countNames.map { counts["\($0).\(index)"] ?? writerCounts["\($0).\(index)"] ?? 0 }
      return LoadEntry.Count(entity: name, numbers: numbers)
    }
    return entry
  }
}

extension WriteSession {
  /// Forgets an unfinished load; what it has committed stays, and is entered in the list of loads.
  func forgetUnfinished() throws(StoreError) {
    let table = ProgressTable(of: connection)
    guard try table.exists() else { return }
    // Nothing is known of one that another version has left.
    if let load = (try? table.read()) ?? nil { try remember(load.entry, isOurs: load.madeDatabase) }
    try table.drop()
  }
}
