// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// A target of ours: Swift 6 mode, strict memory safety, warnings as errors.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one module, in a target named after it.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.byName(name: name)] + dependencies,
    swiftSettings: settings
  )
}

let package = Package(
  name: "importer",
  products: [
    .executable(name: "importer", targets: ["importer"]),
    .library(name: "ImporterKit", targets: ["ImporterKit", "EntityModel", "Diagnostics"]),
    // For the package in `Fuzz` alone, which reaches targets of another package through products only. One function is
    // public in it; the underscore says that nobody else should depend on it.
    .library(name: "_FuzzTargets", targets: ["FuzzTargets"]),
  ],
  targets: [
    // Plain values.
    module("Diagnostics"),
    module("EntityModel", ["Diagnostics"]),

    // Batches and the seams between stages. `Lifetimes` lets a batch hand out spans of its own bytes.
    .target(
      name: "Records",
      dependencies: ["Diagnostics", "EntityModel"],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")],
      linkerSettings: [.linkedLibrary("m")]
    ),
    module("JSONSyntax", ["Diagnostics"]),
    module("Predicates", ["Diagnostics", "EntityModel", "Records", "TextFolding"]),
    module("TextFolding", ["CTextFolding"]),

    // C shims: small headers of our own, so that no library's headers reach Swift.
    .target(name: "CByteScan"),
    .target(name: "CTextFolding"),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CXML", dependencies: ["CLibXML2"]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CIconv"),
    .target(name: "CSHA256"),

    // Stages. None of them imports another.
    module("ByteStreams", ["Records", "Diagnostics", "CZlib", "CIconv", "CSHA256"]),
    module("CSVFormat", ["Records", "Diagnostics", "EntityModel", "CByteScan"]),
    module("TextFormat", ["Records", "Diagnostics", "EntityModel", "CByteScan"]),
    module("XMLFormat", ["Records", "Diagnostics", "EntityModel", "JSONSyntax", "CXML"]),
    module("JSONFormat", ["Records", "Diagnostics", "EntityModel", "JSONSyntax"]),
    module("CoreDataModel", ["EntityModel", "Diagnostics", "JSONSyntax", "CXML"]),
    module("DataPackage", ["EntityModel", "Diagnostics", "JSONSyntax"]),
    module("Validation", ["Records", "Diagnostics", "EntityModel", "CByteScan"]),
    module("Profiling", ["Records"]),
    module("SQLiteStore", ["Records", "Diagnostics", "EntityModel", "Predicates", "TextFolding", "CSQLite"]),
    module("Reporting", ["Records", "Diagnostics", "EntityModel", "JSONSyntax"]),

    // The one place where stages meet, and the command line above it.
    module(
      "ImporterKit",
      [
        "Diagnostics", "EntityModel", "Records", "ByteStreams", "CSVFormat", "TextFormat", "XMLFormat", "JSONFormat",
        "CoreDataModel", "DataPackage", "Validation", "Profiling", "Predicates", "SQLiteStore",
        "Reporting", "JSONSyntax",
      ]
    ),
    module("ImporterCLI", ["ImporterKit", "Reporting", "Diagnostics", "EntityModel"]),
    .executableTarget(name: "importer", dependencies: ["ImporterCLI"], swiftSettings: settings),

    // Tests. `TestSupport` holds what several suites share: sources cut into chunks, seeded random values.
    .target(
      name: "TestSupport",
      dependencies: ["Records", "Diagnostics", "EntityModel"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    // What the suites that write databases share.
    .target(
      name: "DatabaseTestSupport",
      dependencies: ["CSQLite"],
      path: "Tests/DatabaseTestSupport",
      swiftSettings: settings
    ),
    // What is fuzzed, and the laws it must keep; run by the package in `Fuzz` and, on kept inputs, by the tests.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "TestSupport", "Records", "Diagnostics", "EntityModel", "JSONSyntax", "CSVFormat", "TextFormat", "XMLFormat",
        "JSONFormat", "CoreDataModel", "DataPackage", "Validation", "Reporting",
      ],
      path: "Tests/FuzzTargets",
      swiftSettings: settings
    ),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["FuzzTargets", "TestSupport", "Records"],
      swiftSettings: settings
    ),
    tests(of: "Diagnostics"),
    tests(of: "EntityModel", ["TestSupport"]),
    tests(of: "Records", ["TestSupport", "Diagnostics", "EntityModel"]),
    tests(of: "JSONSyntax", ["TestSupport", "Diagnostics"]),
    tests(of: "Predicates", ["TestSupport", "EntityModel", "Records", "TextFolding"]),
    tests(of: "TextFolding"),
    tests(of: "ByteStreams", ["TestSupport", "Records", "Diagnostics"]),
    tests(of: "CSVFormat", ["TestSupport", "Records", "Diagnostics", "EntityModel"]),
    tests(of: "TextFormat", ["TestSupport", "Records", "Diagnostics", "EntityModel"]),
    tests(of: "XMLFormat", ["TestSupport", "Records", "Diagnostics", "EntityModel", "CXML"]),
    tests(of: "JSONFormat", ["TestSupport", "Records", "Diagnostics", "EntityModel"]),
    tests(of: "CoreDataModel", ["TestSupport", "EntityModel", "Diagnostics"]),
    tests(of: "DataPackage", ["TestSupport", "EntityModel", "Diagnostics"]),
    tests(of: "Validation", ["TestSupport", "Records", "Diagnostics", "EntityModel"]),
    tests(of: "Profiling", ["TestSupport", "Records"]),
    tests(
      of: "SQLiteStore",
      ["DatabaseTestSupport", "TestSupport", "Records", "Diagnostics", "EntityModel", "Predicates", "CSQLite"]
    ),
    tests(of: "Reporting", ["TestSupport", "Records", "Diagnostics", "EntityModel"]),
    tests(
      of: "ImporterKit",
      ["DatabaseTestSupport", "TestSupport", "Diagnostics", "EntityModel", "Records", "JSONSyntax"]
    ),
    tests(of: "ImporterCLI", ["ImporterKit", "Diagnostics", "EntityModel"]),
  ],
  swiftLanguageModes: [.v6]
)
