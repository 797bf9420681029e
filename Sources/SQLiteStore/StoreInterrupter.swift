import CSQLite
import Synchronization

/// Ends a store's work from another thread: what runs stops within a moment and is undone.
///
/// It may be made before the store, so that waiting for a lock can be ended too. It outlives the store without harm.
package final class StoreInterrupter: Sendable {
  private let isRequested = Atomic(false)
  /// The address of the connection while it is open.
  private let connection = Mutex<UInt>(0)

  /// Makes one that no store uses yet.
  package init() {}

  /// Asks for the end; may be called at any time, on any thread, more than once.
  package func interrupt() {
    isRequested.store(true, ordering: .relaxed)
    connection.withLock { address in
      // Under the lock the connection cannot be closed meanwhile.
      if let handle = unsafe OpaquePointer(bitPattern: address) { unsafe sqlite3_interrupt(handle) }
    }
  }

  /// Whether the end was asked for.
  package var isInterrupted: Bool { isRequested.load(ordering: .relaxed) }

  func attach(_ handle: OpaquePointer) {
    let address = UInt(bitPattern: handle)
    connection.withLock { $0 = address }
  }

  /// Forgets a connection that is about to be closed, unless another has taken its place.
  func detach(_ handle: OpaquePointer) {
    let address = UInt(bitPattern: handle)
    connection.withLock { if $0 == address { $0 = 0 } }
  }
}
