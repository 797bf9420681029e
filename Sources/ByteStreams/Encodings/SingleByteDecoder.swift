import Records

/// An encoding of a byte a character, such as windows-1252, by a table of what each byte means.
final class SingleByteDecoder: TextDecoder {
  let name: String
  var isStateless: Bool { true }
  /// The scalar of each byte; `unassigned` for a byte that means nothing.
  private let scalarOfByte: [UInt32]
  private let byteOfScalar: [UInt32: UInt8]
  /// Whether the bytes below 0x80 are ASCII.
  private let hasASCII: Bool

  static let unassigned = UInt32.max

  /// Makes a decoder of a table with 256 entries.
  init(name: String, scalarOfByte: [UInt32]) {
    precondition(scalarOfByte.count == 256, "a table has an entry for every byte")
    self.name = name
    self.scalarOfByte = scalarOfByte
    byteOfScalar = Dictionary(
      scalarOfByte.enumerated().compactMap { $0.element == Self.unassigned ? nil : ($0.element, UInt8($0.offset)) },
      uniquingKeysWith: { first, _ in first }
    )
    hasASCII = (0..<0x80).allSatisfy { scalarOfByte[$0] == UInt32($0) }
  }

  func decode(
    _ input: UnsafeBufferPointer<UInt8>,
    isEnd: Bool,
    to room: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodeStep {
    var output = unsafe UTF8Room(room)
    var taken = 0
    let count = input.count
    let raw = UnsafeRawBufferPointer(input)
    let target = UnsafeMutableRawBufferPointer(room)
    unsafe scalarOfByte.withUnsafeBufferPointer { table in
      while taken < count {
        while hasASCII, taken + 8 <= count, output.left >= 8 {
          let word = unsafe raw.loadUnaligned(fromByteOffset: taken, as: UInt64.self)
          guard word & 0x8080_8080_8080_8080 == 0 else { break }
          unsafe target.storeBytes(of: word, toByteOffset: output.count, as: UInt64.self)
          output.advance(by: 8)
          taken += 8
        }
        guard taken < count else { break }
        let scalar = unsafe table[Int(input[taken])]
        guard scalar == Self.unassigned ? output.appendInvalid() : output.append(scalar: scalar) else { break }
        taken += 1
      }
    }
    return DecodeStep(taken: taken, made: output.count)
  }

  func fault(in bytes: Span<UInt8>) -> SourceFault { SourceFault(byteCount: min(1, bytes.count)) }

  func encode(_ text: Span<UInt8>) -> [UInt8] {
    let unknown = byteOfScalar[0x3F] ?? 0x3F
    return scalars(of: text).map { byteOfScalar[$0.value] ?? unknown }
  }
}
