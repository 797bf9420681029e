/// Every option that some command takes; the raw value is its long name without the dashes.
package enum OptionName: String, Sendable, Hashable, CaseIterable {
  // Of every command.
  case database
  case quiet
  case verbose
  case json
  case color
  case help
  case version
  case generateCompletionScript = "generate-completion-script"
  case generateManualPage = "generate-manual-page"

  // How inputs are written.
  case format
  case encoding
  case layout
  case widths
  case delimiter
  case quote
  case escape
  case lineTerminator = "line-terminator"
  case comment
  case header
  case columns
  case skipLines = "skip-lines"
  case skipFooter = "skip-footer"
  case null
  case badRows = "bad-rows"
  case spreadsheetSafe = "spreadsheet-safe"
  case flat
  case listSeparator = "list-separator"
  case recordPath = "record-path"
  case maximumRecordSize = "max-record-size"
  case maximumFieldSize = "max-field-size"
  case maximumColumns = "max-columns"

  // What is valid.
  case model
  case entity
  case type
  case allText = "all-text"
  case require
  case unique
  case key
  case map
  case link
  case dateFormat = "date-format"
  case binary
  case decimalMark = "decimal-mark"
  case defaults

  // How rows are written, and what becomes of rejects.
  case mode
  case deleteLimit = "delete-limit"
  case orphans
  case dryRun = "dry-run"
  case skipUnchanged = "skip-unchanged"
  case commitEvery = "commit-every"
  case startOver = "start-over"
  case lockWait = "lock-wait"
  case rejects
  case strict
  case rejectLimit = "reject-limit"
  case report
  case acceptRejects = "accept-rejects"

  // Of models.
  case form = "as"

  // Of deletions.
  case keys

  // Export.
  case output
  case filter = "where"
  case sortBy = "sort-by"

  // Of the list of loads.
  case limit
}
