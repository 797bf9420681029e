import FuzzTargets

/// What libFuzzer calls with every input that it makes.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  runFuzzTarget(targetName, on: UnsafeBufferPointer(start: start, count: count))
  return 0
}
