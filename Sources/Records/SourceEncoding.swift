/// An encoding other than UTF-8, as far as batches and rejects must know it.
///
/// Readers see UTF-8 alone; what stands in the input is found again through this. A class, since its tables are shared by
/// every batch.
package protocol SourceCoding: AnyObject, Sendable {
  /// Its name for people, such as `UTF-16LE`.
  var name: String { get }

  /// How many bytes of the source make the first `textCount` bytes of UTF-8.
  ///
  /// - Parameters:
  ///   - textCount: Within a character, it counts as its start.
  ///   - bytes: The source from a place on where no state is open.
  func sourceCount(ofText textCount: Int, in bytes: Span<UInt8>) -> Int

  /// What is wrong with the bytes at the head of `bytes`, for which the text has an `invalidByte`.
  func fault(in bytes: Span<UInt8>) -> SourceFault

  /// The UTF-8 that whole bytes of the source make, with an `invalidByte` for each invalid sequence.
  func text(of bytes: Span<UInt8>) -> [UInt8]

  /// A text of ours in this encoding; a character that it does not have becomes `?`.
  func encode(_ text: Span<UInt8>) -> [UInt8]
}

/// What stands in a text for source bytes that are no character: a byte that UTF-8 never has.
///
/// So an invalid sequence is the fault of its own field alone, and validation finds it as it finds any other.
package let invalidByte: UInt8 = 0xFF

/// A sequence of source bytes that is no character.
package struct SourceFault: Sendable, Hashable {
  /// How many bytes it has.
  package var byteCount: Int
  /// Why it is none, such as `half of a surrogate pair`; nil when there is nothing to add.
  package var reason: String?

  /// Makes a fault.
  package init(byteCount: Int, reason: String? = nil) {
    self.byteCount = byteCount
    self.reason = reason
  }
}

/// A source coding as a value that is equal to another of the same name.
package struct SourceEncoding: Sendable, Hashable {
  /// The coding.
  package let coding: any SourceCoding

  /// Wraps a coding.
  package init(_ coding: any SourceCoding) { self.coding = coding }

  package static func == (first: SourceEncoding, second: SourceEncoding) -> Bool {
    first.coding.name == second.coding.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(coding.name) }
}
