/// Why a text is no value of an option; the caller adds the option's name and place.
struct ValueFault: Error, Hashable {
  /// What is wrong, in lower case.
  var message: String
  /// What to do about it.
  var remedy: String?

  init(_ message: String, remedy: String? = nil) {
    self.message = message
    self.remedy = remedy
  }
}
