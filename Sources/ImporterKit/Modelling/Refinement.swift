import Diagnostics
import EntityModel
import Validation

extension ModelOptions {
  /// Applies what the command line adds to the entities of a run.
  ///
  /// - Throws: `UsageFailure` for a column that no entity has, with the nearest one that there is.
  func refine(_ entities: inout [Entity]) throws(UsageFailure) {
    for typed in types {
      try adjust(typed.column, option: "--type", in: &entities) { $0.type = typed.type }
    }
    for column in required {
      try adjust(column, option: "--require", in: &entities) {
        $0.isRequired = true
        $0.refusesEmptyText = true
      }
    }
    for column in unique {
      try adjust(column, option: "--unique", in: &entities) { $0.isUnique = true }
    }
    for format in binaryFormats {
      guard let column = format.column else { continue }
      try adjust(column, option: "--binary", in: &entities) { $0.type = .binary }
    }
    try refineDates(&entities)
    guard let key else { return }
    for column in key {
      try adjust(column, option: "--key", in: &entities) { $0.isRequired = true }
    }
    for index in entities.indices where key.allSatisfy({ entities[index].attribute(named: $0) != nil }) {
      entities[index].key = key
    }
  }

  /// Refuses a mapping to an attribute that no entity has: a misspelt column would lose its values.
  func checkMappings(of entities: [Entity]) throws(UsageFailure) {
    let names = entities.flatMap { $0.attributes.map(\.name) }
    for mapping in mappings where !names.isEmpty && !names.contains(mapping.attribute) {
      throw UsageFailure(
        "--map: there is no attribute '\(excerpt(of: mapping.attribute))', or no column '\(excerpt(of: mapping.source))' "
          + "that could be one",
        remedy: suggestion(for: mapping.attribute, among: names) ?? suggestion(for: mapping.source, among: names)
          ?? "there are " + names.prefix(12).map { "'\(excerpt(of: $0, limit: 40))'" }.joined(separator: ", ")
      )
    }
  }

  /// A pattern told for one column makes it a date if nothing else says what it is; one for all serves every date.
  private func refineDates(_ entities: inout [Entity]) throws(UsageFailure) {
    var told: Set<String> = []
    for format in dateFormats {
      guard let column = format.column else { continue }
      let isFirst = told.insert(column).inserted
      let hasTimeOfDay = try format.compiled().hasTimeOfDay
      try adjust(column, option: "--date-format", in: &entities) { attribute in
        if attribute.type != .date, attribute.type != .datetime { attribute.type = hasTimeOfDay ? .datetime : .date }
        if isFirst { attribute.dateFormats = [] }
        attribute.dateFormats.append(format.pattern)
      }
    }
    let general = dateFormats.filter { $0.column == nil }.map(\.pattern)
    guard !general.isEmpty else { return }
    for entity in entities.indices {
      for index in entities[entity].attributes.indices {
        let attribute = entities[entity].attributes[index]
        guard attribute.type == .date || attribute.type == .datetime, !told.contains(attribute.name) else { continue }
        entities[entity].attributes[index].dateFormats = general
      }
    }
  }

  private func adjust(
    _ column: String,
    option: String,
    in entities: inout [Entity],
    _ change: (inout Attribute) -> Void
  ) throws(UsageFailure) {
    var isFound = false
    for entity in entities.indices {
      for index in entities[entity].attributes.indices where entities[entity].attributes[index].name == column {
        change(&entities[entity].attributes[index])
        isFound = true
      }
    }
    guard !isFound else { return }
    let names = entities.flatMap { $0.attributes.map(\.name) }
    throw UsageFailure(
      "\(option): there is no column '\(excerpt(of: column))'",
      remedy: suggestion(for: column, among: names)
        ?? "the columns are " + names.prefix(12).map { "'\(excerpt(of: $0, limit: 40))'" }.joined(separator: ", ")
        + (names.count > 12 ? ", …" : "")
    )
  }
}

extension ModelOptions.DateFormat {
  /// The pattern, ready to read dates with.
  ///
  /// - Throws: What is wrong with it, and the option that told it.
  func compiled() throws(UsageFailure) -> DatePattern {
    do throws(ModelError) {
      return try DatePattern(pattern)
    } catch {
      throw UsageFailure("--date-format: \(error.message)", remedy: error.remedy)
    }
  }
}
