import Glibc

/// Refuses an output that would take the place of what it is made from, or of a database.
func refuseOutput(_ output: String?, over source: String, option: String = "--output") throws(UsageFailure) {
  guard let output, output != "-" else { return }
  var (first, second) = (stat(), stat())
  guard unsafe stat(output, &first) == 0 else { return }
  let isSource = unsafe stat(source, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  guard isSource || ModelSources.isDatabase(output) else { return }
  throw UsageFailure(
    "the output '\(output)' is \(isSource ? "what is read" : "a database"), which would be lost",
    remedy: "name another file with \(option)"
  )
}
