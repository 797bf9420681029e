import Diagnostics
package import EntityModel
package import Records

/// Finds types for columns from all their values.
///
/// A type is inferred only if every value of the column, printed back from it, gives the same characters: `007`, `+39`,
/// `1e5`, `1.10` beside `1.9` and integers past 64 bits stay text.
package struct TypeInference {
  private var evidence: [[ColumnEvidence]] = []
  /// What was kept for people, in step with `evidence`; empty where nothing is kept.
  private var growing: [[GrowingEvidence]] = []
  private var shapes: [RecordShape] = []
  private let nullTokens: [[UInt8]]
  private let quotesProtect: Bool
  private let quotedIsText: Bool
  private let base64IsBinary: Bool
  /// The patterns for all columns, then those for one each.
  private let patternSets: [[DatePattern]]
  private let patternSetsByColumn: [String: Int]
  private let keepsEvidence: Bool

  /// Starts without evidence.
  ///
  /// - Parameters:
  ///   - nullTokens: See `ValidationPlan`.
  ///   - quotesProtect: See `ValidationPlan`.
  ///   - quotedIsText: Whether a quoted value is text whatever it looks like, as in JSON.
  ///   - base64IsBinary: Whether what is marked as base64 is bytes, as in a property list, rather than text.
  ///   - datePatterns: Ways of writing dates, besides ISO 8601, that make dates of a column.
  ///   - columnPatterns: The same for columns of a name, instead of those for all.
  ///   - keepsEvidence: Whether the values that decide and the ends of ranges are kept; see `evidence(ofShape:)`.
  package init(
    nullTokens: [String] = [],
    quotesProtect: Bool = true,
    quotedIsText: Bool = false,
    base64IsBinary: Bool = false,
    datePatterns: [DatePattern] = [],
    columnPatterns: [String: [DatePattern]] = [:],
    keepsEvidence: Bool = false
  ) {
    self.keepsEvidence = keepsEvidence
    self.nullTokens = nullTokens.map { Array($0.utf8) }
    self.quotesProtect = quotesProtect
    self.quotedIsText = quotedIsText
    self.base64IsBinary = base64IsBinary
    var sets = [datePatterns]
    var byColumn: [String: Int] = [:]
    for (column, patterns) in columnPatterns {
      byColumn[column] = sets.count
      sets.append(patterns)
    }
    patternSets = sets
    patternSetsByColumn = byColumn
  }

  /// Takes the values of a batch into account; broken records count for nothing.
  package mutating func observe(_ batch: borrowing RecordBatch) {
    complete(batch.shapes)
    var start = 0
    while start < batch.records.count {
      let kind = Int(batch.records[start].kind)
      var end = start + 1
      while end < batch.records.count, Int(batch.records[end].kind) == kind { end += 1 }
      // Taken out meanwhile, so that each field costs one look into an array and no more.
      var columns: [ColumnEvidence] = []
      var kept: [GrowingEvidence] = []
      swap(&columns, &evidence[kind])
      if keepsEvidence { swap(&kept, &growing[kind]) }
      for record in start..<end where !batch.records[record].isUnreadable {
        observe(record, of: batch, &columns, &kept)
      }
      swap(&columns, &evidence[kind])
      if keepsEvidence { swap(&kept, &growing[kind]) }
      start = end
    }
  }

  private func observe(
    _ record: Int,
    of batch: borrowing RecordBatch,
    _ columns: inout [ColumnEvidence],
    _ kept: inout [GrowingEvidence]
  ) {
    let bytes = batch.text.bytes
    let fieldStart = Int(batch.records[record].fieldStart)
    let width = min(Int(batch.records[record].fieldCount), columns.count)
    for column in 0..<width where !columns[column].candidates.isEmpty {
      let field = batch.fields[fieldStart + column]
      guard !field.isNull else { continue }
      let text = bytes.extracting(field.text.range)
      if !nullTokens.isEmpty, isNullToken(text, field: field) { continue }
      let before = columns[column].candidates
      var key: GrowingEvidence.Key?
      if field.isBase64 || (quotedIsText && field.isQuoted) {
        columns[column].candidates.formIntersection(field.isBase64 && base64IsBinary ? .binary : [])
        columns[column].hasValues = true
      } else {
        key = columns[column].weigh(text, patternSets[columns[column].patternSet])
      }
      guard keepsEvidence else { continue }
      if before != columns[column].candidates {
        kept[column].strikeOut(from: before, columns[column], by: text, field, of: record, in: batch)
      }
      if let key, !columns[column].candidates.isEmpty { kept[column].extend(key, text, field, of: record, in: batch) }
    }
  }

  /// Starts anew with another input, keeping what was found: the types must hold for all inputs of an entity.
  package mutating func merge(_ other: TypeInference, shape: Int, into own: Int) {
    while evidence.count <= own {
      evidence.append([])
      shapes.append(RecordShape())
    }
    for (column, name) in other.shapes[shape].columns.enumerated() {
      let found = other.evidence[shape][column]
      if let known = shapes[own].columns.firstIndex(of: name) {
        evidence[own][known] = ColumnEvidence.combine(evidence[own][known], found)
      } else {
        shapes[own].columns.append(name)
        evidence[own].append(found)
      }
    }
  }

  /// Takes columns into account that no record had a value for.
  package mutating func complete(_ shapes: [RecordShape]) {
    self.shapes = shapes
    while evidence.count < shapes.count { evidence.append([]) }
    for kind in shapes.indices {
      while evidence[kind].count < shapes[kind].columns.count {
        var column = ColumnEvidence()
        column.patternSet = patternSetsByColumn[shapes[kind].columns[evidence[kind].count]] ?? 0
        evidence[kind].append(column)
      }
    }
    guard keepsEvidence else { return }
    while growing.count < shapes.count { growing.append([]) }
    for kind in shapes.indices {
      let missing = shapes[kind].columns.count - growing[kind].count
      if missing > 0 { growing[kind] += Array(repeating: GrowingEvidence(), count: missing) }
    }
  }

  /// The columns of a shape as attributes without rules, in the order of the file.
  package func attributes(ofShape kind: Int) -> [Attribute] {
    zip(shapes[kind].columns, evidence[kind]).map { Attribute(name: $0, type: $1.type(patternSets[$1.patternSet])) }
  }

  /// The evidence for the types of a shape's columns, in the order of the file; empty where none is kept.
  package func evidence(ofShape kind: Int) -> [TypeEvidence] {
    guard keepsEvidence else { return [] }
    return zip(evidence[kind], growing[kind]).map { found, kept in
      let type = found.type(patternSets[found.patternSet])
      return switch type {
      case .integer, .decimal, .double: kept.evidence(isNumber: true, isOrdered: true)
      case .date, .datetime: kept.evidence(isNumber: false, isOrdered: true)
      default: kept.evidence(isNumber: false, isOrdered: false)
      }
    }
  }

  private func isNullToken(_ text: Span<UInt8>, field: Field) -> Bool {
    guard !(field.isQuoted && quotesProtect) else { return false }
    return nullTokens.contains { token in
      token.count == text.count && token.indices.allSatisfy { token[$0] == text[$0] }
    }
  }
}
