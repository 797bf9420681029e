/// A law that an input broke, in a sentence for whoever mends it.
package struct LawBreach: Error, CustomStringConvertible {
  /// What was expected, and what came instead.
  package var description: String

  init(_ description: String) { self.description = description }
}

/// Throws unless a law holds.
@inline(__always)
func expect(_ holds: Bool, _ law: @autoclosure () -> String) throws(LawBreach) {
  if !holds { throw LawBreach(law()) }
}

/// Bytes as they are shown in a breach.
func shown(_ bytes: some Collection<UInt8>) -> String {
  let shown = bytes.prefix(300).map { byte -> String in
    switch byte {
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    case 0x5C: "\\\\"
    case 0x20...0x7E: String(Unicode.Scalar(byte))
    default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
  return "'" + shown.joined() + (bytes.count > 300 ? "…" : "") + "'"
}
