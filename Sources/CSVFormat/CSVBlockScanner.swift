import CByteScan
import Records

/// Finds sound records by masks of 64 bytes, in dialects of single bytes without an escape.
///
/// It only ever takes records that leave no question: every quote opens where a cell begins or closes where one ends,
/// the count of cells is right, and nothing is too long. At any other record it stops, for `CSVRecordParser` to read it.
///
/// ```text
/// bytes     1 , " a , b " , c \n        quotes after prefix XOR: inside the quotes, from the opening one on
/// quote     . . 1 . . . 1 . .  .
/// within    . . 1 1 1 1 . . .  .
/// events    . 1 . . . . . 1 .  1        delimiters and line ends that are not within quotes
/// ```
struct CSVBlockScanner: Sendable {
  enum Stop {
    /// The bytes end; what is left is no whole record yet.
    case endOfBytes
    /// The tables are full.
    case full
    /// The next record is not a sound one, or a comment.
    case odd
  }

  /// Where the scan stands; always between two records.
  struct Progress {
    var position: Int
    var line: Int
    var ordinal: Int64
    var fieldCount: Int
    var recordCount: Int
  }

  /// How much room beyond a record's own cells the tables must have for a scan to get on.
  static let room = 130

  let delimiter: UInt8
  let quote: UInt8
  /// All ones, or zero where there is no quote.
  let quoteMask: UInt64
  /// The first byte of a comment; -1 for none.
  let commentHead: Int
  /// How many cells a record has.
  let width: Int
  /// A record up to this long can have neither a cell nor itself too long.
  let safeByteCount: Int

  /// Nil for a dialect that only the parser can read.
  init?(_ syntax: CSVSyntax, width: Int, safeByteCount: Int) {
    guard syntax.isSimple else { return nil }
    delimiter = syntax.delimiter[0]
    quote = syntax.quote.first ?? 0
    quoteMask = syntax.quote.isEmpty ? 0 : .max
    commentHead = syntax.comment.first.map(Int.init) ?? -1
    self.width = width
    self.safeByteCount = safeByteCount
  }

  /// Scans on from a record's start.
  ///
  /// - Parameters:
  ///   - bytes: Readable for 64 bytes past `end`.
  ///   - end: Where the bytes end; `isEnd` says that the input does too.
  ///   - fields: Room for `fieldRoom` fields, of which the first `progress.fieldCount` are taken.
  ///   - escapedFields: Takes the positions of cells with doubled quotes, still in their spelling.
  func scan(
    _ bytes: UnsafePointer<UInt8>,
    to end: Int,
    isEnd: Bool,
    progress: inout Progress,
    fields: UnsafeMutablePointer<Field>,
    fieldRoom: Int,
    records: UnsafeMutablePointer<RecordHeader>,
    recordRoom: Int,
    escapedFields: inout [Int]
  ) -> Stop {
    var block = progress.position
    var recordStart = block
    var cellStart = block
    var line = progress.line
    var recordLine = line
    var ordinal = progress.ordinal
    var fieldCount = progress.fieldCount
    var recordFieldStart = fieldCount
    var recordCount = progress.recordCount
    // Carried from block to block, in the lowest bit (`inside` in all of them).
    var inside: UInt64 = 0
    var afterBoundary: UInt64 = 1
    var afterClosing: UInt64 = 0
    var skipped: UInt64 = 0
    var mayHavePairs = false
    var escapedCount = escapedFields.count
    var stop = Stop.endOfBytes
    if unsafe block < end && Int(bytes[block]) == commentHead { return .odd }

    blocks: while block < end {
      if fieldCount &+ 65 > fieldRoom || recordCount &+ 65 > recordRoom {
        stop = fieldCount &- recordFieldStart > width ? .odd : .full
        break
      }
      let masks = unsafe cbytescan_masks64(bytes + block, delimiter, quote)
      let left = end &- block
      let valid: UInt64 = left >= 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: left)) &- 1
      let stops = (masks.delimiter | masks.lineEnd) & valid
      let quotes = masks.quote & quoteMask & valid
      var events = stops & ~skipped
      skipped = 0
      var innerLineEnds: UInt64 = 0
      var hasPairs = false
      var isOdd = false
      if quotes | inside | afterClosing != 0 {
        let within = prefixXOR(quotes) ^ inside
        let opening = quotes & within
        let closing = quotes & ~within
        let outerStops = stops & ~within
        let behindClosing = closing &<< 1 | afterClosing
        let odd =
          (opening & ~(outerStops &<< 1 | afterBoundary | behindClosing))
          | (behindClosing & valid & ~(stops | quotes))
        hasPairs = opening & behindClosing != 0
        if hasPairs { mayHavePairs = true }
        events &= ~within
        innerLineEnds = masks.lineEnd & valid & within
        if innerLineEnds != 0 {
          let returns = unsafe cbytescan_mask64(bytes + block, 0x0D)
          let carried: UInt64 = unsafe block > recordStart && bytes[block - 1] == 0x0D ? 1 : 0
          innerLineEnds &= returns | ~(returns &<< 1 | carried)
        }
        if odd != 0 {
          let sound = (odd & (0 &- odd)) &- 1
          events &= sound
          innerLineEnds &= sound
          isOdd = true
        }
        afterBoundary = outerStops &>> 63
        afterClosing = closing &>> 63
        inside = 0 &- (within &>> 63)
      } else {
        afterBoundary = stops &>> 63
      }

      while events != 0 {
        let bit = events.trailingZeroBitCount
        events &= events &- 1
        let at = block &+ bit
        if quoteMask != 0, unsafe bytes[cellStart] == quote {
          let count = at &- cellStart &- 2
          unsafe fields[fieldCount] = Field(slice(cellStart &+ 1, count), isQuoted: true)
          if mayHavePairs, unsafe contains(quote, bytes + cellStart + 1, count) { escapedFields.append(fieldCount) }
        } else {
          unsafe fields[fieldCount] = Field(slice(cellStart, at &- cellStart))
        }
        fieldCount &+= 1
        cellStart = at &+ 1
        let byte = unsafe bytes[at]
        if byte == delimiter { continue }

        if byte == 0x0D {
          if cellStart < end {
            if unsafe bytes[cellStart] == 0x0A {
              cellStart &+= 1
              if bit == 63 { skipped = 1 } else { events &= events &- 1 }
            }
          } else if !isEnd {
            break blocks
          }
        }
        if innerLineEnds != 0 {
          let before = innerLineEnds & ((1 &<< UInt64(truncatingIfNeeded: bit)) &- 1)
          line &+= before.nonzeroBitCount
          innerLineEnds ^= before
        }
        let byteCount = cellStart &- recordStart
        if fieldCount &- recordFieldStart != width || byteCount > safeByteCount {
          stop = .odd
          break blocks
        }
        ordinal &+= 1
        unsafe records[recordCount] = RecordHeader(
          ordinal: ordinal,
          line: recordLine,
          raw: slice(recordStart, byteCount),
          fieldStart: UInt32(truncatingIfNeeded: recordFieldStart),
          fieldCount: UInt32(truncatingIfNeeded: width)
        )
        recordCount &+= 1
        line &+= 1
        recordLine = line
        recordStart = cellStart
        recordFieldStart = fieldCount
        escapedCount = escapedFields.count
        if unsafe cellStart < end && Int(bytes[cellStart]) == commentHead {
          stop = .odd
          break blocks
        }
      }
      if isOdd {
        stop = .odd
        break
      }
      line &+= innerLineEnds.nonzeroBitCount
      // Pairs of records that end in this block no longer matter.
      if recordStart > block { mayHavePairs = hasPairs }
      block &+= 64
    }
    // Whatever belongs to a record that is not complete is forgotten.
    escapedFields.removeLast(escapedFields.count - escapedCount)
    progress = Progress(
      position: recordStart,
      line: recordLine,
      ordinal: ordinal,
      fieldCount: recordFieldStart,
      recordCount: recordCount
    )
    return stop
  }

  @inline(__always)
  private func slice(_ offset: Int, _ count: Int) -> TextSlice {
    TextSlice(offset: UInt32(truncatingIfNeeded: offset), count: UInt32(truncatingIfNeeded: count))
  }

  @inline(__always)
  private func prefixXOR(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits ^= bits &<< 1
    bits ^= bits &<< 2
    bits ^= bits &<< 4
    bits ^= bits &<< 8
    bits ^= bits &<< 16
    bits ^= bits &<< 32
    return bits
  }
}

/// Whether a byte occurs among `count` bytes.
private func contains(_ byte: UInt8, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
  var index = 0
  while index < count {
    if unsafe bytes[index] == byte { return true }
    index &+= 1
  }
  return false
}
