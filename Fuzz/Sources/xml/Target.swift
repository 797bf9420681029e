/// Which of the targets this executable runs.
let targetName = "xml"
