/// A kind of document that is known by its root, whatever number of records it holds.
///
/// For others the records are found by their shape, which a document with a single record may not show.
struct KnownVocabulary: Sendable, Hashable {
  /// What people call such a document.
  let title: String
  let root: String
  /// Namespaces of the root; none means any.
  let namespaces: [String]
  /// The local names of the elements that are records.
  let records: Set<String>

  private init(_ title: String, _ root: String, _ namespaces: [String] = [], _ records: Set<String>) {
    self.title = title
    self.root = root
    self.namespaces = namespaces
    self.records = records
  }

  /// The vocabulary of a root element; nil if it is none of these.
  static func of(root: String, namespace: String) -> KnownVocabulary? {
    all.first { $0.root == root && ($0.namespaces.isEmpty || $0.namespaces.contains(namespace)) }
  }

  private static let all = [
    KnownVocabulary("an RSS feed", "rss", ["item"]),
    KnownVocabulary(
      "an RSS 1.0 feed",
      "RDF",
      ["http://www.w3.org/1999/02/22-rdf-syntax-ns#"],
      ["item"]
    ),
    KnownVocabulary("an Atom feed", "feed", ["http://www.w3.org/2005/Atom"], ["entry"]),
    KnownVocabulary(
      "a site map",
      "urlset",
      ["http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.google.com/schemas/sitemap/0.84"],
      ["url"]
    ),
    KnownVocabulary(
      "an index of site maps",
      "sitemapindex",
      ["http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.google.com/schemas/sitemap/0.84"],
      ["sitemap"]
    ),
    KnownVocabulary(
      "a GPX file",
      "gpx",
      ["http://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/0"],
      ["wpt", "rtept", "trkpt"]
    ),
    KnownVocabulary(
      "a KML file",
      "kml",
      ["http://www.opengis.net/kml/2.2", "http://earth.google.com/kml/2.1", "http://earth.google.com/kml/2.0"],
      ["Placemark"]
    ),
    KnownVocabulary(
      "an Excel 2003 workbook",
      "Workbook",
      ["urn:schemas-microsoft-com:office:spreadsheet"],
      ["Row"]
    ),
    KnownVocabulary("an OPML outline", "opml", ["outline"]),
  ]

  private init(_ title: String, _ root: String, _ records: Set<String>) {
    self.init(title, root, [], records)
  }
}
