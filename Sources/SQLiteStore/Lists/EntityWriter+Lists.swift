import Diagnostics
import EntityModel
import Records

/// Pairs of rows that records give as lists.
extension EntityWriter {
  /// Prepares the lists of the run's entities.
  static func addLists(
    to tables: inout [WrittenTable],
    keys: KeySQL,
    mode: WriteMode,
    in session: WriteSession
  ) throws(StoreError) {
    let entities = tables.map(\.entity)
    for position in tables.indices {
      for list in entities[position].lists {
        guard let join = keys.join(of: list.link, from: entities[position]),
          let place = entities.firstIndex(where: { $0.name == join.entity.name })
        else {
          throw .unexpected(path: session.connection.path, reason: "no table for the pairs of '\(list.link.name)'")
        }
        tables[position].lists.append(
          try ListLink(
            list,
            of: entities[position],
            at: position,
            join: (place, join.entity, join.isForward),
            columns: tables[position].columns,
            keys: keys,
            feed: tables[position].feedName,
            on: session.connection
          )
        )
      }
    }
    guard mode.updatesRows else { return }
    let lists = tables.flatMap(\.lists)
    for list in lists where lists.count(where: { $0.join == list.join }) > 1 { try list.noteSaid() }
  }

  /// Adds the pairs of rows that have just been inserted.
  mutating func addPairs(
    of range: Range<Int>,
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    at position: Int
  ) throws(StoreError) {
    for list in tables[position].lists {
      if keepsLists {
        for row in range { try list.keep(row, of: rows, text: text, feed: feed) }
      } else {
        tables[list.join].madeCount += try list.add(range, of: rows, text: text, feed: feed)
        try list.said?.note(range, of: rows, text: text, feed: feed)
      }
    }
  }

  /// Gives a row that was there the pairs of the lists that differ.
  ///
  /// - Parameter lists: Positions of the entity's lists.
  mutating func replacePairs(
    of row: Int,
    _ lists: [Int],
    of rows: borrowing ValueBatch,
    text: borrowing TextBuffer,
    at position: Int
  ) throws(StoreError) {
    for number in lists {
      let list = tables[position].lists[number]
      let change = try list.replace(row, of: rows, text: text, feed: feed)
      tables[list.join].madeCount += change.made
      tables[list.join].deletedCount += change.deleted
    }
  }

  /// Takes away the pairs of rows that were taken back.
  mutating func dropLostPairs() throws(StoreError) {
    for position in tables.indices {
      let place = "main.\(SQLText.identifier(tables[position].stored.name))"
      for list in tables[position].lists { tables[list.join].madeCount -= try list.dropLost(ofRowsIn: place) }
    }
  }

  /// Adds the pairs of rows that refer to one another in a circle, once all are there.
  mutating func addKeptPairs() throws(StoreError) {
    keepsLists = false
    for position in tables.indices {
      for list in tables[position].lists { tables[list.join].madeCount += try list.addKept() }
    }
  }
}
