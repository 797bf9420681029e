/// One run that wrote to a database, as the database remembers it.
package struct LoadEntry: Sendable, Hashable {
  /// An input of the run.
  package struct File: Sendable, Hashable {
    /// As the user named it; `-` is standard input.
    package var path: String
    /// How many bytes were read, before any decompression; nil where that is not known.
    package var byteCount: Int64?
    /// The SHA-256 of those bytes in hexadecimal digits.
    package var sha256: String?
    /// What it was, such as `CSV`.
    package var format: String
    /// How many records it held.
    package var recordCount: Int64
    /// How many of them were rejected.
    package var rejectedCount: Int64
    /// How many of them `--where` left out.
    package var filteredCount: Int64

    /// Makes a file; see the properties.
    package init(
      path: String,
      byteCount: Int64?,
      sha256: String?,
      format: String,
      recordCount: Int64,
      rejectedCount: Int64,
      filteredCount: Int64
    ) {
      self.path = path
      self.byteCount = byteCount
      self.sha256 = sha256
      self.format = format
      self.recordCount = recordCount
      self.rejectedCount = rejectedCount
      self.filteredCount = filteredCount
    }
  }

  /// What became of the records and rows of one entity.
  package struct Count: Sendable, Hashable {
    /// The entity's name.
    package var entity: String
    /// The counts, in the order of `LoadEntry.countNames`.
    package var numbers: [Int64]

    /// Makes counts.
    package init(entity: String, numbers: [Int64]) {
      self.entity = entity
      self.numbers = numbers
    }

    /// The count of that name; 0 where there is none.
    package subscript(_ name: String) -> Int64 {
      LoadEntry.countNames.firstIndex(of: name).map { $0 < numbers.count ? numbers[$0] : 0 } ?? 0
    }

    /// Whether rows of the entity have come, changed or gone.
    package var changedRows: Bool { ["inserted", "updated", "made", "deleted"].contains { self[$0] > 0 } }
  }

  /// What is counted, by the names of the columns.
  package static let countNames = [
    "read", "inserted", "updated", "unchanged", "skipped", "rejected", "filtered", "made", "deleted",
  ]

  /// The run's number, from 1; 0 before it is kept.
  package var run: Int64 = 0
  /// `load` or `delete`.
  package var command: String
  /// What became of keys that were there, such as `upsert`; nil for other commands than `load`.
  package var mode: String?
  /// When it began, in seconds since 1970.
  package var started: Int64
  /// How long it took until its rows were written, without the commit.
  package var seconds: Double = 0
  /// What its inputs' contents and all options that matter come to; nil where that cannot be known.
  package var fingerprint: String?
  /// The inputs, in the order in which they were read.
  package var files: [File] = []
  /// What became of the records, entity by entity.
  package var counts: [Count] = []

  /// Makes an entry without files and counts.
  package init(command: String, mode: String? = nil, started: Int64) {
    self.command = command
    self.mode = mode
    self.started = started
  }
}
