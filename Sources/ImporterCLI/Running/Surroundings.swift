import Diagnostics
import Glibc

/// What the process was given: arguments, and those environment variables that mean something here.
struct Surroundings {
  private static let variables = ["IMPORTER_DATABASE", "NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS"]

  let arguments: [String]
  let environment: [String: String]

  /// Takes them from the process.
  ///
  /// - Throws: A `UsageError` for an argument that is not UTF-8: repaired, it would name another file.
  init() throws(UsageError) {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let argument = unsafe String(validatingCString: pointer) else {
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
        throw UsageError(
          "argument \(index), '\(excerpt(of: bytes.span))', is not UTF-8 text",
          remedy: "rename the file, or reach it by a link with another name"
        )
      }
      arguments.append(argument)
    }
    self.arguments = arguments
    environment = Dictionary(
      uniqueKeysWithValues: Self.variables.compactMap { name in
        unsafe getenv(name).map { (name, unsafe String(cString: $0)) }
      }
    )
  }
}

/// The bytes of an options file.
///
/// - Throws: A `ReadError`; also for a file too long to be one.
func readOptionsFile(_ path: String) throws(ReadError) -> [UInt8] {
  let limit = 1 << 20
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw errno == ENOENT ? .missing(path: path) : .unreadable(path: path, reason: systemMessage(errno))
  }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 16 << 10)
  while true {
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    if count == 0 { return bytes }
    if count < 0 {
      if errno == EINTR { continue }
      throw .unreadable(path: path, reason: systemMessage(errno))
    }
    bytes += buffer[..<count]
    guard bytes.count <= limit else { throw .unreadable(path: path, reason: "it is longer than 1 MiB") }
  }
}
