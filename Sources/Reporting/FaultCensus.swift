package import Diagnostics

/// Where the faults of a run are: by column and code, by place in the file, and a few of each as examples.
///
/// It takes a bounded room, however many faults there are; what goes beyond is counted, and said to be left out.
package struct FaultCensus: Sendable, Hashable {
  /// A column and what is wrong with it.
  package struct Place: Sendable, Hashable {
    /// The entity; nil where the record is of none.
    package var entity: String?
    /// The field or attribute; nil where the whole record is at fault.
    package var field: String?
    /// The kind of fault.
    package var code: DiagnosticCode
  }

  /// How many faults there were at each place.
  package private(set) var places: [Place: Int64] = [:]
  /// How many faults were at places that are not counted one by one.
  package private(set) var elsewhere: Int64 = 0
  /// The first faults of each code.
  package private(set) var examples: [DiagnosticCode: [Diagnostic]] = [:]
  /// Where in each input the rejected records are, by its path.
  package private(set) var positions: [String: RejectPositions] = [:]

  /// How many examples of a code are kept.
  package static let exampleLimit = 5
  private static let placeLimit = 4_096
  private static let inputLimit = 1_024

  /// Makes an empty one.
  package init() {}

  /// The places and their counts: the most frequent first, then by name.
  package var sortedPlaces: [(place: Place, count: Int64)] {
    places.map { (place: $0.key, count: $0.value) }.sorted { one, other in
      func names(_ place: Place) -> (String, String, String) {
        (place.entity ?? "", place.field ?? "", place.code.rawValue)
      }
      return one.count == other.count ? names(one.place) < names(other.place) : one.count > other.count
    }
  }

  /// Takes a fault of a rejected record.
  package mutating func add(_ fault: Diagnostic) {
    let place = Place(entity: fault.entity, field: fault.field, code: fault.code)
    if let count = places[place] {
      places[place] = count + 1
    } else if places.count < Self.placeLimit {
      places[place] = 1
    } else {
      elsewhere += 1
    }
    if examples[fault.code, default: []].count < Self.exampleLimit { examples[fault.code, default: []].append(fault) }
  }

  /// Takes the place of a rejected record.
  mutating func addRecord(at location: SourceLocation) {
    guard positions[location.file] != nil || positions.count < Self.inputLimit else { return }
    positions[location.file, default: RejectPositions()].add(location.byteOffset)
  }
}

/// How many rejected records begin in each stretch of an input.
///
/// All stretches are of one length, which doubles whenever a record begins behind the last of them.
package struct RejectPositions: Sendable, Hashable {
  /// How long a stretch is, in bytes.
  package private(set) var stretchByteCount: Int64 = 64
  /// How many records begin in each stretch, up to the last one that has any.
  package private(set) var counts: [Int64] = []

  /// How many stretches there are at most.
  package static let stretchLimit = 128

  /// Takes a record that begins at an offset.
  mutating func add(_ byteOffset: Int64) {
    let offset = max(byteOffset, 0)
    while offset / stretchByteCount >= Int64(Self.stretchLimit) {
      counts = stride(from: 0, to: counts.count, by: 2).map { first in
        counts[first] + (first + 1 < counts.count ? counts[first + 1] : 0)
      }
      stretchByteCount *= 2
    }
    let stretch = Int(offset / stretchByteCount)
    while counts.count <= stretch { counts.append(0) }
    counts[stretch] += 1
  }
}
