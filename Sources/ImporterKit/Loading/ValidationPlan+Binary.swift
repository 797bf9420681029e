import ByteStreams
import EntityModel
import Records
import Validation

extension ValidationPlan {
  /// Takes over how bytes are given.
  mutating func takeBinaryFormats(_ model: ModelOptions, folder: String, limits: ReadLimits) {
    for format in model.binaryFormats {
      guard let column = format.column else {
        binarySpelling = format.spelling
        continue
      }
      binarySpellings[column] = format.spelling
    }
    fileByteLimit = limits.recordByteCount
    if model.readsFiles { files = FolderFiles(folder: folder) }
  }
}

extension ModelOptions {
  /// Whether records may name files that hold their bytes.
  var readsFiles: Bool { binaryFormats.contains { $0.spelling == .file } }
}

extension ReadLimits {
  /// The same, but a batch holds few records, since each may bring a whole file into memory.
  var forFiles: ReadLimits {
    var limits = self
    limits.chunkByteCount = 64
    return limits
  }
}
