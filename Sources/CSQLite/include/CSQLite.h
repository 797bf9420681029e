/// SQLite's interface, and what of it Swift cannot see: variadic calls, macros, and the frame of a virtual table.
#pragma once
#include <sqlite3.h>
#include <stdint.h>

/// SQLITE_CONSTRAINT_FOREIGNKEY, which is a macro with an operator in it.
static const int csqlite_foreign_key_violation = SQLITE_CONSTRAINT_FOREIGNKEY;

/// Turns SQLite's memory statistics off for the process; a lock at every allocation otherwise. Only works before the
/// first connection is opened.
int csqlite_disable_memory_statistics(void);

/// Sets one of the SQLITE_DBCONFIG_… flags that take an int.
int csqlite_set_flag(sqlite3 *connection, int flag, int isOn);

/// Binds a copy of the bytes as text.
int csqlite_bind_text_copy(sqlite3_stmt *statement, int position, const char *bytes, int64_t count);

/// Makes a copy of the bytes the text that a function answers with.
void csqlite_result_text_copy(sqlite3_context *context, const char *bytes, int64_t count);

/// Renames within a file system and fails with EEXIST when the new name is taken. Returns 0, or -1 with errno set.
int csqlite_rename_exclusively(const char *from, const char *to);

/// Opens a temporary file without a name in a folder. Returns its descriptor, or -1 with errno set.
int csqlite_open_unnamed(const char *folder);

/// The rows that a scan of the virtual table delivers, in memory that the caller keeps valid during the scan.
///
/// One scan at a time: the position belongs to the feed, so that the caller sees which row a failed statement had
/// reached.
typedef struct csqlite_feed {
  /// The methods; the feed must outlive its connection.
  sqlite3_module module;
  const void *rows;
  const void *values;
  const uint8_t *text;
  /// The first value of the row at `position`.
  const void *current;
  int64_t start;
  int64_t end;
  int64_t position;
} csqlite_feed;

typedef struct csqlite_feed_cursor {
  sqlite3_vtab_cursor base;
  csqlite_feed *feed;
} csqlite_feed_cursor;

/// Makes a feed; `filter` and `next` move the position and must set `current`.
csqlite_feed *csqlite_feed_make(
  int (*filter)(sqlite3_vtab_cursor *, int, const char *, int, sqlite3_value **),
  int (*next)(sqlite3_vtab_cursor *),
  int (*column)(sqlite3_vtab_cursor *, sqlite3_context *, int));

/// Frees a feed, after its connection has been closed.
void csqlite_feed_free(csqlite_feed *feed);

/// Makes the feed known as a table-valued name with columns `c0`, `c1`, … without declared types.
int csqlite_feed_register(sqlite3 *connection, const char *name, csqlite_feed *feed, int columnCount);
