package import Diagnostics
package import Records

/// A reader of decoded text whose batches, places and framing are those of the source.
package struct TranscodedReader: RecordReader, ~Copyable {
  private var base: any RecordReader & ~Copyable
  private let trail: SourceTrail
  /// The reader's framing as it was last, and what it is in the source.
  private var baseFraming = RejectFraming()
  package private(set) var framing = RejectFraming()
  package private(set) var shapes: [RecordShape] = []

  /// Wraps a reader whose source was decoded with the trail.
  package init(_ base: consuming any RecordReader & ~Copyable, trail: SourceTrail) {
    self.base = base
    self.trail = trail
  }

  package mutating func open() throws(ReadError) {
    do throws(ReadError) {
      try base.open()
    } catch {
      throw translated(error)
    }
    update()
  }

  package mutating func fill(_ batch: inout RecordBatch) throws(ReadError) -> Bool {
    let hasRecords: Bool
    do throws(ReadError) {
      hasRecords = try base.fill(&batch)
    } catch {
      throw translated(error)
    }
    update()
    for index in batch.framings.indices { batch.framings[index].framing = encoded(batch.framings[index].framing) }
    if !hasRecords {
      declarations = base.declarations
      foundNesting = base.foundNesting
    }
    batch.attach(trail.take(batch.byteOffset..<batch.byteOffset + Int64(batch.text.count)))
    return hasRecords
  }

  /// Which parts of records turned out to be records; known at the input's end.
  package private(set) var foundNesting = RecordNesting()

  /// What the input itself says of its kinds of records; known at its end.
  package private(set) var declarations: [Int: RecordDeclaration] = [:]

  private func translated(_ error: ReadError) -> ReadError {
    guard case .refused(var diagnostics) = error else { return error }
    let source = trail.current
    for index in diagnostics.indices where diagnostics[index].location.byteOffset >= source.marks[0].text {
      diagnostics[index].translate(by: source)
    }
    return .refused(diagnostics)
  }

  /// The head and the end in the source's own bytes where they stand in it, else encoded afresh.
  private mutating func update() {
    shapes = base.shapes
    let current = base.framing
    guard framing.encoding == nil || current != baseFraming else { return }
    if framing.encoding == nil || current.opening != baseFraming.opening {
      let source = trail.source(of: current.opening, atEnd: false) ?? trail.coding.encode(current.opening.span)
      framing.opening = trail.byteOrderMark + source
    }
    if current.closing != baseFraming.closing {
      framing.closing =
        trail.source(of: current.closing, atEnd: true) ?? trail.coding.encode(current.closing.span)
    }
    framing.levels = Self.encoded(current.levels, by: trail.coding)
    framing.kinds = current.kinds.map {
      RejectFraming.Kind(name: $0.name, opening: trail.coding.encode($0.opening.span))
    }
    framing.separator = current.separator
    framing.encoding = SourceEncoding(trail.coding)
    baseFraming = current
  }

  private func encoded(_ framing: RejectFraming) -> RejectFraming {
    var copy = framing
    copy.opening = trail.byteOrderMark + trail.coding.encode(framing.opening.span)
    copy.closing = trail.coding.encode(framing.closing.span)
    copy.levels = Self.encoded(framing.levels, by: trail.coding)
    copy.encoding = SourceEncoding(trail.coding)
    return copy
  }

  private static func encoded(_ levels: [RejectFraming.Level], by coding: any SourceCoding) -> [RejectFraming.Level] {
    levels.map { level in
      RejectFraming.Level(opening: coding.encode(level.opening.span), closing: coding.encode(level.closing.span))
    }
  }
}
