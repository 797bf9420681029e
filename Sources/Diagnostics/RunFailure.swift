/// The kinds of failure that stop a run, each with an exit status of its own.
public enum FailureKind: Sendable, Hashable {
  /// The data: a reject limit, a malformed document, a wrong header.
  case data
  /// The command line.
  case usage
  /// An input is missing, unreadable or empty.
  case input
  /// A model or an options file is wrong.
  case model
  /// A fault of this program.
  case software
  /// An output cannot be created.
  case cannotCreate
  /// Reading or writing failed midway: a full disk, an I/O error.
  case inputOutput
  /// The database is locked by another process.
  case locked
  /// A signal asked for the end.
  case interrupted(signal: Int32)

  /// The exit status of the command, after the BSD `sysexits` where one fits.
  public var exitStatus: Int32 {
    switch self {
    case .data: 1
    case .usage: 64
    case .input: 66
    case .software: 70
    case .cannotCreate: 73
    case .inputOutput: 74
    case .locked: 75
    case .model: 78
    case .interrupted(let signal): 128 + signal
    }
  }
}

/// What stops a run, in facts; `description` is one sentence in lower case, `remedy` what to do.
public protocol RunFailure: Error, CustomStringConvertible, Sendable {
  /// Which kind of failure it is.
  var kind: FailureKind { get }
  /// What the user can do; nil when the sentence says it all.
  var remedy: String? { get }
}

/// An input cannot be read any further.
public enum ReadError: RunFailure, Hashable {
  /// There is no such file.
  case missing(path: String)
  /// It cannot be opened or is no readable file; `reason` in the system's words.
  case unreadable(path: String, reason: String)
  /// It holds no bytes at all.
  case empty(path: String)
  /// Reading failed midway; `reason` in the system's words.
  case failed(path: String, reason: String)
  /// The document as a whole is refused: malformed, or its header is wrong.
  case refused([Diagnostic])

  /// The kind, and so the exit status.
  public var kind: FailureKind {
    switch self {
    case .missing, .unreadable, .empty: .input
    case .failed: .inputOutput
    case .refused: .data
    }
  }

  /// The failure in one sentence.
  public var description: String {
    switch self {
    case .missing(let path): "there is no file '\(excerpt(of: path))'"
    case .unreadable(let path, let reason): "cannot read '\(excerpt(of: path))': \(reason)"
    case .empty(let path): "'\(excerpt(of: path))' is empty: it holds no bytes"
    case .failed(let path, let reason): "reading '\(excerpt(of: path))' failed: \(reason)"
    case .refused(let diagnostics): diagnostics.first?.message ?? "the input is refused"
    }
  }

  /// What to do about it.
  public var remedy: String? {
    switch self {
    case .missing: "check the name; a relative path starts at the working directory"
    case .empty: "check the transfer that made it; a file with only a header is accepted"
    case .refused(let diagnostics): diagnostics.first?.remedy
    case .unreadable, .failed: nil
    }
  }
}

/// An output cannot be created or written.
public enum WriteError: RunFailure, Hashable {
  /// It cannot be created; `reason` in the system's words.
  case cannotCreate(path: String, reason: String)
  /// Writing failed midway: a full disk, an I/O error.
  case failed(path: String, reason: String)
  /// The reader at the other end of a pipe has gone.
  case brokenPipe
  /// The format cannot hold a value of the row named in the sentence.
  case cannotHold(String)

  /// The kind, and so the exit status.
  public var kind: FailureKind {
    switch self {
    case .cannotCreate: .cannotCreate
    case .failed: .inputOutput
    case .brokenPipe: .interrupted(signal: 13)
    case .cannotHold: .data
    }
  }

  /// The failure in one sentence.
  public var description: String {
    switch self {
    case .cannotCreate(let path, let reason): "cannot create '\(excerpt(of: path))': \(reason)"
    case .failed(let path, let reason): "writing '\(excerpt(of: path))' failed: \(reason)"
    case .brokenPipe: "the reader of the output has gone"
    case .cannotHold(let sentence): sentence
    }
  }

  /// What to do about it.
  public var remedy: String? { nil }
}

/// A model cannot be read, or says something impossible.
public struct ModelError: RunFailure, Hashable {
  /// The model file, database or option at fault.
  public var source: String
  /// The line in the source, if one is known.
  public var line: Int?
  /// What is wrong, in lower case.
  public var message: String
  /// What to do about it.
  public var remedy: String?

  /// Makes an error; see the properties.
  public init(source: String, line: Int? = nil, message: String, remedy: String? = nil) {
    self.source = source
    self.line = line
    self.message = message
    self.remedy = remedy
  }

  /// The kind, and so the exit status.
  public var kind: FailureKind { .model }

  /// The failure in one sentence.
  public var description: String {
    excerpt(of: source, limit: 200) + (line.map { ":\($0)" } ?? "") + ": " + message
  }
}

/// The database refuses, or cannot be reached.
public enum StoreError: RunFailure, Hashable {
  /// Another process holds the lock.
  case locked(path: String)
  /// There is no such database.
  case missing(path: String)
  /// The file is no database, or a damaged one.
  case notADatabase(path: String, reason: String)
  /// It cannot be opened or created; `reason` in SQLite's or the system's words.
  case cannotCreate(path: String, reason: String)
  /// The disk is full, or reading or writing failed.
  case inputOutput(path: String, reason: String)
  /// The database's tables do not fit the model.
  case schema(path: String, message: String, remedy: String?)
  /// Rows of this run refer to rows that are not there.
  case dangling(path: String, message: String)
  /// The mode finds rows by their key, and this entity has none.
  case withoutKey(entity: String, mode: String)
  /// Rows must go that a delete rule, or a trigger, keeps.
  case undeletable(entity: String, reason: String)
  /// A mode finds rows by a number that stands for their key, and the records do not give it; `key` is the one that leads
  /// back to its own entity, empty where there is none.
  case withoutNumber(entity: String, mode: String, number: String, key: [String])
  /// Rows that are to go, or have gone, are needed by others that stay.
  case referredTo(path: String, message: String, remedy: String)
  /// SQLite refused something that it should not have; a fault of this program.
  case unexpected(path: String, reason: String)
  /// A signal or a caller asked for the end.
  case interrupted

  /// The kind, and so the exit status.
  public var kind: FailureKind {
    switch self {
    case .locked: .locked
    case .missing: .input
    case .notADatabase, .schema: .model
    case .dangling, .undeletable, .referredTo: .data
    case .withoutKey, .withoutNumber: .usage
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    case .unexpected: .software
    case .interrupted: .interrupted(signal: 2)
    }
  }

  /// The failure in one sentence.
  public var description: String {
    switch self {
    case .locked(let path): "another process holds the database '\(excerpt(of: path))'"
    case .missing(let path): "there is no database '\(excerpt(of: path))'"
    case .notADatabase(let path, let reason): "'\(excerpt(of: path))' is not a usable SQLite database: \(reason)"
    case .cannotCreate(let path, let reason): "cannot open or create the database '\(excerpt(of: path))': \(reason)"
    case .inputOutput(let path, let reason): "reading or writing the database '\(excerpt(of: path))' failed: \(reason)"
    case .schema(let path, let message, _): "the database '\(excerpt(of: path))' does not fit: \(message)"
    case .dangling(let path, let message), .referredTo(let path, let message, _):
      "nothing was written to '\(excerpt(of: path))': \(message)"
    case .withoutKey(let entity, let mode):
      "--mode \(mode) finds rows by their key, and '\(excerpt(of: entity))' has none"
    case .withoutNumber(let entity, let mode, let number, let key):
      "--mode \(mode) finds rows of '\(excerpt(of: entity))' by their number '\(excerpt(of: number))', which the records do "
        + "not give: "
        + (key.isEmpty
          ? "it has no key"
          : "its key (\(key.map { excerpt(of: $0) }.joined(separator: ", "))) leads back to itself")
    case .undeletable(let entity, let reason):
      "nothing was written: rows of '\(excerpt(of: entity))' cannot be deleted: \(reason)"
    case .unexpected(let path, let reason): "SQLite refused a statement on '\(excerpt(of: path))': \(reason)"
    case .interrupted: "interrupted"
    }
  }

  /// What to do about it.
  public var remedy: String? {
    switch self {
    case .locked: "try again when the other run has ended, or wait longer with --lock-wait"
    case .missing: "name it with --database, or load something into it first"
    case .schema(_, _, let remedy): remedy
    case .referredTo(_, _, let remedy): remedy
    case .dangling: "load the rows that are referred to in the same run, or before"
    case .withoutKey: "tell --key with the columns that tell one row from another, or give the model a key"
    case .withoutNumber(_, _, let number, _):
      "give '\(excerpt(of: number))', as an export does, or tell another key with --key; or empty the entity first with "
        + "--mode replace"
    case .undeletable: "change the rule or the trigger that keeps them"
    case .unexpected: "please report this, with the command that you ran"
    case .notADatabase, .cannotCreate, .inputOutput, .interrupted: nil
    }
  }
}
