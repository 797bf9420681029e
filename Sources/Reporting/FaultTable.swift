import Diagnostics

/// The lines of a `….rejects.csv` file: one fault a line, cells as RFC 4180 has them.
///
/// Control characters are escaped as everywhere else, so that a fault never takes two lines. An empty cell is
/// something that is not known; `""` is an empty text.
enum FaultTable {
  static let header = "file,record,line,column,byte,length,entity,field,code,value,expected,message,hint\n"

  static func append(_ fault: Diagnostic, to bytes: inout [UInt8]) {
    let place = fault.location
    append(place.file, to: &bytes)
    append(place.record > 0 ? place.record : nil, to: &bytes)
    append(Int64(place.line), to: &bytes)
    append(place.column.map(Int64.init), to: &bytes)
    append(place.byteOffset, to: &bytes)
    append(Int64(place.byteCount), to: &bytes)
    append(fault.entity, to: &bytes)
    append(fault.field, to: &bytes)
    append(fault.code.rawValue, to: &bytes)
    append(fault.value, to: &bytes)
    append(fault.expected, to: &bytes)
    append(fault.message, to: &bytes)
    append(fault.remedy, to: &bytes)
    bytes[bytes.count - 1] = UInt8(ascii: "\n")
  }

  /// Adds a cell and the comma after it.
  static func append(_ text: String?, to bytes: inout [UInt8]) {
    defer { bytes.append(UInt8(ascii: ",")) }
    guard let text else { return }
    let shown = excerpt(of: text, limit: .max).utf8
    let isPlain = !shown.isEmpty && !shown.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
    if isPlain {
      bytes += shown
    } else {
      bytes.append(UInt8(ascii: "\""))
      for byte in shown {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private static func append(_ number: Int64?, to bytes: inout [UInt8]) {
    if let number { bytes += String(number).utf8 }
    bytes.append(UInt8(ascii: ","))
  }
}
