// Names as a document spells them, checked once each, and the namespaces that their prefixes stand for.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "events.h"

struct _xmlDict;

/// What a name declares when it stands before a '='.
enum { DECLARES_NOTHING, DECLARES_DEFAULT, DECLARES_PREFIX };

enum {
  /// No spelling has this number.
  NO_SPELLING = UINT32_MAX,
  /// The longest name that is looked at here.
  SPELLING_LIMIT = 1000,
};

/// A name with its prefix; the strings are the dictionary's.
typedef struct {
  const uint8_t *bytes;
  const uint8_t *local;
  /// NULL for none.
  const uint8_t *prefix;
  /// The first eight bytes, and which bits of them count.
  uint64_t word, mask;
  uint32_t count;
  uint32_t hash;
  /// The number of the name as an element's and as an attribute's, as long as the scope is the one at hand.
  uint64_t element_scope, attribute_scope;
  uint32_t element, attribute;
  /// The start tag that came behind this one the last time, and the first attribute or the one behind this attribute.
  uint32_t next, next_attribute;
  uint8_t declares;
  /// What is said of it as an attribute.
  uint8_t flags;
  /// Whether an element of this name held elements.
  uint8_t is_container;
} Spelling;

typedef struct {
  const uint8_t *prefix, *uri;
} Binding;

typedef struct {
  struct _xmlDict *dictionary;
  Spelling *items;
  uint32_t count, capacity;
  /// Numbers + 1 by hash.
  uint32_t *slots;
  uint32_t slot_count;
  Binding *bindings;
  uint32_t binding_count, binding_capacity;
  /// Another one whenever the bindings change.
  uint64_t scope;
  const uint8_t *xml, *xml_uri, *xmlns, *xmlns_uri, *schema_instance, *schema_instance_prefix;
} Spellings;

/// Makes a table without spellings; 0 when memory is short.
int spellings_open(Spellings *spellings, struct _xmlDict *dictionary);
void spellings_close(Spellings *spellings);

/// The number of a name, which is checked if it is new; `NO_SPELLING` if it is no plain name or memory is short.
uint32_t spellings_find(Spellings *spellings, const uint8_t *bytes, size_t count);

/// Binds what a declaration declares; 0 if that is anything unusual.
int spellings_bind(Spellings *spellings, const Spelling *declaration, const uint8_t *uri, size_t count);
/// Takes back the last bindings.
static inline void spellings_unbind(Spellings *spellings, uint32_t count) {
  if (!count) return;
  spellings->binding_count -= count;
  spellings->scope++;
}

/// Finds the name's number as an element's or an attribute's in the scope at hand; 0 if it is not plain.
int spellings_resolve_element(Spellings *spellings, uint32_t number, Events *events);
int spellings_resolve_attribute(Spellings *spellings, uint32_t number, Events *events);

/// Whether a byte may end a name in a sound tag.
static inline int ends_name(uint8_t byte) {
  return byte == '>' || byte == ' ' || byte == '/' || byte == '=' || byte == '\n' || byte == '\t' || byte == '\r';
}

/// Whether the bytes at `at` are this name, and another byte follows, whichever it is.
static inline int is_spelled(const Spelling *spelling, const uint8_t *at, const uint8_t *end) {
  size_t count = spelling->count, left = (size_t)(end - at);
  if (left < 8 || left <= count) return left > count && memcmp(at, spelling->bytes, count) == 0;
  uint64_t word;
  memcpy(&word, at, sizeof word);
  if ((word ^ spelling->word) & spelling->mask) return 0;
  return count <= 8 || memcmp(at + 8, spelling->bytes + 8, count - 8) == 0;
}
