import Diagnostics
import EntityModel
import ImporterCLI
import ImporterKit
import Testing

@Suite struct ModelSettings {
  private func job(_ arguments: [String]) throws -> ModelJob {
    guard case .model(let job, _, _) = try parse(["model"] + arguments) else {
      throw UsageError("not a model", command: "model")
    }
    return job
  }

  @Test func `options say what is read and what is written`() throws {
    var expected = ModelJob(source: "a.csv")
    #expect(try job(["a.csv"]) == expected)
    expected.form = .xcdatamodel
    expected.output = "m.xcdatamodel"
    expected.lockWait = .seconds(3)
    expected.reading.delimiter = ";"
    expected.model.key = ["nick"]
    #expect(
      try job([
        "a.csv", "--as", "xcdatamodel", "-o", "m.xcdatamodel", "--lock-wait", "3", "--delimiter=;", "--key", "nick",
      ]) == expected
    )
    #expect(try job(["--as=dot", "--output=-", "-"]).output == nil)
  }

  @Test(arguments: ModelJob.Form.allCases) func `every form can be asked for`(form: ModelJob.Form) throws {
    #expect(try job(["m", "--as", form.rawValue]).form == form)
  }

  @Test(arguments: [
    ([], "no source: name a model file, a database or a data file"), ([""], "no source"),
    (["a", "b"], "'model' takes one source, not 2; name a folder for several data files"),
    (["a", "-o", "x"], "option '-o' needs '--as', which says what to write; add one of datapackage"),
    (["a", "--json", "--as", "dot"], "'--as' and '--json' exclude each other"),
    (["a", "--as", "sqll"], "option '--as': 'sqll' is none of"), (["a", "--model", "m"], "'--model' is an option of"),
    (["a", "-d", "x"], "unknown option '-d'"),
  ]) func `a wrong command line is refused`(_ arguments: [String], _ words: String) {
    let error = usageError(["model"] + arguments)
    #expect(error?.sentence.hasPrefix(words) == true, "\(error?.sentence ?? "")")
    #expect(error?.kind == .usage)
  }
}
