# Runs one file of command tests. A test is a sentence, a run, and what is expected of it:
#
#   it "rejects a record without a name"
#   copy contacts
#   run load contacts/contacts-faulty.txt --rejects .
#   expect status 2
#   expect stdout ''
#   expect stderr <<'END'
#   …
#   END
#
# Every test starts in an empty folder of its own. Whatever was run must have its status, standard output and standard
# error looked at, or the test fails: 'expect' and 'expect_match' do, 'ignore stderr' says that it does not matter.

set -u

test_name='' test_problems='' test_count=0 has_run=false unlooked=''

# Begins a test.
it() {
  finish
  test_name=$1
  test_count=$((test_count + 1))
  folder=$TEST_WORK/$(basename "$TEST_FILE" .test)-$test_count
  mkdir -p "$folder"
  cd "$folder" || exit 1
}

# Ends a test and counts it.
finish() {
  [ -n "$test_name" ] || return 0
  account_for_run
  $has_run || problem "nothing was run"
  if [ -z "$test_problems" ]; then
    printf 'passed\n' >>"$TEST_RESULTS"
    cd / && rm -rf "$folder"
  else
    printf 'failed\n' >>"$TEST_RESULTS"
    printf '✘ %s: %s\n%s' "$(basename "$TEST_FILE")" "$test_name" "$test_problems"
  fi
  test_name='' test_problems='' has_run=false
}

problem() {
  test_problems+=$(printf '%s\n' "$1" | sed 's/^/    /')$'\n'
}

# What the last run did and no expectation looked at.
account_for_run() {
  [ -z "$unlooked" ] || problem "not looked at: $unlooked of 'importer $last_arguments'"
  unlooked=''
}

# Puts fixtures into the folder, under their own names.
copy() {
  local name
  for name in "$@"; do cp -R "$FIXTURES/$name" . || problem "no fixture '$name'"; done
}

# Runs importer; its standard input is the caller's.
run() {
  account_for_run
  last_arguments=$*
  has_run=true
  unlooked='status stdout stderr '
  # Outside the folder, so that a test may look at what the command left there.
  timeout 60 "$IMPORTER_BINARY" "$@" >"$TEST_WORK/stdout" 2>"$TEST_WORK/stderr"
  last_status=$?
  case ${1:-} in load | delete) check_references "$@" ;; esac
}

# Whatever a command wrote, no row refers to one that is not there.
check_references() {
  local database=importer.sqlite dangling
  while [ "$#" -gt 0 ]; do
    case $1 in
    -d | --database) database=${2:-} ;;
    --database=*) database=${1#*=} ;;
    esac
    shift
  done
  # A file that is no database, and one that another process writes to, is the test's own affair.
  [ -s "$database" ] && [ "$(head -c 15 "$database" 2>/dev/null | tr -d '\0')" = 'SQLite format 3' ] || return 0
  [ ! -e "$database-wal" ] || return 0
  dangling=$(sqlite3 -readonly -batch -init /dev/null "$database" 'PRAGMA foreign_key_check' 2>/dev/null)
  [ -z "$dangling" ] || problem "after 'importer $last_arguments' rows of $database refer to nothing: ${dangling//$'\n'/ }"
}

# expect status N | expect stdout|stderr TEXT | expect stdout|stderr < expected
#
# A text is compared whole; a final line end may be left out of TEXT. It may hold '{folder}' for the test's folder.
expect() {
  local what=$1
  ignore "$what"
  if [ "$what" = status ]; then
    [ "$last_status" -eq "$2" ] || problem "status of 'importer $last_arguments': expected $2, found $last_status"
    return
  fi
  if [ "$#" -gt 1 ]; then
    if [ -n "$2" ]; then printf '%s\n' "$2"; fi
  else
    cat
  fi | sed "s|{folder}|$folder|g" >"$TEST_WORK/expected"
  same "$what of 'importer $last_arguments'" "$TEST_WORK/expected" "$TEST_WORK/$what"
}

# expect_match stdout|stderr PATTERN…: each is an extended regular expression that some line matches.
expect_match() {
  local what=$1 pattern
  ignore "$what"
  shift
  for pattern in "$@"; do
    grep -qE -- "$pattern" "$TEST_WORK/$what" \
      || problem "$what of 'importer $last_arguments' has no line like '$pattern':"$'\n'"$(head -n 20 "$TEST_WORK/$what")"
  done
}

# Says that something of the last run does not matter.
ignore() {
  local what
  for what in "$@"; do unlooked=${unlooked/"$what "/}; done
}

# expect_golden stdout|stderr NAME: the text in Tests/Command/expected/NAME, which can be recorded.
expect_golden() {
  local golden=$COMMAND_TESTS/expected/$2
  ignore "$1"
  if [ "${IMPORTER_RECORD_GOLDEN:-}" = 1 ]; then
    mkdir -p "$(dirname "$golden")"
    cp "$TEST_WORK/$1" "$golden"
  fi
  same "$1 of 'importer $last_arguments'" "$golden" "$TEST_WORK/$1"
}

# expect_file PATH TEXT | expect_file PATH < expected
expect_file() {
  if [ "$#" -gt 1 ]; then
    if [ -n "$2" ]; then printf '%s\n' "$2"; fi
  else
    cat
  fi >"$TEST_WORK/expected"
  if [ -e "$1" ]; then same "the file '$1'" "$TEST_WORK/expected" "$1"; else problem "there is no file '$1'"; fi
}

# expect_files NAME…: the folder holds these, and nothing else.
expect_files() {
  local found
  found=$(find . -mindepth 1 -printf '%P\n' | sort)
  [ "$found" = "$(printf '%s\n' "$@" | sort)" ] || problem "files: expected '$*', found '${found//$'\n'/ }'"
}

# expect_rows DATABASE QUERY ROWS: what the SQLite shell says.
expect_rows() {
  local rows
  rows=$(sqlite3 -batch -init /dev/null "$1" "$2" 2>&1)
  [ "$rows" = "$3" ] || problem "'$2' in $1: expected '$3', found '$rows'"
}

# expect_output TEXT COMMAND…: what another command says of what importer left.
expect_output() {
  local found
  found=$("${@:2}" 2>&1)
  [ "$found" = "$1" ] || problem "'${*:2}': expected '$1', found '$found'"
}

# same WHAT EXPECTED FOUND: two files with equal bytes.
same() {
  cmp -s "$2" "$3" || problem "$1 differs (< expected, > found):"$'\n'"$(diff "$2" "$3" | cat -A | sed 's/\$$//' | head -n 40)"
}

# shellcheck source=/dev/null
source "$1"
finish
