import EntityModel
package import Records

/// Finds out which dotted columns of a flat file can be rows of their own, by reading it to its end.
///
/// The columns that begin with `artist.` are a row's if one of them is named like a key and tells all others: no two records
/// have the same one and different values for another. So making rows of them rejects no record and changes none.
package struct WayEvidence: Sendable {
  /// The columns of one kind of rows.
  package struct Group: Sendable {
    /// What all names begin with, without the dot: `artist.label`.
    package let prefix: String
    /// The rest of the name of the column that tells the others.
    package let key: String
    /// The rest of the names of all own columns, that one first.
    package fileprivate(set) var names: [String]
    /// What the values of a key are known to be, by column, as hashes; 0 where none was given.
    fileprivate var known: [UInt64: [UInt64]] = [:]
    fileprivate var isWhole = true
    /// Where the columns stand in the file at hand.
    fileprivate var columns: [Int] = []

    /// The group that leads to it; empty for one that records themselves lead to.
    package var parent: String {
      prefix.lastIndex(of: ".").map { String(prefix[..<$0]) } ?? ""
    }
  }

  /// What a column that tells others may be called, the surest first.
  private static let keyNames = ["id", "key", "code", "uuid", "name", "title"]
  /// How many keys are remembered at most, so that memory does not grow with the file.
  private static let limit = 250_000

  private var all: [Group]
  private let nullTokens: [[UInt8]]

  /// Looks at the names of columns.
  ///
  /// - Parameters:
  ///   - names: Those of the columns, without such as are told to be something else.
  ///   - nullTokens: Spellings of NULL.
  package init(columns names: [String], nullTokens: [String]) {
    self.nullTokens = nullTokens.map { Array($0.utf8) }
    var prefixes: [String] = []
    for name in names {
      guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { continue }
      let prefix = String(name[..<dot])
      if !prefixes.contains(prefix) { prefixes.append(prefix) }
    }
    var groups: [Group] = []
    for prefix in prefixes {
      let own = names.filter { $0.hasPrefix(prefix + ".") && !$0.dropFirst(prefix.count + 1).contains(".") }
        .map { String($0.dropFirst(prefix.count + 1)) }
      let folded = own.map(lowercasedASCII)
      guard !own.contains(""), let key = Self.keyNames.lazy.compactMap(folded.firstIndex).first else { continue }
      let rest = own.indices.filter { $0 != key }.map { own[$0] }
      groups.append(Group(prefix: prefix, key: own[key], names: [own[key]] + rest))
    }
    all = groups
  }

  /// Whether no column can be another row's.
  package var isEmpty: Bool { all.isEmpty }

  /// The groups that hold, those that lead to others first.
  ///
  /// One that gives nothing but a key is none, unless it leads on.
  package var groups: [Group] {
    var found: [Group] = []
    for group in all.sorted(by: { $0.prefix.utf8.count < $1.prefix.utf8.count }) where group.isWhole {
      guard group.parent.isEmpty || found.contains(where: { $0.prefix == group.parent }) else { continue }
      found.append(group)
    }
    while let last = found.lastIndex(where: { group in
      group.names.count == 1 && !found.contains { $0.parent == group.prefix }
    }) {
      let leaf = found.remove(at: last)
      // What it gives is told by the key of the row before as well.
      guard let before = found.firstIndex(where: { $0.prefix == leaf.parent }) else { continue }
      found[before].names.append("\(leaf.prefix.dropFirst(leaf.parent.count + 1)).\(leaf.key)")
    }
    return found
  }

  /// Turns to a file with these columns.
  package mutating func begin(columns names: [String]) {
    for index in all.indices {
      let group = all[index]
      all[index].columns = group.names.map { name in names.firstIndex(of: "\(group.prefix).\(name)") ?? -1 }
    }
  }

  /// Looks at the records of a batch.
  package mutating func observe(_ batch: borrowing RecordBatch) {
    for index in all.indices where all[index].isWhole {
      // The rows that it leads to are told by their keys.
      let inner = all.filter { $0.parent == all[index].prefix && $0.isWhole }.compactMap(\.columns.first)
      let below = all.filter { $0.prefix.hasPrefix(all[index].prefix + ".") }.flatMap(\.columns)
      for record in 0..<batch.count {
        let values = (all[index].columns + inner).map { hash(of: $0, in: record, of: batch) }
        guard values[0] != 0 else {
          let isEmpty = values.allSatisfy { $0 == 0 } && below.allSatisfy { hash(of: $0, in: record, of: batch) == 0 }
          guard isEmpty else { return all[index].isWhole = false }
          continue
        }
        guard var known = all[index].known[values[0]] else {
          guard all[index].known.count < Self.limit else { return all[index].isWhole = false }
          all[index].known[values[0]] = values
          continue
        }
        for position in values.indices where position < known.count {
          if known[position] == 0 { known[position] = values[position] }
          guard values[position] == 0 || values[position] == known[position] else { return all[index].isWhole = false }
        }
        all[index].known[values[0]] = known
      }
    }
  }

  /// A hash of a value's bytes; 0 for NULL.
  private func hash(of column: Int, in record: Int, of batch: borrowing RecordBatch) -> UInt64 {
    guard column >= 0 else { return 0 }
    let field = batch.field(column, of: record)
    guard !field.isNull else { return 0 }
    let bytes = batch.text.bytes(of: field.text)
    if !field.isQuoted,
      nullTokens.contains(where: { token in
        token.count == bytes.count && token.indices.allSatisfy { token[$0] == bytes[$0] }
      })
    {
      return 0
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
    return hash == 0 ? 1 : hash
  }
}
