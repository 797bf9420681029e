/// The parsers that are fuzzed, each with the laws that its every input must keep.
///
/// A target is run in two ways: millions of times by the executables of the package in `Fuzz`, and once for each kept
/// input by the tests.
package enum FuzzTarget: String, Sendable, CaseIterable {
  case csv, text, xml, json, model, values, roundtrip

  /// Runs one input.
  package func run(_ input: [UInt8]) throws(LawBreach) {
    switch self {
    case .csv: try CSVTarget.run(input)
    case .text: try TextTarget.run(input)
    case .xml: try XMLTarget.run(input)
    case .json: try JSONTarget.run(input)
    case .model: try ModelTarget.run(input)
    case .values: try ValueTarget.run(input)
    case .roundtrip: try RoundTripTarget.run(input)
    }
  }
}

/// Runs one input of the target of that name, and stops the process at a breach.
///
/// The only public declaration, since the executables of the package in `Fuzz` belong to another package.
public func runFuzzTarget(_ name: String, on input: UnsafeBufferPointer<UInt8>) {
  guard let target = FuzzTarget(rawValue: name) else { fatalError("there is no target '\(name)'") }
  do throws(LawBreach) {
    try target.run(unsafe Array(input))
  } catch {
    fatalError(error.description)
  }
}
