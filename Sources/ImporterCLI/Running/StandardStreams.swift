import Diagnostics
import Glibc

/// The three descriptors that a process starts with.
enum StandardStreams {
  /// Opens closed ones on the null device, so that no file of a run lands on them.
  ///
  /// Standard input and output get the wrong direction on purpose: reading or writing them then fails, so that a result
  /// that has nowhere to go is told. Messages to a closed standard error vanish.
  static func openClosedOnes() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest free descriptor is taken, and that is this one.
      _ = unsafe open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
    }
  }

  /// Writes a text whole.
  ///
  /// - Throws: `WriteError.brokenPipe` when the reader has gone, else `failed`.
  static func write(_ text: String, to descriptor: Int32) throws(WriteError) {
    var text = text
    let failure: Int32 = text.withUTF8 { bytes in
      var rest = unsafe UnsafeRawBufferPointer(bytes)[...]
      while let start = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
        let count = unsafe Glibc.write(descriptor, start, rest.count)
        if count >= 0 {
          unsafe rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // A descriptor that somebody made non-blocking: wait until it takes more.
          var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&event, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    switch failure {
    case 0: return
    case EPIPE: throw .brokenPipe
    default: throw .failed(path: "standard output", reason: systemMessage(failure))
    }
  }

  /// Closes standard output; some file systems tell only then that data did not arrive.
  static func closeOutput() throws(WriteError) {
    guard close(STDOUT_FILENO) == 0 || errno == EINTR || errno == EBADF else {
      throw .failed(path: "standard output", reason: systemMessage(errno))
    }
  }
}

/// The system's words for an error number, in lower case as messages are.
func systemMessage(_ number: Int32) -> String {
  guard let message = unsafe strerror(number) else { return "error \(number)" }
  let text = unsafe String(cString: message)
  return text.prefix(1).lowercased() + text.dropFirst()
}
