import CIconv
import Diagnostics

/// An encoding that was told by name.
package enum ToldEncoding: Sendable {
  /// This one.
  case exact(TextEncoding)
  /// UTF-16, in the order that the input shows.
  case utf16
  /// UTF-32, in the order that the input shows.
  case utf32

  /// The name for people.
  package var name: String {
    switch self {
    case .exact(let encoding): encoding.name
    case .utf16: "UTF-16"
    case .utf32: "UTF-32"
    }
  }

  /// Why a name is no encoding that can be read.
  package struct Refusal: Error, Hashable {
    /// One sentence in lower case.
    package var message: String
    /// What to do about it.
    package var remedy: String
  }

  /// Finds an encoding by any name that the C library knows, and by a few that other programs use.
  ///
  /// - Throws: For a name that is not known, with the nearest that is, and for encodings whose bytes mean something else
  ///   after a shift: a record cut out of such a file could not be read by itself.
  package static func named(_ name: String) throws(Refusal) -> ToldEncoding {
    if let native = EncodingNames.native(name) { return native }
    for candidate in EncodingNames.candidates(for: name) {
      guard let conversion = Conversion(to: "UTF-8", from: candidate) else { continue }
      let known = EncodingNames.common.first { EncodingNames.folded($0) == EncodingNames.folded(name) }
      return .exact(try encoding(named: known ?? candidate, systemName: candidate, by: conversion))
    }
    let remedy: String
    if let known = EncodingNames.common.first(where: { EncodingNames.folded($0) == EncodingNames.folded(name) }) {
      remedy = "this system's C library lacks it (\(known)); install its character sets, or convert the file to UTF-8"
    } else {
      remedy =
        suggestion(for: name, among: EncodingNames.common)
        ?? "any name that 'iconv -l' lists will do, such as windows-1252, ISO-8859-15 or Shift_JIS"
    }
    throw Refusal(message: "there is no encoding '\(excerpt(of: name))'", remedy: remedy)
  }

  /// Finds out of which kind an encoding is by what its conversion makes of every byte.
  private static func encoding(
    named name: String,
    systemName: String,
    by conversion: borrowing Conversion
  ) throws(Refusal) -> TextEncoding {
    var table = [UInt32](repeating: SingleByteDecoder.unassigned, count: 256)
    var isSingleByte = true
    for byte in UInt8.min...UInt8.max {
      let (outcome, text) = conversion.convert([byte])
      switch outcome {
      case .incomplete: isSingleByte = false
      case .invalid: break
      case .whole:
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        guard let scalar = scalars.first, scalars.count == 1 else { throw shifting(name) }
        table[Int(byte)] = scalar.value
      }
    }
    if isSingleByte {
      guard conversion.reads(table) else { throw shifting(name) }
      return TextEncoding(name: name, kind: .singleByte(SingleByteDecoder(name: name, scalarOfByte: table)))
    }
    guard !shifts.contains(where: { conversion.converted($0)?.isEmpty ?? false }),
      !base64.contains(where: { conversion.converted($0) == Array("é".utf8) })
    else { throw shifting(name) }
    // Records are told apart by line feeds, so a byte of one must be one.
    guard conversion.converted([0x0A]) == [0x0A],
      let decoder = MultiByteDecoder(name: name, systemName: systemName)
    else { throw shifting(name) }
    return TextEncoding(name: name, kind: .multiByte(decoder, systemName: systemName))
  }

  /// What switches to another set of characters, in encodings that do so (ISO/IEC 2022).
  private static let shifts: [[UInt8]] = [
    "\u{1B}$B", "\u{1B}$@", "\u{1B}(J", "\u{1B}(B", "\u{1B}$A", "\u{1B}$)A", "\u{1B}$)C", "\u{1B}$)G",
  ].map { Array($0.utf8) }

  /// How UTF-7 (RFC 2152) and the names of mailboxes (RFC 3501) spell `é`.
  private static let base64: [[UInt8]] = ["+AOk-", "&AOk-"].map { Array($0.utf8) }

  private static func shifting(_ name: String) -> Refusal {
    Refusal(
      message: "the encoding \(name) cannot be read: the meaning of its bytes depends on what came before them, "
        + "so that a rejected record could not be kept as it was written",
      remedy: "convert it first: iconv -f \(name) -t UTF-8 FILE | importer load -"
    )
  }
}

extension Conversion {
  /// Whether a table says all: two bytes make what each makes by itself, or one character that is composed of both.
  fileprivate func reads(_ table: [UInt32]) -> Bool {
    // Only a byte that the conversion holds back can change the next one.
    for first in UInt8.min...UInt8.max where table[Int(first)] != SingleByteDecoder.unassigned && holdsBack(first) {
      for second in UInt8.min...UInt8.max where table[Int(second)] != SingleByteDecoder.unassigned {
        guard let text = converted([first, second]) else { return false }
        var parts = String.UnicodeScalarView()
        for byte in [first, second] { parts.append(Unicode.Scalar(table[Int(byte)]) ?? "\u{FFFD}") }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        guard scalars.elementsEqual(parts) || scalars.count == 1 else { return false }
      }
    }
    return true
  }

  /// Whether a byte's character comes out only with the next one.
  private func holdsBack(_ byte: UInt8) -> Bool {
    ciconv_reset(handle)
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { room in
      guard let target = room.baseAddress else { return false }
      var byte = byte
      let step = unsafe ciconv_convert(handle, &byte, 1, target, room.count)
      return step.taken == 1 && step.made == 0
    }
  }
}
