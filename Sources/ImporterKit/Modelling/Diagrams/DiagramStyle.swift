/// What the pictures of models look like.
enum DiagramStyle {
  /// The style sheet; the dark colours come where the reader's system asks for them.
  static var sheet: String {
    rules(light) + "@media (prefers-color-scheme: dark) {\n" + rules(dark, isWhole: false) + "}\n"
  }

  private struct Palette {
    let ground, box, head, border, text, muted, accent, line, alarm: String
  }

  private static let light = Palette(
    ground: "#f7f9fb",
    box: "#ffffff",
    head: "#e4ecf5",
    border: "#b4c1cf",
    text: "#17222d",
    muted: "#5f6f80",
    accent: "#1d5fae",
    line: "#8494a6",
    alarm: "#b3400a"
  )
  private static let dark = Palette(
    ground: "#12171d",
    box: "#1b222a",
    head: "#27333f",
    border: "#45525f",
    text: "#e7edf3",
    muted: "#9aa8b6",
    accent: "#7fb6f6",
    line: "#718093",
    alarm: "#ff9a62"
  )

  private static func rules(_ palette: Palette, isWhole: Bool = true) -> String {
    let shapes = """
      text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-size: 13px; }
      .title { font-size: 14px; font-weight: 600; }
      .italic { font-style: italic; }
      .key { font-weight: 600; }
      .type { font-size: 12px; }
      .small { font-size: 11px; }
      .box { stroke-width: 1.2; }
      .abstract { stroke-dasharray: 5 3; }
      .rule { stroke-width: 1; fill: none; }
      .line path, .line circle { fill: none; stroke-width: 1.4; }
      .owning path, .owning circle { stroke-width: 1.8; }
      .inherits path { stroke-dasharray: 6 4; }
      .inherits .hollow { stroke-dasharray: none; }
      .hollow-dot { fill: none; stroke-width: 1.3; }
      .alarm { font-size: 12px; font-weight: 600; paint-order: stroke; stroke-width: 4px; }

      """
    let colours = """
      .ground { fill: \(palette.ground); }
      .box { fill: \(palette.box); stroke: \(palette.border); }
      .head { fill: \(palette.head); }
      .rule { stroke: \(palette.border); }
      .title, .name { fill: \(palette.text); }
      .type, .small { fill: \(palette.muted); }
      .link { fill: \(palette.accent); }
      .dot { fill: \(palette.text); }
      .alarm { fill: \(palette.alarm); stroke: \(palette.ground); }
      .hollow-dot { stroke: \(palette.muted); }
      .diamond { fill: \(palette.accent); }
      .line path, .line circle { stroke: \(palette.line); }
      .owning path, .owning circle { stroke: \(palette.accent); }
      .line .fill, .inherits .hollow { fill: \(palette.ground); }

      """
    return (isWhole ? shapes : "") + colours
  }

  /// What stands before a row's name: a diamond for the key, a dot for what is required, a ring for what may be absent.
  static func mark(_ mark: DiagramBox.Mark, x: Double, y: Double) -> String {
    switch mark {
    case .key, .linkInKey:
      "<path class=\"diamond\" d=\"M\(number(x)) \(number(y - 4.5))l4.5 4.5l-4.5 4.5l-4.5 -4.5Z\"/>\n"
    case .required: "<circle class=\"dot\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"2.8\"/>\n"
    case .optional: "<circle class=\"hollow-dot\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"2.8\"/>\n"
    case .link, .note: ""
    }
  }

  /// Crow's feet at the end of a line: a foot for many, a bar for one, a ring where there may be none.
  ///
  /// - Parameters:
  ///   - multiplicity: How many there may be; nil is told by nothing.
  ///   - point: Where the line meets the box.
  ///   - direction: 1 where the line leaves to the right, -1 to the left.
  static func sign(
    _ multiplicity: ModelDiagram.Multiplicity?,
    at point: DiagramLayout.Point,
    direction: Double
  ) -> String {
    guard let multiplicity else { return "" }
    let (x, y) = (point.x, point.y)
    func bar(_ distance: Double) -> String {
      "<path d=\"M\(number(x + distance * direction)) \(number(y - 6))v12\"/>"
    }
    let tip = number(x + 12 * direction)
    let foot = "<path d=\"M\(number(x)) \(number(y - 6))L\(tip) \(number(y))L\(number(x)) \(number(y + 6))\"/>"
    let first = multiplicity.isMany ? foot : bar(7)
    let distance = multiplicity.isMany ? 16.0 : 13.0
    let ring =
      "<circle class=\"fill\" cx=\"\(number(x + distance * direction))\" cy=\"\(number(y))\" r=\"4\"/>"
    return first + (multiplicity.isOptional ? ring : bar(distance))
  }

  /// What the signs mean, in one line at the bottom.
  static func legend(at y: Double) -> String {
    var svg = ""
    var x = DiagramLayout.margin + 4
    for (sign, words) in [
      (mark(.key, x: 0, y: 0), "key"), (mark(.required, x: 0, y: 0), "required"),
      (mark(.optional, x: 0, y: 0), "optional"),
    ] {
      svg += "<g transform=\"translate(\(number(x)) \(number(y - 4)))\">\(sign.dropLast())</g>"
      svg += "<text class=\"small\" x=\"\(number(x + 9))\" y=\"\(number(y))\">\(words)</text>\n"
      x += TextWidth.of(words, size: 11) + 30
    }
    let lines: [(String, String, Bool, ModelDiagram.Multiplicity?)] = [
      ("line", "one", false, .init(isMany: false, isOptional: false, isOrdered: false)),
      ("line", "one, or none", false, .init(isMany: false, isOptional: true, isOrdered: false)),
      ("line", "many, or none", false, .init(isMany: true, isOptional: true, isOrdered: false)),
      ("line owning", "deleted with its owner", false, nil), ("line inherits", "inherits", true, nil),
    ]
    for (kind, words, _, multiplicity) in lines {
      let middle = y - 4
      svg += "<g class=\"\(kind)\"><path d=\"M\(number(x - 4)) \(number(middle))h28\"/>"
      svg += self.sign(multiplicity, at: .init(x: x + 24, y: middle), direction: -1) + "</g>"
      svg += "<text class=\"small\" x=\"\(number(x + 31))\" y=\"\(number(y))\">\(words)</text>\n"
      x += TextWidth.of(words, size: 11) + 54
    }
    return svg
  }
}
