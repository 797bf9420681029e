public import Diagnostics
import EntityModel
import Records

/// Looks at files: what they are, how that is known, and what their columns hold.
///
/// Each file is read once, from its beginning to its end, in memory that does not grow with it. Nothing is written, and no
/// database is opened.
public struct InspectJob: Sendable, Hashable {
  /// The inputs: paths, `-` for standard input, a folder, or a `datapackage.json` for all its resources.
  public var inputs: [String]
  /// How the inputs are written.
  public var reading = ReadingOptions()
  /// Patterns in which dates are written, besides ISO 8601.
  public var dateFormats: [ModelOptions.DateFormat] = []

  /// Makes a job with default settings.
  public init(inputs: [String]) {
    self.inputs = inputs
  }

  /// Runs the job.
  ///
  /// An input that cannot be read does not keep the others from being looked at; its `InspectedInput.failure` says why.
  ///
  /// - Parameters:
  ///   - diagnostics: Told of every fault that reading finds in records.
  ///   - cancellation: Looked at between batches.
  ///   - each: Called with every input when it is done, in order; what it throws ends the job.
  /// - Returns: What is in the inputs.
  /// - Throws: A `RunFailure` where no input could be looked at: a folder that cannot be read, a wrong data package.
  public func run(
    diagnostics: any DiagnosticSink,
    cancellation: Cancellation = Cancellation(),
    each: (InspectedInput) throws -> Void = { _ in }
  ) throws -> InspectOutcome {
    var sources = ModelSources()
    var inputs: [InspectedInput] = []
    for path in try InputExpansion.expand(self.inputs) {
      var run = InspectRun(self, path: path, diagnostics: diagnostics, cancellation: cancellation)
      let input = try run.run(&sources)
      try each(input)
      inputs.append(input)
    }
    return InspectOutcome(inputs: inputs)
  }
}

/// What an inspection came to.
public struct InspectOutcome: Sendable, Hashable {
  /// The inputs, in the order in which they were named.
  public let inputs: [InspectedInput]

  /// The status that the command ends with: 0, else that of the first input that could not be read.
  public var exitStatus: Int32 { inputs.compactMap(\.failure).first?.exitStatus ?? 0 }
}
