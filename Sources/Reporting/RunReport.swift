package import Diagnostics

/// What a load or a check did, in plain values: for `--json`, for report files and for the summary on the terminal.
///
/// Counts are exact, always; only lists made for people are cut, and say so.
package struct RunReport: Sendable, Hashable {
  /// How the run ended for the database.
  package enum Outcome: Sendable, Hashable {
    /// Everything that was accepted is in the database.
    case committed
    /// Nothing was to be written: `check`, or `--dry-run`.
    case checked
    /// There was nothing to do, in a few words such as `the same content was loaded before`.
    case unchanged(because: String)
    /// Nothing of the run is in the database, in a few words such as `more than 10 records were rejected`.
    case undone(because: String)
    /// The run was stopped, and only its first records, committed by batches, are in the database.
    case stopped(because: String, committedCount: Int64)
  }

  /// Where a setting's value came from.
  package enum Origin: String, Sendable, Hashable {
    case `default`
    case detected
    case environment
    case optionsFile = "options-file"
    case option
  }

  /// A setting of the run, as an option would give it.
  package struct Setting: Sendable, Hashable {
    /// The option's name without dashes, such as `mode`.
    package var name: String
    /// The value in effect.
    package var value: String
    /// Where it came from.
    package var origin: Origin

    /// Makes a setting.
    package init(_ name: String, _ value: String, _ origin: Origin) {
      self.name = name
      self.value = value
      self.origin = origin
    }
  }

  /// What the records were validated against.
  package enum Model: Sendable, Hashable {
    /// A model file or a database that was named.
    case told(path: String)
    /// The `datapackage.json` beside the file.
    case dataPackage(path: String)
    /// The tables that the target database already had.
    case database
    /// What the input itself says of its records; the rest is inferred.
    case declared
    /// What the values themselves allow.
    case inferred
  }

  /// One input and what was found in it.
  package struct Input: Sendable, Hashable {
    /// As the user named it; `-` is standard input.
    package var path: String
    /// How many bytes were read, before any decompression.
    package var byteCount: Int64 = 0
    /// The SHA-256 of those bytes in hexadecimal digits; nil where the input was not read to its end.
    package var sha256: String?
    /// What it is, such as `delimited text` or `XML`.
    package var format: String
    /// How it is spelled, the most telling part first, such as `';'`, `comment '#'`, `no header`.
    package var dialect: [String] = []
    /// Why the format was believed, such as `it begins with the tag <a>`; nil when it was told, or when the name says it.
    package var reason: String?
    /// The encoding, such as `UTF-8`.
    package var encoding: String = "UTF-8"
    /// How the encoding is known, such as `byte order mark`; nil when it was told, or is the default.
    package var encodingReason: String?
    /// How many records it holds.
    package var recordCount: Int64 = 0

    /// Makes an input; see the properties.
    package init(path: String, format: String) {
      self.path = path
      self.format = format
    }
  }

  /// What stopped a run.
  package struct Failure: Sendable, Hashable {
    /// What went wrong, in lower case.
    package var message: String
    /// What to do about it.
    package var remedy: String?

    /// Makes a failure.
    package init(message: String, remedy: String?) {
      self.message = message
      self.remedy = remedy
    }
  }

  /// The command, `load` or `check`.
  package var command: String
  /// The database's path.
  package var database: String
  /// What the records were validated against; nil when the run ended before there was a model.
  package var model: Model?
  /// The settings in effect.
  package var settings: [Setting] = []
  /// The inputs as they were named, where nothing of them has been read.
  package var inputNames: [String] = []
  /// The inputs, in the order in which they were read.
  package var inputs: [Input] = []
  /// What became of the records, entity by entity.
  package var entities: [EntityCounts] = []
  /// How many faults of each code rejected records; a record may have several.
  package var faultCounts: [DiagnosticCode: Int64] = [:]
  /// Where the faults are.
  package var census = FaultCensus()
  /// How many warnings there were of each code.
  package var warningCounts: [DiagnosticCode: Int64] = [:]
  /// What stopped the run, and what to do about it; nil for one that came to its end.
  package var failure: Failure?
  /// Where the rejects are.
  package var rejectionFiles: [RejectionLog.Files] = []
  /// How the run ended for the database.
  package var outcome: Outcome
  /// When it began, in seconds since 1970-01-01T00:00:00Z; nil where nobody asks.
  package var startedAt: Int64?
  /// How long it took.
  package var elapsed: Duration = .zero
  /// The exit status of the command.
  package var exitStatus: Int32 = 0

  /// Makes the report of a run that has read nothing yet.
  package init(command: String, database: String, outcome: Outcome = .committed) {
    self.command = command
    self.database = database
    self.outcome = outcome
  }

  /// The counts of all entities together.
  package var total: EntityCounts {
    var total = EntityCounts(name: "total")
    for entity in entities { total.add(entity) }
    return total
  }

  /// The first place where the counts contradict one another, in a sentence; nil when nothing is lost.
  ///
  /// Each entity's records are all accounted for, and the entities' together are those of the inputs.
  package var imbalance: String? {
    if let entity = entities.first(where: { !$0.isBalanced }) {
      let name = excerpt(of: entity.name)
      return "'\(name)': \(entity.read) records were read, but \(entity.accountedFor) are accounted for"
    }
    let read = inputs.reduce(0) { $0 + $1.recordCount }
    guard read == total.read else {
      return "the inputs hold \(read) records, but \(total.read) are counted for the entities"
    }
    return nil
  }
}
