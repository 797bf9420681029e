/// Finds characters of a line by their number, in ascending order.
struct CharacterCursor {
  private let range: Range<Int>
  /// Whether every byte is a character.
  private let isASCII: Bool
  /// The offset of a character, and its number, from 1.
  private var position: Int
  private var character = 1

  /// - Parameter text: Readable for `LineScan.slack` bytes past the range.
  init(_ text: UnsafePointer<UInt8>, _ range: Range<Int>) {
    self.range = range
    position = range.lowerBound
    var word: UInt64 = 0
    var offset = range.lowerBound
    while offset &+ 8 <= range.upperBound {
      word |= unsafe UnsafeRawPointer(text + offset).loadUnaligned(as: UInt64.self)
      offset &+= 8
    }
    while offset < range.upperBound {
      word |= UInt64(unsafe text[offset])
      offset &+= 1
    }
    isASCII = word & 0x8080_8080_8080_8080 == 0
  }

  /// The offset of a character's first byte; the line's end if it has fewer characters.
  mutating func offset(ofCharacter number: Int, in text: UnsafePointer<UInt8>) -> Int {
    if isASCII { return number > range.count ? range.upperBound : range.lowerBound &+ number &- 1 }
    while character < number, position < range.upperBound {
      position &+= 1
      while position < range.upperBound, unsafe text[position] & 0xC0 == 0x80 { position &+= 1 }
      character &+= 1
    }
    return position
  }

  /// Whether the line has so many characters, once the offset of the one behind it was asked for.
  func reaches(_ number: Int) -> Bool { isASCII ? range.count >= number : character > number }

  /// The number of the character at an offset, from 1; counts from the line's beginning, so only for messages.
  func character(at offset: Int, in text: UnsafePointer<UInt8>) -> Int {
    1 + (range.lowerBound..<offset).reduce(0) { unsafe text[$1] & 0xC0 != 0x80 ? $0 + 1 : $0 }
  }
}
