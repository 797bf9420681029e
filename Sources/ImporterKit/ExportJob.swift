import Diagnostics
public import EntityModel

/// Writes the rows of a database out as a file.
public struct ExportJob: Sendable, Hashable {
  /// Whether a CSV starts with the columns' names.
  public enum Header: String, Sendable, Hashable, CaseIterable {
    /// It does.
    case yes
    /// It does not.
    case no
    /// As the file that was loaded had it.
    case source
  }

  /// The database to read; it is never written to.
  public var database: String
  /// The entity; nil where the database has only one.
  public var entity: String?
  /// The format to write.
  public var format: FileFormat = .csv
  /// The file to write; nil is standard output.
  ///
  /// It appears when it is complete.
  public var output: String?
  /// What parts the cells of delimited text; nil is the format's own.
  public var delimiter: String?
  /// Whether column names come first.
  public var header: Header = .yes

  /// Makes a job that writes CSV to standard output.
  public init(database: String) {
    self.database = database
  }

  /// Runs the job.
  ///
  /// - Returns: How many rows were written.
  /// - Throws: A `RunFailure`.
  public func run(cancellation: Cancellation = Cancellation()) throws -> Int64 {
    throw ModelError(source: "importer", message: "not built yet")
  }
}
