import ByteStreams
public import Diagnostics
import EntityModel
import Glibc
import Records

/// Shows a model, or writes it in another form.
///
/// A model comes from a model file (Core Data, Data Package, Table Schema), from the tables of a database, or from data
/// files, whose types are inferred as a load would. Nothing but the output is written.
public struct ModelJob: Sendable, Hashable {
  /// A form that a model can be written in.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// A Data Package in JSON.
    case datapackage
    /// A Core Data model: the `contents` that Xcode reads.
    case xcdatamodel
    /// The tables that a load makes, as SQL for SQLite.
    case sql
    /// A picture for Graphviz.
    case dot
    /// A picture that stands alone.
    case svg
    /// An XML Schema of exports in XML.
    case xsd
  }

  /// A model file, a database, a data file or a folder of them; `-` is data on standard input.
  public var source: String
  /// How data files are written.
  public var reading = ReadingOptions()
  /// What is told of data files' columns.
  public var model = ModelOptions()
  /// The form to write; nil only reads the model.
  public var form: Form?
  /// Where to write; nil is standard output.
  ///
  /// A file appears when it is complete. For Core Data, a name that ends with `.xcdatamodel` or `.xcdatamodeld` is a
  /// folder with a `contents` in it.
  public var output: String?
  /// How long to wait for another process's lock on a database.
  public var lockWait: Duration = .seconds(10)

  /// Makes a job that reads a model.
  public init(source: String) {
    self.source = source
  }

  /// Runs the job.
  ///
  /// - Parameters:
  ///   - diagnostics: Told of what the source says and the model does not take over.
  ///   - cancellation: Looked at while data files are read.
  /// - Returns: The model, for whoever shows it.
  /// - Throws: A `RunFailure`; an output file that existed is as it was.
  public func run(diagnostics: any DiagnosticSink, cancellation: Cancellation = Cancellation()) throws -> ModelOutcome {
    try refuseOutput(output, over: source)
    let outcome = try ModelFinder(self, diagnostics: diagnostics).outcome()
    try cancellation.check()
    guard let form else { return outcome }
    let bytes = try outcome.bytes(as: form, output: output)
    let place = try form == .xcdatamodel ? output.map(CoreDataFolder.contents) : output
    guard let place, place != "-" else {
      var sink = DescriptorByteSink()
      try sink.write(bytes.span)
      try sink.finish()
      return outcome
    }
    if form == .datapackage || form == .xcdatamodel { try Self.refuseOverwriting(place, with: bytes) }
    var sink = try FileByteSink(path: place)
    try sink.write(bytes.span)
    try sink.finish()
    return outcome
  }

  /// Refuses to write over a model that says something else: what people have refined in it would be lost.
  private static func refuseOverwriting(_ place: String, with bytes: [UInt8]) throws {
    var status = stat()
    guard unsafe stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      try ModelSources.readWhole(place) != bytes
    else { return }
    throw UsageFailure(
      "'\(excerpt(of: place))' exists already and says something else, which would be lost",
      remedy: "name another file with --output and compare the two, or remove that one first"
    )
  }
}
