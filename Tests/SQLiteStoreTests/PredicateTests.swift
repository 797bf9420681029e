import CSQLite
import EntityModel
import Predicates
import Records
import SQLiteStore
import TestSupport
import Testing

@Suite struct Predicates {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("out.sqlite")
  }

  private func names(where condition: String, of entity: Entity, in database: String) throws -> [String] {
    try read(entity, from: database, filter: PredicateParser.parse(condition)).map { row in
      guard case .text(let name) = row[0] else { return "NULL" }
      return String(decoding: name, as: UTF8.self)
    }
  }

  /// The same, found among all rows by the condition in memory.
  private func namesInMemory(where condition: String, of entity: Entity) throws -> [String] {
    let model = EntityModel(entities: [entity])
    let test = try RowCondition(PredicateParser.parse(condition), on: entity, of: model)
    var reader = try EntityReader(database: database, entity: entity)
    var rows = ValueBatch()
    var text = TextBuffer()
    var names: [String] = []
    while try reader.fill(&rows, text: &text) {
      for row in rows.rows {
        let start = Int(row.valueStart)
        guard test.isFulfilled(by: rows.values, from: start, text: text), case .text(let name) = rows.values[start]
        else {
          continue
        }
        let bytes = text.bytes(of: name)
        names.append(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))
      }
    }
    return names
  }

  // MARK: One entity

  private static let notes: Entity = {
    var entity = Entity(name: "Note", key: ["title"])
    entity.attributes = [
      Attribute(name: "title"), Attribute(name: "keywords"), Attribute(name: "date", type: .datetime),
      Attribute(name: "pages", type: .integer(bits: 64)),
      Attribute(name: "price", type: .decimal(precision: 20, scale: 2)),
      Attribute(name: "done", type: .boolean), Attribute(name: "body", type: .binary),
      Attribute(name: "day", type: .date), Attribute(name: "size", type: .double),
    ]
    return entity
  }()

  @Test(arguments: [
    ("title CONTAINS[cd] 'perche' OR keywords CONTAINS[cd] 'perche'", "Perché Senza"), ("title CONTAINS 'perche'", ""),
    ("title BEGINSWITH 'P'", "Perché"), ("title BEGINSWITH[c] 'S'", "Senza"), ("title ENDSWITH '%'", "Treni_%"),
    ("title ENDSWITH ''", "Lista Perché Senza Treni_%"), ("keywords ENDSWITH ''", "Lista Perché Senza"),
    ("title LIKE '?i*'", "Lista"), ("title LIKE 'Treni_%'", "Treni_%"), ("title LIKE 'Treni'", ""),
    ("title LIKE[cd] 'perch?'", "Perché"), ("title MATCHES '[LP].*'", "Lista Perché"),
    ("title MATCHES[c] 'l\\\\S+'", "Lista"),
    ("title MATCHES 'ista'", ""), ("title MATCHES[d] 'Perche'", "Perché"), ("title ==[c] 'LISTA'", "Lista"),
    ("title == 'LISTA'", ""),
    ("title IN {'Lista', 'x'}", "Lista"), ("title IN[cd] {'PERCHE', 'TRENI_%'}", "Perché Treni_%"), ("title IN {}", ""),
    ("keywords == NULL", "Treni_%"), ("keywords != NULL", "Lista Perché Senza"),
    ("keywords != 'casa'", "Perché Senza Treni_%"),
    ("NOT keywords == 'casa'", "Perché Senza Treni_%"), ("keywords IN {NULL, 'casa'}", "Lista Treni_%"),
    ("keywords == ''", ""),
    ("date < '2013-01-01'", "Lista"), ("NOT date < '2013-01-01'", "Perché Senza Treni_%"),
    ("date == '2013-02-11T08:30:00Z'", "Perché"),
    ("date BETWEEN {'2013-01-01', '2013-02-11T09:30:00+01:00'}", "Perché"),
    ("date >= '2013-02-11T08:30:00.001Z'", "Treni_%"),
    ("pages > 2", "Perché"), ("pages == 9007199254740993", "Perché"), ("pages >= 1.5", "Lista Perché"),
    ("2 >= pages", "Lista Senza"),
    ("price > 9", "Lista Perché"), ("price == 10.5", "Lista"), ("price < -1", "Senza"),
    ("price BETWEEN {-1000, 10.50}", "Lista Senza"),
    ("price == 123456789012345678.01", "Perché"), ("done == YES", "Lista"), ("done == 0", "Perché"),
    ("done != TRUE", "Perché Senza Treni_%"),
    ("body == NULL", "Perché Senza Treni_%"), ("day == '2013-03-01'", "Treni_%"), ("day > '2013-01-31'", "Treni_%"),
    ("size < 0.2", "Lista"),
    ("size == 0.1", "Lista"), ("title == keywords", ""), ("title != keywords", "Lista Perché Senza Treni_%"),
    ("price > pages", "Lista Perché Senza"), ("pages >= price", ""), ("size < price", "Lista"), ("pages < size", ""),
    ("pages > size", "Lista"), ("title CONTAINS ''", "Lista Perché Senza Treni_%"),
    ("day BEGINSWITH '2013'", "Lista Treni_%"),
    ("date CONTAINS '+01'", "Perché"), ("NOT pages IN {2, NULL}", "Perché Senza"),
    ("TRUEPREDICATE", "Lista Perché Senza Treni_%"),
    ("NOT (title == 'Lista' OR pages > 2)", "Senza Treni_%"), ("TITLE == 'Lista'", "Lista"),
  ])
  func `a condition finds the rows that fulfil it, in the database and in memory`(condition: String, expected: String)
    throws
  {
    try load(
      [
        [
          "Perché", "cucina, latte", "2013-02-11T09:30:00+01:00", 9_007_199_254_740_993, "123456789012345678.01", 0,
          .null, .null, .null,
        ],
        ["Lista", "casa", "2012-12-31T23:59:59Z", 2, "10.50", 1, .blob([1]), "2013-01-31", 0.1],
        ["Senza", "PERCHE no", .null, -5, "-2.00", .null, .null, .null, .null],
        ["Treni_%", .null, "2013-03-01T00:00:00", .null, .null, .null, .null, "2013-03-01", 2.5],
      ],
      as: Self.notes,
      into: database
    )
    #expect(try names(where: condition, of: Self.notes, in: database).joined(separator: " ") == expected)
    #expect(try namesInMemory(where: condition, of: Self.notes).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("titel == 'x'", "'Note' has no attribute 'titel'"), ("title == 3", "'3' cannot be compared with the type 'text'"),
    ("pages == 'x'", "'x' cannot be compared with the type 'integer'"),
    ("pages CONTAINS 'x'", "CONTAINS searches texts, and 'pages' is of the type 'integer'"),
    ("day == '2013-02-30'", "'2013-02-30' cannot be compared with the type 'date'"),
    ("body == 'x'", "'x' cannot be compared with the type 'binary'"),
    ("title < NULL", "< cannot be asked of NULL"), ("title CONTAINS 3", "CONTAINS takes a text, and 3 is none"),
    ("title MATCHES '('", "'(' is not a regular expression"),
    ("pages ==[c] 3", "case and diacritics mean nothing to 'integer'"),
    ("title == pages", "'text' and 'integer' cannot be compared"),
    ("ANY title == 'x'", "ANY, ALL and NONE ask about a to-many relationship, and 'title' is none"),
    ("title.x == 1", "'title' of 'Note' is a value, and leads to no other row"),
    ("done == 2", "'2' cannot be compared with the type 'boolean'"),
    ("title CONTAINS keywords", "CONTAINS takes a text in quotes, and 'keywords' is an attribute"),
  ])
  func `a condition that does not fit is refused with its place`(condition: String, message: String) throws {
    try load([], as: Self.notes, into: database)
    let error = #expect(throws: PredicateError.self) { try names(where: condition, of: Self.notes, in: database) }
    #expect(error?.description.contains(": " + message) == true, "\(error?.description ?? "")")
    let inMemory = #expect(throws: PredicateError.self) { try namesInMemory(where: condition, of: Self.notes) }
    #expect(inMemory?.description == error?.description)
  }

  @Test func `nothing of a value becomes part of the statement`() throws {
    try load([["a\"b'c; DROP TABLE Note; --"]], as: entity("Note", ["title"]), into: database)
    let note = entity("Note", ["title"])
    #expect(try names(where: "title == 'a\"b\\'c; DROP TABLE Note; --'", of: note, in: database).count == 1)
    #expect(try names(where: "title CONTAINS '\\'; --'", of: note, in: database).isEmpty)
  }

  // MARK: Relationships

  private static let music = """
    CREATE TABLE Label (name TEXT PRIMARY KEY, genre TEXT);
    CREATE TABLE Artist (id INTEGER PRIMARY KEY, name TEXT, label TEXT REFERENCES Label (name));
    CREATE TABLE Album (title TEXT PRIMARY KEY, artist INTEGER REFERENCES Artist);
    CREATE TABLE Label_friends (source TEXT REFERENCES Label, target TEXT REFERENCES Artist (id));
    INSERT INTO Label VALUES ('Warp', 'electronic'), ('Ninja', 'jazz'), ('Empty', NULL);
    INSERT INTO Artist VALUES (1, 'Aphex', 'Warp'), (2, 'Boards', 'Warp'), (3, 'Bonobo', 'Ninja'), (4, 'Nobody', NULL);
    INSERT INTO Album VALUES ('Drukqs', 1), ('Geogaddi', 2), ('Campfire', 2), ('Migration', 3), ('Lost', NULL);
    INSERT INTO Label_friends VALUES ('Empty', 3), ('Warp', 3), ('Warp', 4);
    CREATE TABLE importer_model (entity TEXT NOT NULL, member TEXT NOT NULL, property TEXT NOT NULL, value TEXT);
    INSERT INTO importer_model VALUES
      ('Label', '', 'relationships', '"artists", "Artist", "label", "many", "", "", "", "", "nullify"'),
      ('Label', '', 'relationships', '"friends", "Artist", "", "many", "", "", "", "", "nullify"'),
      ('Artist', '', 'relationships', '"label", "Label", "artists", "one", "", "", "", "", "nullify"'),
      ('Artist', '', 'relationships', '"albums", "Album", "artist", "many", "", "", "", "", "nullify"');
    """

  @Test(arguments: [
    ("Album", "artist.label.genre == 'electronic'", "Campfire Drukqs Geogaddi"),
    ("Album", "artist.label.name != 'Warp'", "Lost Migration"),
    ("Album", "artist == NULL", "Lost"), ("Album", "artist.name BEGINSWITH 'B'", "Campfire Geogaddi Migration"),
    ("Label", "ANY artists.name == 'Boards'", "Warp"), ("Label", "NONE artists.name BEGINSWITH 'B'", "Empty"),
    ("Label", "ALL artists.name BEGINSWITH 'B'", "Empty Ninja"), ("Label", "artists.@count == 0", "Empty"),
    ("Label", "artists.@count BETWEEN {1, 2}", "Ninja Warp"),
    ("Label", "ANY artists.albums.title CONTAINS 'g'", "Ninja Warp"), ("Label", "artists.albums.@count > 2", "Warp"),
    ("Label", "ANY friends.label.name == 'Ninja'", "Empty Warp"), ("Label", "friends.@count == 2", "Warp"),
    ("Label", "NONE friends.name == 'Nobody'", "Empty Ninja"),
  ])
  func `paths lead over foreign keys and join tables`(name: String, condition: String, expected: String) throws {
    try ForeignDatabase(database).execute(Self.music)
    let entity = try #require(try SchemaReader.readModel(ofDatabase: database).entity(named: name))
    #expect(try names(where: condition, of: entity, in: database).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("Label", "artists.name == 'x'", "'artists.name' has many values"),
    ("Album", "artist.label == 3", "'3' cannot be compared with the type 'text'"),
    ("Label", "ANY artists == 'x'", "'artists' is a relationship"),
    ("Album", "artist.@count == 1", "'artist' leads to one row at most"),
    ("Album", "artist.lable.name == 'x'", "'Artist' has no attribute 'lable'"),
    (
      "Album", "title == artist.label.artists.name",
      "'artist.label.artists.name' has many values and stands at the right"
    ),
  ])
  func `paths that lead nowhere are refused`(name: String, condition: String, message: String) throws {
    try ForeignDatabase(database).execute(Self.music)
    let entity = try #require(try SchemaReader.readModel(ofDatabase: database).entity(named: name))
    let error = #expect(throws: PredicateError.self) { try names(where: condition, of: entity, in: database) }
    #expect(error?.description.contains(": " + message) == true, "\(error?.description ?? "")")
  }

  // MARK: Order

  @Test(arguments: [
    ("text", "d,b,c,a"), ("-text", "a,c,b,d"), ("text[cd]", "d,b,c,a"), ("price", "b,d,a,c"), ("-price", "c,a,d,b"),
    ("date", "d,c,a,b"), ("-date,k", "b,a,c,d"), ("k", "a,b,c,d"), ("-k", "d,c,b,a"),
  ])
  func `rows stand in the order of the type, ties by key`(order: String, expected: String) throws {
    var entity = Entity(name: "t", key: ["k"])
    entity.attributes = [
      Attribute(name: "k"), Attribute(name: "text"), Attribute(name: "price", type: .decimal(precision: 30, scale: 1)),
      Attribute(name: "date", type: .datetime),
    ]
    try load(
      [
        ["a", "zoë", "10.0", "2020-01-01T10:00:00+02:00"], ["b", "B", "-10.0", "2020-01-01T09:00:00Z"],
        ["c", "zoe", "100.0", "2020-01-01T08:00:00Z"], ["d", .null, "9.0", .null],
      ],
      as: entity,
      into: database
    )
    let rows = try read(entity, from: database, order: .terms(SortTerm.parse(order)))
    #expect(rows.map { $0[0] } == expected.split(separator: ",").map { Cell.text(Array($0.utf8)) })
  }
}
