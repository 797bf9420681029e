import Diagnostics
import ImporterKit
import Testing

/// What texts out of files called `.txt` are taken for, when nothing is told.
@Suite struct LayoutsOfText {
  static let samples: [(name: String, text: String, format: String)] = [
    ("one line", "hello\n", "lines of text"),
    ("prose", "It was a dark night, and rain fell.\nNobody came.\nThe end, as they say.\n", "lines of text"),
    (
      "a long paragraph",
      "Call me Ishmael. Some years ago, never mind how long precisely, having little\nor no money in my purse, and nothing particular to interest me on shore, I\nthought I would sail about a little and see the watery part of the world.\n",
      "lines of text"
    ),
    (
      "a poem",
      "Two roads diverged in a yellow wood,\nAnd sorry I could not travel both\n   And be one traveler, long I stood\nAnd looked down one as far as I could\n",
      "lines of text"
    ),
    ("words", "apple\npear\nfig\n", "lines of text"),
    ("numbers", "1\n2\n3\n", "lines of text"),
    ("addresses of mail", "ada@example.org\nbo@example.org\n", "lines of text"),
    ("addresses of the web", "https://example.org/a\nhttps://example.org/b\n", "lines of text"),
    ("paths", "/usr/bin/env\n/usr/lib\n/etc/passwd\n", "lines of text"),
    ("a postal address", "Ada Lovelace\n12 St James's Square\nLondon\n\nAlan Turing\nHampton\n", "lines of text"),
    ("Markdown", "# Title\n\nSome words here.\n\n- one\n- two\n", "lines of text"),
    ("a heading underlined", "Title\n=====\n\nSome text\nand more\n", "lines of text"),
    ("a shell script", "#!/bin/sh\nset -e\necho hello\n", "lines of text"),
    ("an ini file", "[core]\nbare = false\n[user]\nname = Ada\n", "lines of text"),
    ("properties", "a.b=1\nc.d=2\ne=3\n", "lines of text"),
    ("Python", "def f(x):\n    if x:\n        return 1\n    return 2\n", "lines of text"),
    ("two words a line", "San Jose\nNew York\nLos Lima\n", "lines of text"),
    ("a log of sentences", "started\nlistening on port 80\nstopped\n", "lines of text"),
    ("semicolons", "a;1\nb;2\nc;3\n", "delimited text"),
    ("commas", "id,name\n1,Ada\n2,Bo\n", "delimited text"),
    ("tabs", "id\tname\n1\tAda\n2\tBo\n", "delimited text"),
    ("bars", "id|name\n1|Ada\n2|Bo\n", "delimited text"),
    ("quoted commas", "\"a, b\",1\n\"c\",2\n", "delimited text"),
    ("a quoted column", "\"a\"\n\"b\"\n", "delimited text"),
    ("a Markdown table", "| id | name |\n|----|------|\n| 1 | Ada |\n| 2 | Bo |\n", "delimited text"),
    ("padded and delimited", "a    , b\nbbb  , c\ncc   , d\n", "delimited text"),
    ("delimited with comments", "# list\na;1\nb;2\n", "delimited text"),
    ("records", "name: Ada\nborn: 1815\n\nname: Bo\nborn: 1990\n", "text records"),
    ("one record", "name: Ada\nborn: 1815\n", "text records"),
    ("records with descriptors", "%rec: P\n\nname: Ada\n", "text records"),
    ("records with continuations", "title: a\nbody: b\n c, d\n e\n\ntitle: f\nbody: g\n", "text records"),
    ("headers of mail", "From: ada@example.org\nTo: bo@example.org\nSubject: hello\n", "text records"),
    ("aligned", "name       born\nAda        1815\nZoë Ann    1990\nBo            7\n", "fixed-width text"),
    ("a ruler", "id name\n-- -----\n1  Ada\n", "fixed-width text"),
    ("a table of psql", " id | name \n----+------\n  1 | Ada\n  2 | Bo\n", "fixed-width text"),
    ("a table of mysql", "+----+-----+\n| id | n   |\n+----+-----+\n|  1 | Ada |\n+----+-----+\n", "fixed-width text"),
    ("df", "Filesystem     Use  Mounted\n/dev/sda1       71  /\ntmpfs            0  /run\n", "fixed-width text"),
    ("glossary", "CPU      central processing unit\nRAM      memory\nDisk     storage, slow\n", "lines of text"),
    ("an outline of labels", "Label: A\n  genre: x\n  Artist: B\n    town: C\nLabel: D\n  genre: y\n", "outline"),
    ("an outline of cells", "A | x\n  B | y\n    C | z\n  D | w\n", "outline"),
    ("an outline that says so", "%outline: cells\n%indent: 2\nA\n  B\n", "outline"),
    ("a time line", "12:30 lunch\n13:15 talk\n", "lines of text"),
  ]

  @Test(arguments: samples.indices) func `a text is taken for what it is`(index: Int) throws {
    let sample = Self.samples[index]
    let folder = Folder()
    folder.write(sample.text, to: "sample.txt")
    let job = LoadJob(inputs: [folder("sample.txt")], database: folder("x.sqlite"))
    let outcome = try job.run(diagnostics: NoDiagnostics())
    let line = outcome.summary.first ?? ""
    #expect(line.contains("sample.txt: " + sample.format), "\(sample.name): \(line)")
  }
}

private final class NoDiagnostics: DiagnosticSink {
  func note(_ diagnostic: Diagnostic) {}
}
