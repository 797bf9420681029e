import ByteStreams
import DataPackage
import Diagnostics
import XMLFormat

/// What one input is spelled in, and how that is known.
struct InputEncoding: Sendable {
  /// What was told of it.
  struct Told: Sendable {
    var encoding: ToldEncoding
    /// Whether the user did; else a data package.
    var isByUser: Bool
  }

  /// The encoding that is decoded before reading; UTF-8 for a document that says itself what it is in.
  let encoding: TextEncoding
  /// Whether the text is UTF-8 by the time it is read, whatever a document says of itself.
  let isTold: Bool
  /// Its name for people.
  let name: String
  /// How it is known; nil when it was told, or is the default.
  let reason: String?
  private let contradiction: String?

  /// Finds the encoding of an input by its first bytes.
  ///
  /// An XML document says itself what it is in, unless the user knows better (RFC 7303 and the XML recommendation, 4.3.3).
  init(of sample: [UInt8], isWholeInput: Bool, told: Told?) {
    let isDocument = !(told?.isByUser ?? false) && XMLDetector.detect(sample: sample.span).isXML
    if isDocument {
      self.init(ofDocument: sample, told: told)
    } else {
      self.init(ofText: sample, isWholeInput: isWholeInput, told: told)
    }
  }

  private init(ofText sample: [UInt8], isWholeInput: Bool, told: Told?) {
    let detection = EncodingDetection.detect(sample: sample.span, isWholeInput: isWholeInput, told: told?.encoding)
    encoding = detection.encoding
    name = detection.encoding.name
    reason = detection.reason
    contradiction = detection.contradiction
    isTold = told?.isByUser ?? false || !detection.encoding.isRead
  }

  /// A document's own encoding; one that the XML reader does not take is decoded before.
  private init(ofDocument sample: [UInt8], told: Told?) {
    let wide = Self.wideEncoding(of: sample)
    let undeclared = wide.flatMap { $0.isDeclared ? nil : $0.encoding }
    let declared = undeclared?.name ?? Self.declaredEncoding(of: sample)
    name = declared ?? "UTF-8"
    reason = undeclared == nil ? nil : "every other byte is zero"
    // Decoded before, so that places and lengths are those of the input's own bytes.
    let outside = wide?.encoding ?? declared.flatMap(Self.decodedOutside)
    encoding = outside ?? .utf8
    isTold = outside != nil
    if let told, let declared, told.encoding.name.lowercased() != declared.lowercased() {
      contradiction = "the data package says \(told.encoding.name), but the document says \(declared)"
    } else {
      contradiction = nil
    }
  }

  /// An encoding of several bytes a character, in which a byte of markup may be a part of another character.
  private static func decodedOutside(_ name: String) -> TextEncoding? {
    guard case .exact(let encoding)? = try? ToldEncoding.named(name), encoding.isMultiByte else { return nil }
    return encoding
  }

  /// UTF-16, with a byte order mark or a declaration or, though XML asks for one, without either.
  private static func wideEncoding(of sample: [UInt8]) -> (encoding: TextEncoding, isDeclared: Bool)? {
    guard sample.count >= 4 else { return nil }
    if sample.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), true) }
    if sample.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), true) }
    let isBigEndian = sample[0] == 0
    let (zeros, bytes) =
      isBigEndian
      ? ([sample[0], sample[2]], [sample[1], sample[3]]) : ([sample[1], sample[3]], [sample[0], sample[2]])
    guard zeros == [0, 0], !bytes.contains(0) else { return nil }
    return (.utf16(isBigEndian: isBigEndian), bytes == Array("<?".utf8))
  }

  /// The encoding that an XML document says it is in, or shows by its byte order mark.
  private static func declaredEncoding(of sample: [UInt8]) -> String? {
    if sample.starts(with: [0xFF, 0xFE]) || sample.starts(with: [0xFE, 0xFF]) || sample.prefix(2).contains(0) {
      return "UTF-16"
    }
    let head = String(decoding: sample.prefix(200), as: UTF8.self)
    guard head.hasPrefix("<?xml"), let declaration = head.split(separator: "?>").first,
      let value = declaration.split(separator: "encoding").dropFirst().first
    else { return nil }
    return value.split(whereSeparator: { "=\"' ".contains($0) }).first.map { excerpt(of: String($0), limit: 40) }
  }

  /// An encoding by the name that the user told.
  static func told(_ name: String) throws(UsageFailure) -> ToldEncoding {
    do throws(ToldEncoding.Refusal) {
      return try ToldEncoding.named(name)
    } catch {
      throw UsageFailure("--encoding: \(error.message)", remedy: error.remedy)
    }
  }

  /// An encoding by the name that a data package tells for a resource.
  static func told(_ name: String, of resource: DataPackageFile.Resource?) throws(ModelError) -> ToldEncoding {
    do throws(ToldEncoding.Refusal) {
      return try ToldEncoding.named(name)
    } catch {
      throw ModelError(
        source: ModelSources.descriptorName,
        message: "the resource '\(excerpt(of: resource?.name ?? ""))': \(error.message)",
        remedy: error.remedy
      )
    }
  }

  /// The remark that an input is not in the encoding that was told; nil when it is.
  func contradiction(of path: String) -> Diagnostic? {
    contradiction.map { sentence in
      Diagnostic(
        severity: .warning,
        code: .encodingError,
        location: SourceLocation(file: path),
        expected: name,
        message: "\(sentence): it is read as \(name)",
        remedy: "correct what is told, or the file"
      )
    }
  }
}
