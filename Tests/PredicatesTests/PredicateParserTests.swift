import Predicates
import Testing
import TextFolding

@Suite struct PredicateParsing {
  private func comparison(_ text: String) throws -> Comparison {
    guard case .comparison(let comparison) = try PredicateParser.parse(text) else {
      throw PredicateError(at: 1, "no comparison", remedy: "")
    }
    return comparison
  }

  @Test(
    arguments: [
      ("a == 1", .equal), ("a = 1", .equal), ("a != 1", .notEqual), ("a <> 1", .notEqual), ("a<1", .less),
      ("a <= 1", .lessOrEqual), ("a =< 1", .lessOrEqual), ("a > 1", .greater), ("a >= 1", .greaterOrEqual),
      ("a => 1", .greaterOrEqual), ("1 < a", .greater), ("1 >= a", .lessOrEqual), ("a beginswith 'x'", .beginsWith),
      ("a CONTAINS 'x'", .contains), ("a endsWith \"x\"", .endsWith), ("a LIKE 'x*'", .like),
      ("a MATCHES 'x'", .matches),
      ("a IN {1, 2}", .isIn), ("a in (1)", .isIn), ("a IN {}", .isIn), ("a BETWEEN {1, 2}", .between),
      ("a BETWEEN 1 AND 2", .between),
    ] as [(String, Comparison.Operator)]
  )
  func `every spelling of an operator is known`(text: String, expected: Comparison.Operator) throws {
    let comparison = try comparison(text)
    #expect(comparison.operator == expected)
    #expect(comparison.left.components == ["a"])
  }

  @Test(
    arguments: [
      ("a == 'it''s'", nil), ("a == 'it\\'s'", .text("it's")), ("a == \"it's\"", .text("it's")), ("a == ''", .text("")),
      ("a == 'a\\nb\\\\c\\d'", .text("a\nb\\c\\d")), ("a == -1.5e3", .number("-1.5e3")), ("a == .5", .number(".5")),
      ("a == +7", .number("+7")), ("a == NULL", .null), ("a == nil", .null), ("a == YES", .boolean(true)),
      ("a == false", .boolean(false)), ("a == '2026-01-31'", .text("2026-01-31")),
    ] as [(String, Literal.Kind?)]
  )
  func `values are read as they are written`(text: String, expected: Literal.Kind?) throws {
    guard let expected else {
      #expect(throws: PredicateError.self) { try PredicateParser.parse(text) }
      return
    }
    guard case .value(let literal) = try comparison(text).right else { throw PredicateError(at: 1, "none", remedy: "") }
    #expect(literal.kind == expected)
  }

  @Test func `names may be paths, keywords and have blanks`() throws {
    #expect(try comparison("artist.label.name == 1").left.components == ["artist", "label", "name"])
    #expect(try comparison("#any == 1").left.components == ["any"])
    #expect(try comparison("`first name`.`x` == 1").left.components == ["first name", "x"])
    #expect(try comparison("perché == 1").left.components == ["perché"])
    let count = try comparison("ANY a.b.@count > 2")
    #expect(count.left.isCount)
    #expect(count.left.text == "a.b.@count")
    #expect(count.quantifier == .any)
  }

  @Test func `options tell what does not count`() throws {
    #expect(try comparison("a ==[c] 'x'").options == .ignoringCase)
    #expect(try comparison("a CONTAINS[dc] 'x'").options == [.ignoringCase, .ignoringDiacritics])
  }

  @Test func `NOT binds before AND, and AND before OR`() throws {
    let plain = try PredicateParser.parse("NOT a == 1 && b == 2 || c == 3")
    let explicit = try PredicateParser.parse("((NOT (a == 1)) AND (b == 2)) OR (c == 3)")
    #expect(structure(plain) == structure(explicit))
    #expect(structure(plain) == "or(and(not(a),b),c)")
    #expect(
      structure(try PredicateParser.parse("!(a == 1 OR b NOT IN {2}) AND TRUEPREDICATE"))
        == "and(not(or(a,not(b))),true)"
    )
  }

  private func structure(_ predicate: Predicate) -> String {
    switch predicate {
    case .constant(let value): "\(value)"
    case .comparison(let comparison): comparison.left.text
    case .not(let inner): "not(\(structure(inner)))"
    case .and(let parts): "and(\(parts.map(structure).joined(separator: ",")))"
    case .or(let parts): "or(\(parts.map(structure).joined(separator: ",")))"
    }
  }

  @Test(arguments: [
    ("", 1, "the condition is empty"), ("a", 2, "found the end, expected an operator such as ==, <, CONTAINS or IN"),
    ("a == ", 6, "found the end, expected an attribute's name or a value"), ("a == 'x", 6, "the quote is not closed"),
    ("a CONTAIN 'x'", 3, "there is no operator 'CONTAIN'"), ("(a == 1", 8, "found the end, expected ')'"),
    ("a == 1 b", 8, "found 'b', expected AND, OR or the end"),
    ("'x' == 'y'", 1, "two values are compared, and no attribute"),
    ("'x' IN {'y'}", 1, "two values are compared, and no attribute"),
    ("a IN 'x'", 6, "found 'x', expected a list such as {'a', 'b'}"),
    ("a BETWEEN {1}", 11, "BETWEEN has 1 values, expected 2"), ("a ==[x] 1", 6, "there is no option 'x'"),
    ("a BETWEEN[c] {1,2}", 10, "BETWEEN takes no options"), ("a == 1e", 6, "'1e' is not a number"),
    ("# == 1", 1, "a name is missing after '#'"),
    ("'x' CONTAINS a", 1, "a value stands before CONTAINS"), ("a.@sum == 1", 3, "'@sum' is not understood here"),
    ("a NOT == 1", 7, "found '==', expected an operator such as ==, <, CONTAINS or IN"),
    ("a == 1\u{1B}[0m", 7, "found '\\x1B', expected AND, OR or the end"),
  ])
  func `what cannot be understood is told with its place`(text: String, column: Int, message: String) {
    let error = #expect(throws: PredicateError.self) { try PredicateParser.parse(text) }
    #expect(error?.description == "--where, character \(column): \(message)")
    #expect(error?.remedy?.isEmpty == false)
  }

  @Test func `nesting without end is refused`() {
    let text = String(repeating: "(", count: 100_000)
    let error = #expect(throws: PredicateError.self) { try PredicateParser.parse(text) }
    #expect(error?.description.hasSuffix("it nests too deep") == true)
  }

  @Test func `an order has directions and options`() throws {
    let terms = try SortTerm.parse("name[cd], -date,+artist.label.name")
    #expect(terms.map(\.path.text) == ["name", "date", "artist.label.name"])
    #expect(terms.map(\.isDescending) == [false, true, false])
    #expect(terms[0].options == [.ignoringCase, .ignoringDiacritics])
    let error = #expect(throws: PredicateError.self) { try SortTerm.parse("name,,") }
    #expect(error?.description == "--sort-by, character 6: found ',', expected a name")
  }
}
