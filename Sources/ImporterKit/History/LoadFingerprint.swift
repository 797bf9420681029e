import ByteStreams
import Records

/// What the contents of a load's inputs, and everything that decides what becomes of them, come to in one digest.
///
/// Two loads of one fingerprint do the same to the same rows. What only decides how much is said, where rejects go or how
/// long to wait is left out.
enum LoadFingerprint {
  /// The digest of some texts.
  static func digest(of parts: [String]) -> String {
    var digest = SHA256()
    for part in parts {
      digest.add("\(part.utf8.count):")
      digest.add(part)
    }
    return digest.hexadecimal
  }

  /// - Parameter contents: The inputs with the SHA-256 of each, in the order in which they are read.
  static func of(_ job: LoadJob, contents: [(path: String, sha256: String)]) throws -> String {
    var digest = SHA256()
    func add(bytes: [UInt8]) {
      digest.add("\(bytes.count):")
      digest.add(bytes.span)
    }
    func add(_ part: String) { add(bytes: Array(part.utf8)) }
    add("3")
    var model = job.model
    model.modelFile = nil
    model.entity = nil
    // Reflection takes longer than a small file does.
    add(job.reading == ReadingOptions() ? "" : stableText(of: job.reading))
    add(model == ModelOptions() ? "" : stableText(of: model))
    add(job.model.entity ?? "")
    add([job.mode.rawValue, job.orphans.rawValue, String(job.usesDefaults)].joined(separator: " "))
    add(job.filter ?? "")
    if let file = job.model.modelFile {
      try add(bytes: ModelSources.content(ofTold: file, lockWait: job.lockWait))
    }
    var packages: Set<String> = []
    for content in contents {
      let name = FilePath.lastComponent(of: content.path)
      // Without a told entity the name decides; its extension has a say in the format always.
      add(job.model.entity == nil ? name : String(name.drop { $0 != "." }))
      add(content.sha256)
      guard job.model.modelFile == nil, content.path != "-" else { continue }
      let package = FilePath.join(FilePath.folder(of: content.path), ModelSources.descriptorName)
      guard packages.insert(package).inserted else { continue }
      if let descriptor = try? ModelSources.readWhole(package) { add(bytes: descriptor) }
    }
    return digest.hexadecimal
  }
}

/// A value with all its parts as text, the same in every process: what has no order of its own is sorted.
func stableText(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard !mirror.children.isEmpty else { return String(reflecting: value) }
  var parts = mirror.children.map { ($0.label.map { $0 + "=" } ?? "") + stableText(of: $0.value) }
  switch mirror.displayStyle {
  case .dictionary, .set: parts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  default: break
  }
  return "\(mirror.subjectType)(" + parts.map { "\($0.utf8.count):\($0)" }.joined(separator: ",") + ")"
}
