import CSHA256
import Records

/// The SHA-256 (FIPS 180-4) of bytes that come piece by piece.
package struct SHA256: Sendable {
  private var digest: csha256

  /// A digest of no bytes yet.
  ///
  /// - Parameter isPortable: Whether the processor's own instructions, several times as fast, are left unused.
  package init(isPortable: Bool = false) {
    digest = isPortable ? csha256_start_portable() : csha256_start()
  }

  /// Adds bytes.
  package mutating func add(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe csha256_update(&digest, base, buffer.count)
    }
  }

  /// Adds a text's UTF-8.
  package mutating func add(_ text: String) { add(Array(text.utf8).span) }

  /// The digest of all bytes so far: 64 hexadecimal digits in lower case.
  package var hexadecimal: String {
    var ended = digest
    var bytes = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { unsafe csha256_finish(&ended, base) }
    }
    return bytes.map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
