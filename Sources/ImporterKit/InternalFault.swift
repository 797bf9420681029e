import Diagnostics

/// Something that must not happen; a fault of this program.
struct InternalFault: RunFailure {
  let description: String
  var kind: FailureKind { .software }
  var remedy: String? { "please report this, with the command that you ran" }
}
