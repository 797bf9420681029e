// swift-tools-version: 6.2
import PackageDescription

// Fuzzers of the parsers, one executable each. scripts/fuzz builds and runs them:
//
//   swift build --package-path Fuzz -c release --sanitize=fuzzer --sanitize=address \
//     -Xswiftc -sanitize=fuzzer,address
//
// A package of its own, since libFuzzer brings the `main` that an executable of the root would have to have. What is
// fuzzed, and the laws that every input must keep, are the root's (Tests/FuzzTargets), so that its tests replay the
// kept inputs with the same code. Each target has two source files and no main.swift, since a single file would be
// compiled as a script; one of the two is the same file everywhere.
let targets = ["csv", "text", "xml", "json", "model", "values", "roundtrip"]

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "importer", path: "..")],
  targets: targets.map { name in
    .executableTarget(
      name: "fuzz-\(name)",
      dependencies: [.product(name: "_FuzzTargets", package: "importer")],
      path: "Sources/\(name)"
    )
  },
  swiftLanguageModes: [.v6]
)
