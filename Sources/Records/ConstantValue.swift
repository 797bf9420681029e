/// A value that stands by itself, such as the default of an attribute.
package enum ConstantValue: Sendable, Hashable {
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}
