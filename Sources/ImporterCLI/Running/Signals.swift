import Glibc
import ImporterKit

/// How the program meets signals.
///
/// The signals that ask for the end are blocked in every thread and taken by one thread of their own, so that nothing runs
/// inside a signal handler and no state is global.
enum Signals {
  private static let requestsToEnd = [SIGINT, SIGTERM, SIGHUP]

  /// Makes a broken pipe and a passed file size limit errors of `write` instead of sudden deaths.
  static func makeWriteErrorsOrdinary() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// From now on the first request to end sets the cancellation, and the second ends the process at once.
  ///
  /// Signals that were ignored at the start stay ignored, as `nohup` and a shell's background jobs want it. Must be called
  /// before any other thread is made, since threads inherit what is blocked.
  static func watch(for cancellation: Cancellation) {
    let watch = Watch(cancellation: cancellation, signals: requestsToEnd.filter { !isIgnored($0) })
    guard !watch.signals.isEmpty else { return }
    var blocked = set(of: watch.signals)
    var previous = sigset_t()
    _ = unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
    var attributes = pthread_attr_t()
    _ = unsafe pthread_attr_init(&attributes)
    _ = unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    _ = unsafe pthread_attr_setstacksize(&attributes, 256 << 10)
    defer { _ = unsafe pthread_attr_destroy(&attributes) }
    let context = unsafe Unmanaged.passRetained(watch)
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread,
      &attributes,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Watch>.fromOpaque(context).takeRetainedValue().wait()
      },
      unsafe context.toOpaque()
    )
    if failure != 0 {
      // Without the thread, a signal ends the process as it does any other.
      unsafe context.release()
      _ = unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
  }

  /// Ends the process by a signal, so that its parent sees what happened.
  static func end(by number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    var unblocked = set(of: [number])
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    raise(number)
    exit(128 + number)
  }

  /// The name of a signal for messages, such as `SIGTERM`.
  static func name(of number: Int32) -> String {
    switch number {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "signal \(number)"
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    for number in numbers { _ = unsafe sigaddset(&set, number) }
    return set
  }

  /// What the waiting thread needs.
  private final class Watch: Sendable {
    let cancellation: Cancellation
    let signals: [Int32]

    init(cancellation: Cancellation, signals: [Int32]) {
      self.cancellation = cancellation
      self.signals = signals
    }

    func wait() -> Never {
      var awaited = Signals.set(of: signals)
      while true {
        var number: Int32 = 0
        guard unsafe sigwait(&awaited, &number) == 0 else { continue }
        guard cancellation.requestedSignal == 0 else { Signals.end(by: number) }
        cancellation.request(signal: number)
      }
    }
  }
}
