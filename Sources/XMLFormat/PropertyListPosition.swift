import Records

/// Where in a property list the reader stands.
struct PropertyListPosition: Sendable {
  /// What an element of a property list is.
  enum Element: UInt8, Sendable {
    case list, dictionary, array, key, string, number, yes, no, date, data, unknown

    init(_ name: String) {
      switch name {
      case "plist": self = .list
      case "dict": self = .dictionary
      case "array": self = .array
      case "key": self = .key
      case "string": self = .string
      case "integer", "real": self = .number
      case "true": self = .yes
      case "false": self = .no
      case "date": self = .date
      case "data": self = .data
      default: self = .unknown
      }
    }
  }

  /// An element that is open outside of any record.
  struct Outer: Sendable {
    var element: Element
    /// The keys that lead to it.
    var path: [String]
    /// How its content becomes records, if it does.
    var content: PropertyListRule.Content?
    /// The last key, while its value has not been seen, with its bytes.
    var key: String?
    var keyTag: [UInt8] = []
  }

  /// An element that is open in a record.
  struct Inner: Sendable {
    var element: Element
    /// The way to its value from the record; nil for the record's own dictionary.
    var path: UInt32?
    /// The last key, while its value has not been seen.
    var key: UInt32?
    var offset: Int64
    var value: Int64
    var holdsSomething = false
    /// Whether it and what it holds is passed over, its fault having been noted.
    var isSkipped = false
  }

  var outer: [Outer] = []
  var inner: [Inner] = []
  /// Whether the record at hand begins with its key.
  var isKeyed = false
  /// Behind that key.
  var keyEnd: Int64 = 0
  /// The array at hand, as JSON.
  var arrayText: [UInt8] = []
  private var elements: [Element?] = []

  /// What the elements of a name are.
  mutating func element(_ name: UInt32, of parser: borrowing EventParser) -> Element {
    while elements.count <= Int(name) { elements.append(nil) }
    if let known = elements[Int(name)] { return known }
    let element = Element(parser.name(name))
    elements[Int(name)] = element
    return element
  }
}
