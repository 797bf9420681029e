import DatabaseTestSupport
import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

/// How many seeds each law is tried with, and where they begin: `IMPORTER_LAW_SEEDS=20000` or `1000..<2000`.
enum LawSeeds {
  static let range: Range<UInt64> = {
    let told = environment("IMPORTER_LAW_SEEDS") ?? ""
    let bounds = told.split(separator: "..<").compactMap { UInt64($0) }
    switch bounds.count {
    case 1: return 0..<bounds[0]
    case 2 where bounds[0] < bounds[1]: return bounds[0]..<bounds[1]
    default: return 0..<200
    }
  }()

  /// The seeds in so many parts, so that they share a few tests and folders.
  static func parts(_ count: UInt64 = 8) -> [Range<UInt64>] {
    let size = max(1, (UInt64(range.count) + count - 1) / count)
    return stride(from: range.lowerBound, to: range.upperBound, by: Int(size)).map {
      $0..<min($0 + size, range.upperBound)
    }
  }
}

@Suite struct ExportLaws {
  @Test(arguments: LawSeeds.parts())
  func `law 3: a database of others goes out in every format and comes in again as the same`(seeds: Range<UInt64>)
    throws
  {
    for seed in seeds {
      let random = RandomDatabase(seed: seed)
      let folder = Folder(inMemory: true)
      let refused = complaint(about: random.sql, onDatabase: folder("first.sqlite"))
      try #require(refused.isEmpty, "seed \(seed): \(refused)\n\(random.sql)")
      let first = allRows(ofDatabase: folder("first.sqlite"))
      for format in FileFormat.written {
        for isFlat in format == .csv || format == .tsv ? [true] : [false, true] {
          try check(format, isFlat: isFlat, against: first, hasColons: random.hasColons, seed: seed, in: folder)
        }
      }
      if Task.isCancelled { return }
    }
  }

  private func check(
    _ format: FileFormat,
    isFlat: Bool,
    against first: [String: [String]],
    hasColons: Bool,
    seed: UInt64,
    in folder: Folder
  ) throws {
    let name = "\(format.rawValue)\(isFlat ? "-flat" : "")"
    var job = ExportJob(database: folder("first.sqlite"))
    job.format = format
    job.isFlat = isFlat
    job.output = folder(name) + "/"
    // So little that rows are begun anew.
    job.nestedByteCount = seed % 2 == 0 ? 200 : 1 << 20
    do {
      _ = try job.run()
    } catch let error as WriteError {
      #expect(format == .text && hasColons, "seed \(seed), \(name): \(error)")
      return
    }
    var load = LoadJob(inputs: [folder(name) + "/datapackage.json"], database: folder(name + ".sqlite"))
    load.usesDefaults = false
    let collected = Collected()
    do {
      let outcome = try load.run(diagnostics: collected)
      #expect(outcome.rejectedCount == 0, "seed \(seed), \(name): \(collected.all.prefix(5).map { "\($0)" })")
    } catch {
      Issue.record("seed \(seed), \(name): \(error)")
      return
    }
    let second = allRows(ofDatabase: folder(name + ".sqlite"))
    #expect(Set(second.keys) == Set(first.keys), "seed \(seed), \(name)")
    for (table, rows) in first where second[table] != rows {
      let lost = rows.filter { !(second[table] ?? []).contains($0) }
      let found = (second[table] ?? []).filter { !rows.contains($0) }
      Issue.record("seed \(seed), \(name), '\(table)': \(lost.prefix(3)) became \(found.prefix(3))")
    }
  }
}
