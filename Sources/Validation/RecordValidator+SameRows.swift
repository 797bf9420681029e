import Records

/// Rows on ways that several records give alike are told by their values, wherever these stand.
extension RecordValidator {
  /// A hash of a row's values, the bytes of texts among them.
  func hash(
    of range: Range<Int>,
    way: UInt8,
    in rows: borrowing ValueBatch,
    _ batch: borrowing RecordBatch,
    _ respelledStart: Int
  ) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(way)
    func add(_ number: UInt64) { hash = (hash ^ number) &* 0x0000_0100_0000_01B3 }
    func add(_ bytes: Span<UInt8>) {
      for index in bytes.indices { add(UInt64(bytes[index])) }
      add(0x100)
    }
    for position in range {
      switch rows.values[position] {
      case .null: add(1)
      case .absent: add(2)
      case .integer(let number): add(UInt64(bitPattern: number))
      case .real(let number): add(number.bitPattern)
      case .text(let slice), .blob(let slice):
        if let range = respelledRange(of: slice, respelledStart) {
          add(respelled.bytes.extracting(range))
        } else {
          add(batch.text.bytes(of: slice))
        }
      }
    }
    return hash
  }

  /// Whether the values of two rows are the same.
  func areSame(
    _ range: Range<Int>,
    _ other: Int,
    in rows: borrowing ValueBatch,
    _ batch: borrowing RecordBatch,
    _ respelledStart: Int
  ) -> Bool {
    for position in range {
      let (first, second) = (rows.values[position], rows.values[other + position - range.lowerBound])
      switch (first, second) {
      case (.text(let slice), .text(let otherSlice)), (.blob(let slice), .blob(let otherSlice)):
        let isSame =
          switch (respelledRange(of: slice, respelledStart), respelledRange(of: otherSlice, respelledStart)) {
          case (let range?, let otherRange?):
            Self.areSame(respelled.bytes.extracting(range), respelled.bytes.extracting(otherRange))
          case (nil, nil): Self.areSame(batch.text.bytes(of: slice), batch.text.bytes(of: otherSlice))
          case (let range?, nil): Self.areSame(respelled.bytes.extracting(range), batch.text.bytes(of: otherSlice))
          case (nil, let otherRange?):
            Self.areSame(batch.text.bytes(of: slice), respelled.bytes.extracting(otherRange))
          }
        guard isSame else { return false }
      default: guard first == second else { return false }
      }
    }
    return true
  }

  private static func areSame(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    guard first.count == second.count else { return false }
    for index in first.indices where first[index] != second[index] { return false }
    return true
  }

  /// Where a value that was respelled stands among such values.
  func respelledRange(of slice: TextSlice, _ respelledStart: Int) -> Range<Int>? {
    let range = slice.range
    guard range.lowerBound >= respelledStart else { return nil }
    return range.lowerBound - respelledStart..<range.upperBound - respelledStart
  }
}
