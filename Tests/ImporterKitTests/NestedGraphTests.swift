import Diagnostics
import EntityModel
import ImporterKit
import TestSupport
import Testing

/// A seeded forest of labels, artists and albums, some with a year that is none.
private struct Forest {
  struct Label {
    var name: String
    var genre: String?
    var founded: String?
    var artists: [Artist]
  }
  struct Artist {
    var name: String
    var hometown: String?
    var albums: [Album]
  }
  struct Album {
    var title: String
    var released: String?
  }

  var labels: [Label] = []

  init(using random: inout SplitMix64) {
    let words = ["Low", "Tide", "Salt & Tin", "\"Q\"", "<x>", "Ottavo", "été", "a, b", "Ω", "O'N"]
    func text() -> String {
      (0..<Int.random(in: 1...2, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
    }
    func maybe(_ value: String) -> String? { Bool.random(using: &random) ? value : nil }
    func year(faulty: Int) -> String {
      let year = String(Int.random(in: 1900...2020, using: &random))
      return Int.random(in: 0..<faulty, using: &random) == 0 ? "x\(year)" : year
    }
    for label in 0..<Int.random(in: 0...5, using: &random) {
      var artists: [Artist] = []
      for artist in 0..<Int.random(in: 0...4, using: &random) {
        let albums = (0..<Int.random(in: 0...4, using: &random)).map { album in
          Album(title: "\(text()) \(album)", released: maybe(year(faulty: 6)))
        }
        artists.append(Artist(name: "\(text()) \(artist)", hometown: maybe(text()), albums: albums))
      }
      labels.append(
        Label(name: "\(text()) \(label)", genre: maybe(text()), founded: maybe(year(faulty: 5)), artists: artists)
      )
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  /// Nested, some values as attributes, some as elements before or behind what stands within.
  func xml(using random: inout SplitMix64) -> String {
    func element(_ name: String, _ fields: [(String, String?)], _ inner: String) -> String {
      var (tag, before, behind) = ("<\(name)", "", "")
      for case (let field, let value?) in fields {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: tag += " \(field)=\"\(Self.escaped(value))\""
        case 1: before += "<\(field)>\(Self.escaped(value))</\(field)>"
        default: behind += "<\(field)>\(Self.escaped(value))</\(field)>"
        }
      }
      return "\(tag)>\(before)\(inner)\(behind)</\(name)>\n"
    }
    var text = ""
    for label in labels {
      var artists = ""
      for artist in label.artists {
        let albums = artist.albums.map { element("album", [("title", $0.title), ("released", $0.released)], "") }
        artists += element("artist", [("name", artist.name), ("hometown", artist.hometown)], albums.joined())
      }
      text += element(
        "label",
        [("name", label.name), ("genre", label.genre), ("founded", label.founded)],
        Bool.random(using: &random) ? artists : "<artists>\(artists)</artists>"
      )
    }
    return "<labels>\n\(text)</labels>\n"
  }

  /// Nested, the members in any order.
  func json(using random: inout SplitMix64) -> String {
    func text(_ value: String) -> String {
      "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    func object(_ fields: [(String, String?)], _ name: String, _ inner: [String]) -> String {
      var members = fields.compactMap { name, value in value.map { "\(text(name)): \(text($0))" } }
      if inner.count == 1, Bool.random(using: &random) {
        members.append("\(text(name)): \(inner[0])")
      } else if !inner.isEmpty {
        members.append("\(text(name + "s")): [\(inner.joined(separator: ",\n"))]")
      }
      return "{\(members.shuffled(using: &random).joined(separator: ", "))}"
    }
    let labels = self.labels.map { label in
      let artists = label.artists.map { artist in
        let albums = artist.albums.map { object([("title", $0.title), ("released", $0.released)], "none", []) }
        return object([("name", artist.name), ("hometown", artist.hometown)], "album", albums)
      }
      return object([("name", label.name), ("genre", label.genre), ("founded", label.founded)], "artist", artists)
    }
    return "[\(labels.joined(separator: ",\n"))]\n"
  }

  /// Linked, as one file each.
  var files: [(name: String, text: String)] {
    func line(_ cells: [String?]) -> String {
      cells.map { $0.map { "\"\($0.replacing("\"", with: "\"\""))\"" } ?? "" }.joined(separator: ",") + "\n"
    }
    var (labels, artists, albums) = (
      "name,genre,founded\n", "name,hometown,label\n", "title,released,artist.label,artist.name\n"
    )
    for label in self.labels {
      labels += line([label.name, label.genre, label.founded])
      for artist in label.artists {
        artists += line([artist.name, artist.hometown, label.name])
        for album in artist.albums { albums += line([album.title, album.released, label.name, artist.name]) }
      }
    }
    return [("labels.csv", labels), ("artists.csv", artists), ("albums.csv", albums)]
  }
}

@Suite struct NestedGraphs {
  private let folder = Folder()
  private static let model = "fixtures/music/music.xcdatamodel"

  private func load(_ inputs: [String], into database: String, isCheck: Bool = false) throws -> LoadOutcome {
    var job = LoadJob(inputs: inputs.map(folder.callAsFunction), database: folder(database))
    job.model.modelFile = Self.model
    job.isCheck = isCheck
    for name in inputs { job.reading.format = name.hasSuffix(".xml") ? .xml : name.hasSuffix(".json") ? .json : .csv }
    if job.reading.format == .json { job.model.entity = "Label" }
    return try job.run(diagnostics: Collected())
  }

  /// All entities of a database as CSV, in the order of their keys.
  private func dump(_ database: String) throws -> [String] {
    try ["Label", "Artist", "Album"].map { entity in
      var job = ExportJob(database: folder(database))
      job.entity = entity
      job.output = folder("dump.csv")
      _ = try job.run()
      return String(decoding: folder.read("dump.csv") ?? [], as: UTF8.self)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>, ["xml", "json"])
  func `nested and linked records make the same graph, as do mended rejects`(seed: UInt64, form: String) throws {
    var random = SplitMix64(seed: seed)
    let forest = Forest(using: &random)
    folder.write(form == "xml" ? forest.xml(using: &random) : forest.json(using: &random), to: "music.\(form)")
    let files = forest.files.shuffled(using: &random)
    for file in files { folder.write(file.text, to: file.name) }
    let checked = try load(["music.\(form)"], into: "nested.sqlite", isCheck: true)
    let nested = try load(["music.\(form)"], into: "nested.sqlite")
    let linked = try load(files.map(\.name), into: "linked.sqlite")
    #expect(nested.rejectedCount == linked.rejectedCount)
    #expect(checked.rejectedCount == nested.rejectedCount)
    guard !forest.labels.isEmpty else { return }
    #expect(try dump("nested.sqlite") == dump("linked.sqlite"))

    // The rejects, mended, bring what the whole file brings once it is mended.
    func mended(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self).replacing(#/x(\d{4})/#) { $0.1 } }
    folder.write(mended(folder.read("music.\(form)") ?? []), to: "whole.\(form)")
    let whole = try load(["whole.\(form)"], into: "whole.sqlite")
    #expect(whole.rejectedCount == 0)
    if let rejects = folder.names.last(where: { $0.hasPrefix("music.rejected") }) {
      folder.write(mended(folder.read(rejects) ?? []), to: rejects)
      let again = try load([rejects], into: "nested.sqlite")
      #expect(again.rejectedCount == 0)
    }
    #expect(try dump("nested.sqlite") == dump("whole.sqlite"))
  }
}
