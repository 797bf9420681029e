import CIconv
import Records
import Synchronization

/// An encoding of several bytes a character that the C library knows, such as Shift_JIS or GB18030.
///
/// The C library may hold a character back to see what follows (Big5-HKSCS); a line feed lets it go.
final class MultiByteDecoder: TextDecoder {
  let name: String
  /// The name by which the C library knows it.
  private let systemName: String
  var isStateless: Bool { false }
  private let conversion: Mutex<Conversion>
  /// Another, which finds places while the first is in the middle of the input.
  private let finder: Mutex<Conversion>

  /// The longest character of any encoding, with room to spare.
  private static let characterByteCount = 16

  /// Makes a decoder; nil if the C library does not know the encoding.
  init?(name: String, systemName: String) {
    guard let conversion = Conversion(to: "UTF-8", from: systemName),
      let finder = Conversion(to: "UTF-8", from: systemName)
    else { return nil }
    self.name = name
    self.systemName = systemName
    self.conversion = Mutex(conversion)
    self.finder = Mutex(finder)
  }

  func decode(
    _ input: UnsafeBufferPointer<UInt8>,
    isEnd: Bool,
    to room: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodeStep {
    conversion.withLock { unsafe Self.decode(input, isEnd: isEnd, to: room, by: $0) }
  }

  private static func decode(
    _ input: UnsafeBufferPointer<UInt8>,
    isEnd: Bool,
    to room: UnsafeMutableBufferPointer<UInt8>,
    by conversion: borrowing Conversion
  ) -> DecodeStep {
    var step = DecodeStep()
    guard let bytes = input.baseAddress, let target = room.baseAddress else { return step }
    while step.taken < input.count {
      let next = unsafe ciconv_convert(
        conversion.handle,
        bytes + step.taken,
        input.count - step.taken,
        target + step.made,
        room.count - step.made
      )
      step.taken += next.taken
      step.made += next.made
      switch next.status {
      case CICONV_INVALID where step.made < room.count:
        unsafe target[step.made] = invalidByte
        step.taken += 1
        step.made += 1
      case CICONV_INCOMPLETE where isEnd && step.made < room.count:
        unsafe target[step.made] = invalidByte
        step.taken = input.count
        step.made += 1
      default: return unsafe step.flushed(isEnd, input, room, conversion)
      }
    }
    return unsafe step.flushed(isEnd, input, room, conversion)
  }

  /// Decodes in large steps as far as is safe, then character by character: the C library tells what it has taken, not
  /// what it has given of that.
  func sourceCount(ofText textCount: Int, in bytes: Span<UInt8>) -> Int {
    finder.withLock { conversion in
      ciconv_reset(conversion.handle)
      return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { room in
        unsafe bytes.withUnsafeBufferPointer { input in
          unsafe Self.sourceCount(ofText: textCount, in: input, scratch: room, by: conversion)
        }
      }
    }
  }

  private static func sourceCount(
    ofText textCount: Int,
    in input: UnsafeBufferPointer<UInt8>,
    scratch: UnsafeMutableBufferPointer<UInt8>,
    by conversion: borrowing Conversion
  ) -> Int {
    var place = DecodeStep()
    while place.made < textCount, place.taken < input.count {
      let rest = unsafe UnsafeBufferPointer(rebasing: input[place.taken...])
      var next = DecodeStep()
      if textCount - place.made > 4 * characterByteCount {
        let wanted = min(textCount - place.made - 2 * characterByteCount, scratch.count)
        let room = unsafe UnsafeMutableBufferPointer(rebasing: scratch[..<wanted])
        next = unsafe decode(rest, isEnd: false, to: room, by: conversion)
      }
      if next.taken == 0 {
        var length = 1
        while next.taken == 0, length <= min(rest.count, characterByteCount) {
          let isLast = length == min(rest.count, characterByteCount)
          let character = unsafe UnsafeBufferPointer(rebasing: rest[..<length])
          next = unsafe decode(character, isEnd: isLast && length == rest.count, to: scratch, by: conversion)
          length += 1
        }
        // A character that goes past what is wanted is not a part of it.
        guard next.taken > 0, place.made + next.made <= textCount else { break }
      }
      place.taken += next.taken
      place.made += next.made
    }
    return place.taken
  }

  func text(of bytes: Span<UInt8>) -> [UInt8] {
    finder.withLock { conversion in
      ciconv_reset(conversion.handle)
      return unsafe [UInt8](unsafeUninitializedCapacity: 4 * bytes.count + 16) { room, count in
        unsafe bytes.withUnsafeBufferPointer { input in
          count = unsafe Self.decode(input, isEnd: true, to: room, by: conversion).made
        }
      }
    }
  }

  func fault(in bytes: Span<UInt8>) -> SourceFault {
    finder.withLock { conversion in
      ciconv_reset(conversion.handle)
      return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { room in
        unsafe bytes.withUnsafeBufferPointer { input in
          let rest = unsafe UnsafeBufferPointer(rebasing: input[..<min(input.count, Self.characterByteCount)])
          guard let source = rest.baseAddress, let target = room.baseAddress else { return SourceFault(byteCount: 0) }
          let step = unsafe ciconv_convert(conversion.handle, source, rest.count, target, room.count)
          return step.status == CICONV_INCOMPLETE && step.taken == 0
            ? SourceFault(byteCount: rest.count, reason: "a part of a character") : SourceFault(byteCount: 1)
        }
      }
    }
  }

  func encode(_ text: Span<UInt8>) -> [UInt8] {
    guard let conversion = Conversion(to: systemName, from: "UTF-8") else { return [] }
    return scalars(of: text).flatMap { conversion.converted(Array(String($0).utf8)) ?? [0x3F] }
  }
}

extension DecodeStep {
  /// At the end, what the C library has held back comes out.
  fileprivate consuming func flushed(
    _ isEnd: Bool,
    _ input: UnsafeBufferPointer<UInt8>,
    _ room: UnsafeMutableBufferPointer<UInt8>,
    _ conversion: borrowing Conversion
  ) -> DecodeStep {
    var step = self
    guard isEnd, step.taken == input.count, let target = room.baseAddress else { return step }
    step.made += unsafe ciconv_flush(conversion.handle, target + step.made, room.count - step.made).made
    return step
  }
}
