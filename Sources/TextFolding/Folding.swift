import CTextFolding

/// A text in which only what counts in a comparison is left.
///
/// Independent of locale: Turkish `ı` stays apart from `i`. Bytes that are not UTF-8 stay as they are.
/// - Returns: UTF-8; the text itself without options.
package func folded(_ text: Span<UInt8>, _ options: FoldingOptions) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(text.count)
  var position = 0
  while position < text.count {
    let byte = text[position]
    if byte < 0x80 {
      let isUpper = options.contains(.ignoringCase) && byte &- 0x41 < 26
      result.append(isUpper ? byte | 0x20 : byte)
      position += 1
      continue
    }
    let count = scalarLength(text, at: position)
    if let scalar = decode(text, at: position, count: count), !options.isEmpty {
      append(scalar, options, to: &result)
    } else {
      for index in position..<position + count { result.append(text[index]) }
    }
    position += count
  }
  return result
}

/// A text in which only what counts in a comparison is left; see the other form.
package func folded(_ text: String, _ options: FoldingOptions) -> String {
  String(decoding: folded(Array(text.utf8).span, options), as: UTF8.self)
}

private func append(_ scalar: Unicode.Scalar, _ options: FoldingOptions, to result: inout [UInt8]) {
  var values: InlineArray<4, UInt32> = .init(repeating: 0)
  var values4 = values.mutableSpan
  let count = unsafe values4.withUnsafeMutableBufferPointer { buffer in
    unsafe ctextfolding_fold(scalar.value, options.rawValue, buffer.baseAddress)
  }
  for index in 0..<Int(count) {
    guard let folded = Unicode.Scalar(values4[index]) else { continue }
    result.append(contentsOf: UTF8.encode(folded) ?? UTF8.encodedReplacementCharacter)
  }
}

/// How many bytes from a position on belong together: a whole character, or one byte that belongs to none.
private func scalarLength(_ text: Span<UInt8>, at position: Int) -> Int {
  let lead = text[position]
  let wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1
  guard position + wanted <= text.count else { return 1 }
  for index in position + 1..<position + max(wanted, 1) where text[index] & 0xC0 != 0x80 { return 1 }
  return wanted
}

private func decode(_ text: Span<UInt8>, at position: Int, count: Int) -> Unicode.Scalar? {
  guard count > 1 else { return nil }
  var value = UInt32(text[position]) & (count == 2 ? 0x1F : count == 3 ? 0x0F : 0x07)
  for index in position + 1..<position + count { value = value << 6 | UInt32(text[index] & 0x3F) }
  let isOverlong = value < (count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000)
  return isOverlong ? nil : Unicode.Scalar(value)
}
