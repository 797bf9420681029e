import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

/// Articles with lists of what they lead to, as plain values.
private struct Library {
  struct Place: Hashable, Comparable {
    var country: String
    var city: String
    static func < (first: Place, second: Place) -> Bool {
      (first.country, first.city) < (second.country, second.city)
    }
  }

  /// An article of a file; nil is what it does not say.
  struct Article {
    var title: String
    var note: String?
    var tags: [String]?
    var picks: [String]?
    var related: [String]?
    var places: [Place]?
  }

  /// An article of the database.
  struct Stored: Equatable {
    var note: String?
    var tags: Set<String> = []
    var picks: [String] = []
    var related: Set<String> = []
    var places: Set<Place> = []
  }

  var tags: [String] = []
  var places: [Place] = []
  var articles: [String: Stored] = [:]

  init(using random: inout SplitMix64) {
    let words = ["rock", "été", "a \"b\"", "x & <y>", "two\nlines", "O'N", "Ω", "12", "null", "[1]"]
    func text(_ number: Int) -> String { "\(words.randomElement(using: &random) ?? "")\(number)" }
    tags = (0..<Int.random(in: 1...6, using: &random)).map(text)
    for number in 0..<Int.random(in: 1...5, using: &random) {
      places.append(Place(country: text(number % 2), city: "C\(number / 2)"))
    }
  }

  /// Some articles of a file; a few lead to what is not there.
  func someArticles(named names: [String], using random: inout SplitMix64) -> [Article] {
    func maybe<Element>(_ list: [Element]) -> [Element]? { Int.random(in: 0..<4, using: &random) == 0 ? nil : list }
    func some<Element: Hashable>(_ all: [Element]) -> [Element] {
      let chosen = all.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
      return chosen.shuffled(using: &random)
    }
    return names.map { name in
      var article = Article(
        title: name,
        note: Bool.random(using: &random) ? "n\(Int.random(in: 0..<3, using: &random))" : nil
      )
      article.tags = maybe(some(tags + (Int.random(in: 0..<6, using: &random) == 0 ? ["no tag"] : [])))
      article.picks = maybe(some(tags))
      article.related = maybe(some(names + (Int.random(in: 0..<8, using: &random) == 0 ? ["no article"] : [])))
      article.places = maybe(some(places))
      return article
    }
  }

  /// What an upsert makes of articles: how many were rejected, inserted, updated and the same.
  mutating func take(_ given: [Article]) -> [Int] {
    // What leads to nothing is left out, and then what leads to that.
    var accepted = given.filter { ($0.tags ?? []).allSatisfy(tags.contains) }
    while true {
      let known = Set(accepted.map(\.title)).union(articles.keys)
      let rest = accepted.filter { ($0.related ?? []).allSatisfy(known.contains) }
      if rest.count == accepted.count { break }
      accepted = rest
    }
    var counts = [given.count - accepted.count, 0, 0, 0]
    for article in accepted {
      var row = articles[article.title] ?? Stored()
      if let note = article.note { row.note = note }
      if let tags = article.tags { row.tags = Set(tags) }
      if let picks = article.picks { row.picks = picks }
      if let related = article.related { row.related = Set(related) }
      if let places = article.places { row.places = Set(places) }
      counts[articles[article.title] == nil ? 1 : articles[article.title] == row ? 3 : 2] += 1
      articles[article.title] = row
    }
    return counts
  }

  // MARK: Files

  static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

  private static func json(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  /// Articles that say everything, as CSV with ';' between items, the columns in an order of their own.
  static func csv(_ articles: [Article]) -> String {
    articles.reduce("picks,title,places.city,places.country,tags,note,related\n") { text, article in
      func list(_ items: [String]?) -> String {
        (items ?? []).isEmpty ? "" : quoted((items ?? []).joined(separator: ";"))
      }
      let cells = [
        list(article.picks), quoted(article.title), list(article.places?.map(\.city)),
        list(article.places?.map(\.country)), list(article.tags), article.note.map(quoted) ?? "", list(article.related),
      ]
      return text + cells.joined(separator: ",") + "\n"
    }
  }

  /// Articles with only what they say.
  static func json(_ articles: [Article]) -> String {
    let objects = articles.map { article in
      var members = ["\"title\": \(json(article.title))"]
      func add(_ name: String, _ items: [String]?) {
        if let items { members.append("\(json(name)): [\(items.map(json).joined(separator: ", "))]") }
      }
      if let note = article.note { members.append("\"note\": \(json(note))") }
      add("tags", article.tags)
      add("picks", article.picks)
      add("related", article.related)
      add("places.country", article.places?.map(\.country))
      add("places.city", article.places?.map(\.city))
      return "{\(members.joined(separator: ", "))}"
    }
    return "[\(objects.joined(separator: ",\n"))]\n"
  }

  /// Articles whose lists that are given have an item at least; an XML without elements says nothing.
  static func xml(_ articles: [Article]) -> String {
    let elements = articles.map { article in
      var text = "<title>\(escaped(article.title))</title>"
      func add(_ name: String, _ items: [String]?) {
        for item in items ?? [] { text += "<\(name)>\(escaped(item))</\(name)>" }
        if items?.isEmpty ?? false { text += "<\(name)/>" }
      }
      add("note", article.note.map { [$0] })
      add("tags", article.tags)
      add("picks", article.picks)
      add("related", article.related)
      add("places.country", article.places?.map(\.country))
      add("places.city", article.places?.map(\.city))
      return "<Article>\(text)</Article>\n"
    }
    return "<articles>\n\(elements.joined())</articles>\n"
  }

  /// The same in blocks of text.
  static func text(_ articles: [Article]) -> String {
    let blocks = articles.map { article in
      func lines(_ name: String, _ items: [String]?) -> String {
        guard let items else { return "" }
        return (items.isEmpty ? [""] : items).map { "\(name): \($0.replacing("\n", with: "\n+"))\n" }.joined()
      }
      return lines("title", [article.title]) + lines("note", article.note.map { [$0] }) + lines("tags", article.tags)
        + lines("picks", article.picks) + lines("related", article.related)
        + lines("places.country", article.places?.map(\.country)) + lines("places.city", article.places?.map(\.city))
    }
    return "%rec: Article\n\n" + blocks.joined(separator: "\n")
  }

  static func cells(_ rows: [[String?]]) -> [String] {
    rows.map { $0.map { $0.map(quoted) ?? "" }.joined(separator: ",") }.sorted()
  }

  /// The rows of the database's tables, as cells.
  var tables: [String: [String]] {
    [
      "Article": Self.cells(articles.map { [$0.key, $0.value.note] }),
      "Article_tags": Self.cells(articles.flatMap { title, row in row.tags.map { [title, $0] } }),
      "Article_picks": Self.cells(
        articles.flatMap { title, row in row.picks.enumerated().map { [title, $1, String($0 + 1)] } }
      ),
      "Article_related": Self.cells(articles.flatMap { title, row in row.related.map { [title, $0] } }),
      "Article_places": Self.cells(
        articles.flatMap { title, row in row.places.map { [title, $0.country, $0.city] } }
      ),
    ]
  }
}

@Suite struct ManyToManyLaws {
  private let folder = Folder()

  private static let contents = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Article">
        <attribute name="title" attributeType="String"/>
        <attribute name="note" optional="YES" attributeType="String"/>
        <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="articles" \
    inverseEntity="Tag" deletionRule="Nullify"/>
        <relationship name="picks" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag" \
    deletionRule="Nullify"/>
        <relationship name="related" optional="YES" toMany="YES" destinationEntity="Article" deletionRule="Nullify"/>
        <relationship name="places" optional="YES" toMany="YES" destinationEntity="Place" inverseName="visitors" \
    inverseEntity="Place" deletionRule="Nullify"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Tag">
        <attribute name="name" attributeType="String"/>
        <relationship name="articles" optional="YES" toMany="YES" destinationEntity="Article" inverseName="tags" \
    inverseEntity="Article" deletionRule="Nullify"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Place">
        <attribute name="country" attributeType="String"/>
        <attribute name="city" attributeType="String"/>
        <relationship name="visitors" optional="YES" toMany="YES" destinationEntity="Article" inverseName="places" \
    inverseEntity="Article" deletionRule="Nullify"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="country"/><constraint value="city"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
    </model>
    """

  init() { folder.write(Self.contents, to: "contents") }

  private func job(_ inputs: [String], into database: String, model: String) -> LoadJob {
    var job = LoadJob(inputs: inputs.map(folder.callAsFunction), database: folder(database))
    job.model.modelFile = folder(model)
    return job
  }

  /// The rows of a database's tables, as cells, quoted throughout and sorted.
  private func tables(of database: String) throws -> [String: [String]] {
    var tables: [String: [String]] = [:]
    for (entity, columns) in [
      ("Article", ["title", "note"]), ("Article_tags", ["source", "target"]),
      ("Article_picks", ["source", "target", "position"]), ("Article_related", ["source", "target"]),
      ("Article_places", ["source", "target.country", "target.city"]),
    ] {
      var job = ExportJob(database: folder(database))
      job.entity = entity
      job.format = .ndjson
      job.output = folder("dump.ndjson")
      _ = try job.run()
      let lines = String(decoding: folder.read("dump.ndjson") ?? [], as: UTF8.self).split(separator: "\n")
      tables[entity] = Library.cells(
        lines.map { line in columns.map { Self.member($0, of: String(line)) } }
      )
    }
    return tables
  }

  /// A member of an object without objects; numbers as digits.
  private static func member(_ name: String, of line: String) -> String? {
    guard let start = line.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
    let rest = line[start...]
    guard rest.first == "\"" else {
      let value = String(rest.prefix { $0 != "," && $0 != "}" })
      return value == "null" ? nil : value
    }
    var value = ""
    var isEscaped = false
    for character in rest.dropFirst() {
      if isEscaped {
        value.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        value.append(character)
      }
    }
    return value
  }

  private func expect(_ outcome: LoadOutcome, _ counts: [Int], _ comment: Comment) {
    let line = outcome.summary.first { $0.hasPrefix("Article: ") } ?? "Article: nothing"
    for (word, count) in zip(["rejected", "inserted", "updated", "unchanged"], counts) {
      let found = line.split(separator: " ").adjacent(to: word)
      #expect(found == count, "\(comment): \(word) in '\(line)'")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `lists are kept as a plain model keeps them, and come back from every format`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var library = Library(using: &random)
    folder.write("name\n" + library.tags.map { "\(Library.quoted($0))\n" }.joined(), to: "Tag.csv")
    folder.write(
      "country,city\n"
        + library.places.map { "\(Library.quoted($0.country)),\(Library.quoted($0.city))\n" }.joined(),
      to: "Place.csv"
    )
    let names = (0..<Int.random(in: 2...9, using: &random)).map { "A\($0) \"&" }
    for round in 0..<4 {
      let given = library.someArticles(
        named: names.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.shuffled(using: &random),
        using: &random
      )
      guard !given.isEmpty else { continue }
      let form = Int.random(in: 0..<4, using: &random)
      var (name, text) = ("Article.json", Library.json(given))
      switch form {
      case 0:
        // A column stands in every record.
        let whole = given.map { article in
          var article = article
          article.note = article.note ?? "n0"
          (article.tags, article.picks) = (article.tags ?? [], article.picks ?? [])
          (article.related, article.places) = (article.related ?? [], article.places ?? [])
          return article
        }
        (name, text) = ("Article.csv", Library.csv(whole))
        try load(name, text, whole, &library, round: round, using: &random)
        continue
      case 1: (name, text) = ("Article.xml", Library.xml(given))
      case 2: (name, text) = ("Article.txt", Library.text(given))
      default: break
      }
      try load(name, text, given, &library, round: round, using: &random)
    }
    guard !library.articles.isEmpty else { return }
    #expect(try tables(of: "a.sqlite") == library.tables)
    for format in FileFormat.written where format != .tsv {
      var export = ExportJob(database: folder("a.sqlite"))
      let ending = format == .text ? "txt" : format.rawValue
      for entity in ["Article", "Tag", "Place"] {
        export.entity = entity
        export.format = format
        export.listSeparator = format == .csv ? ";" : nil
        export.output = folder("\(entity).\(ending)")
        _ = try export.run()
      }
      let again = "again-\(ending).sqlite"
      var job = job(["Article.\(ending)", "Tag.\(ending)", "Place.\(ending)"], into: again, model: "a.sqlite")
      job.usesDefaults = false
      job.reading.listSeparator = format == .csv ? ";" : nil
      let outcome = try job.run(diagnostics: Collected())
      #expect(outcome.rejectedCount == 0, "\(format)")
      #expect(try tables(of: again) == library.tables, "\(format)")
    }
  }

  private func load(
    _ name: String,
    _ text: String,
    _ given: [Library.Article],
    _ library: inout Library,
    round: Int,
    using random: inout SplitMix64
  ) throws {
    folder.write(text, to: name)
    // The targets may come before or behind.
    let inputs =
      round > 0
      ? [name] : Bool.random(using: &random) ? [name, "Tag.csv", "Place.csv"] : ["Place.csv", "Tag.csv", name]
    var job = job(inputs, into: "a.sqlite", model: Bool.random(using: &random) && round > 0 ? "a.sqlite" : "contents")
    job.mode = .upsert
    job.reading.listSeparator = name.hasSuffix(".csv") ? ";" : nil
    job.isCheck = true
    let counts = library.take(given)
    let found = Collected()
    expect(try job.run(diagnostics: found), counts, "check \(name) in round \(round)")
    job.isCheck = false
    expect(try job.run(diagnostics: Collected()), counts, "\(name) in round \(round)")
    for fault in found.all where fault.severity == .error {
      #expect(fault.field == "tags" || fault.field == "related", "\(fault)")
      #expect(fault.value == "no tag" || fault.value == "no article" || fault.code == .dependsOnRejected, "\(fault)")
    }
  }
}

extension [Substring] {
  /// The number before a word; 0 without it.
  fileprivate func adjacent(to word: String) -> Int {
    guard let position = firstIndex(where: { $0 == word }), position > 0 else { return 0 }
    // A check says what would be.
    let place = self[position - 1] == "be" ? position - 3 : position - 1
    return place >= 0 ? Int(self[place]) ?? 0 : 0
  }
}
