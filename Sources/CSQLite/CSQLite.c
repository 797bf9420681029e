#define _GNU_SOURCE
#include "CSQLite.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int csqlite_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

int csqlite_set_flag(sqlite3 *connection, int flag, int isOn) {
  return sqlite3_db_config(connection, flag, isOn, (int *)0);
}

int csqlite_bind_text_copy(sqlite3_stmt *statement, int position, const char *bytes, int64_t count) {
  return sqlite3_bind_text64(statement, position, bytes, (sqlite3_uint64)count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void csqlite_result_text_copy(sqlite3_context *context, const char *bytes, int64_t count) {
  sqlite3_result_text64(context, bytes, (sqlite3_uint64)count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int csqlite_rename_exclusively(const char *from, const char *to) {
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL) return -1;
#endif
  if (link(from, to) != 0) return -1;
  return unlink(from);
}

int csqlite_open_unnamed(const char *folder) {
#ifdef O_TMPFILE
  int unnamed = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
#endif
  // Some file systems cannot do without a name for a moment.
  char name[4096];
  int length = snprintf(name, sizeof name, "%s/importer-lines-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof name) {
    errno = ENAMETOOLONG;
    return -1;
  }
  int number = mkostemp(name, O_CLOEXEC);
  if (number >= 0) unlink(name);
  return number;
}

// The frame of the virtual table; reading rows is the caller's.

typedef struct feed_table {
  csqlite_feed *feed;
  int columnCount;
} feed_table;

typedef struct feed_vtab {
  sqlite3_vtab base;
  csqlite_feed *feed;
} feed_vtab;

static int feed_connect(sqlite3 *connection, void *context, int argc, const char *const *argv, sqlite3_vtab **result,
                        char **message) {
  const feed_table *table = context;
  (void)argc, (void)argv, (void)message;
  sqlite3_str *sql = sqlite3_str_new(connection);
  sqlite3_str_appendall(sql, "CREATE TABLE x(");
  for (int column = 0; column < table->columnCount; column++) {
    sqlite3_str_appendf(sql, column == 0 ? "c%d" : ",c%d", column);
  }
  sqlite3_str_appendall(sql, ")");
  char *text = sqlite3_str_finish(sql);
  if (text == NULL) return SQLITE_NOMEM;
  int code = sqlite3_declare_vtab(connection, text);
  sqlite3_free(text);
  if (code != SQLITE_OK) return code;
  feed_vtab *vtab = sqlite3_malloc(sizeof *vtab);
  if (vtab == NULL) return SQLITE_NOMEM;
  memset(vtab, 0, sizeof *vtab);
  vtab->feed = table->feed;
  *result = &vtab->base;
  return SQLITE_OK;
}

static int feed_disconnect(sqlite3_vtab *vtab) {
  sqlite3_free(vtab);
  return SQLITE_OK;
}

static int feed_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info) {
  (void)vtab;
  info->estimatedCost = 1e6;
  info->estimatedRows = 1000000;
  return SQLITE_OK;
}

static int feed_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **result) {
  csqlite_feed_cursor *cursor = sqlite3_malloc(sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  cursor->feed = ((feed_vtab *)vtab)->feed;
  *result = &cursor->base;
  return SQLITE_OK;
}

static int feed_close(sqlite3_vtab_cursor *cursor) {
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static int feed_is_at_end(sqlite3_vtab_cursor *cursor) {
  const csqlite_feed *feed = ((csqlite_feed_cursor *)cursor)->feed;
  return feed->position >= feed->end;
}

static int feed_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  *rowid = ((csqlite_feed_cursor *)cursor)->feed->position;
  return SQLITE_OK;
}

csqlite_feed *csqlite_feed_make(
  int (*filter)(sqlite3_vtab_cursor *, int, const char *, int, sqlite3_value **),
  int (*next)(sqlite3_vtab_cursor *),
  int (*column)(sqlite3_vtab_cursor *, sqlite3_context *, int)) {
  csqlite_feed *feed = sqlite3_malloc(sizeof *feed);
  if (feed == NULL) return NULL;
  memset(feed, 0, sizeof *feed);
  // No xCreate: the name stands for the table itself, and nothing is written to a schema.
  feed->module.xConnect = feed_connect;
  feed->module.xDisconnect = feed_disconnect;
  feed->module.xBestIndex = feed_best_index;
  feed->module.xOpen = feed_open;
  feed->module.xClose = feed_close;
  feed->module.xFilter = filter;
  feed->module.xNext = next;
  feed->module.xEof = feed_is_at_end;
  feed->module.xColumn = column;
  feed->module.xRowid = feed_rowid;
  return feed;
}

void csqlite_feed_free(csqlite_feed *feed) { sqlite3_free(feed); }

int csqlite_feed_register(sqlite3 *connection, const char *name, csqlite_feed *feed, int columnCount) {
  feed_table *table = sqlite3_malloc(sizeof *table);
  if (table == NULL) return SQLITE_NOMEM;
  table->feed = feed;
  table->columnCount = columnCount;
  return sqlite3_create_module_v2(connection, name, &feed->module, table, sqlite3_free);
}
