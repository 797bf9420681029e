#include "spellings.h"

#include <libxml/parser.h>
#include <stdlib.h>

#include "characters.h"

static const uint8_t *lookup(Spellings *spellings, const void *bytes, size_t count) {
  return (const uint8_t *)xmlDictLookup(spellings->dictionary, bytes, (int)count);
}

int spellings_open(Spellings *spellings, struct _xmlDict *dictionary) {
  spellings->dictionary = dictionary;
  spellings->scope = 1;
  const struct {
    const uint8_t **place;
    const char *text;
  } known[] = {
      {&spellings->xml, "xml"},
      {&spellings->xml_uri, "http://www.w3.org/XML/1998/namespace"},
      {&spellings->xmlns, "xmlns"},
      {&spellings->xmlns_uri, "http://www.w3.org/2000/xmlns/"},
      {&spellings->schema_instance, "http://www.w3.org/2001/XMLSchema-instance"},
      {&spellings->schema_instance_prefix, "xsi"},
  };
  for (size_t index = 0; index < sizeof known / sizeof *known; index++) {
    *known[index].place = lookup(spellings, known[index].text, strlen(known[index].text));
    if (!*known[index].place) return 0;
  }
  return 1;
}

void spellings_close(Spellings *spellings) {
  free(spellings->items);
  free(spellings->slots);
  free(spellings->bindings);
}

// MARK: Names

/// The ranges of the characters that begin a name, and of those more that go on with one; in ascending order.
static const uint32_t starts[][2] = {
    {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2FF},    {0x370, 0x37D},   {0x37F, 0x1FFF},  {0x200C, 0x200D},
    {0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF},
};
static const uint32_t others[][2] = {{0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}};

static int is_in(uint32_t number, const uint32_t ranges[][2], size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (number >= ranges[index][0] && number <= ranges[index][1]) return 1;
  }
  return 0;
}

int is_plain_name(const uint8_t *bytes, size_t count) {
  size_t at = 0;
  while (at < count) {
    uint8_t byte = bytes[at];
    if (byte < 0x80) {
      int begins = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
      int goes_on = (byte >= '0' && byte <= '9') || byte == '-' || byte == '.';
      if (!begins && !(goes_on && at)) return 0;
      at++;
      continue;
    }
    int length = character_length(bytes + at, count - at);
    if (length <= 0) return 0;
    uint32_t number = byte & (0xFF >> (length + 1));
    for (int index = 1; index < length; index++) number = number << 6 | (bytes[at + (size_t)index] & 0x3F);
    int begins = is_in(number, starts, sizeof starts / sizeof *starts);
    if (!begins && !(at && is_in(number, others, sizeof others / sizeof *others))) return 0;
    at += (size_t)length;
  }
  return count > 0;
}

static uint32_t hash_of(const uint8_t *bytes, size_t count) {
  uint32_t hash = 2166136261u;
  for (size_t index = 0; index < count; index++) hash = (hash ^ bytes[index]) * 16777619u;
  return hash ^ hash >> 15;
}

static int grow(Spellings *spellings) {
  uint32_t slot_count = spellings->slot_count ? spellings->slot_count * 2 : 256;
  uint32_t *slots = calloc(slot_count, sizeof *slots);
  Spelling *items = realloc(spellings->items, slot_count / 2 * sizeof *items);
  if (items) spellings->items = items;
  if (!slots || !items) {
    free(slots);
    return 0;
  }
  free(spellings->slots);
  spellings->slots = slots;
  spellings->slot_count = slot_count;
  spellings->capacity = slot_count / 2;
  for (uint32_t number = 0; number < spellings->count; number++) {
    uint32_t slot = items[number].hash & (slot_count - 1);
    while (slots[slot]) slot = (slot + 1) & (slot_count - 1);
    slots[slot] = number + 1;
  }
  return 1;
}

/// Checks a new name and takes it apart; 0 if it is not plain.
static int make(Spellings *spellings, Spelling *spelling, const uint8_t *bytes, size_t count) {
  const uint8_t *colon = memchr(bytes, ':', count);
  size_t prefix_count = colon ? (size_t)(colon - bytes) : 0;
  const uint8_t *local = colon ? colon + 1 : bytes;
  size_t local_count = count - (size_t)(local - bytes);
  if (colon && !is_plain_name(bytes, prefix_count)) return 0;
  if (!is_plain_name(local, local_count)) return 0;
  memset(spelling, 0, sizeof *spelling);
  spelling->bytes = lookup(spellings, bytes, count);
  spelling->local = colon ? lookup(spellings, local, local_count) : spelling->bytes;
  spelling->prefix = colon ? lookup(spellings, bytes, prefix_count) : NULL;
  if (!spelling->bytes || !spelling->local || (colon && !spelling->prefix)) return 0;
  spelling->count = (uint32_t)count;
  memcpy(&spelling->word, bytes, count < 8 ? count : 8);
  memset(&spelling->mask, 0xFF, count < 8 ? count : 8);
  spelling->next = spelling->next_attribute = NO_SPELLING;
  spelling->declares = spelling->prefix == spellings->xmlns ? DECLARES_PREFIX
                       : spelling->bytes == spellings->xmlns ? DECLARES_DEFAULT
                                                             : DECLARES_NOTHING;
  return 1;
}

uint32_t spellings_find(Spellings *spellings, const uint8_t *bytes, size_t count) {
  if (!count || count > SPELLING_LIMIT) return NO_SPELLING;
  uint32_t hash = hash_of(bytes, count);
  if (spellings->count == spellings->capacity) {
    if (spellings->count >= CXML_DISTINCT_NAME_LIMIT || !grow(spellings)) return NO_SPELLING;
  }
  uint32_t slot = hash & (spellings->slot_count - 1);
  while (spellings->slots[slot]) {
    uint32_t number = spellings->slots[slot] - 1;
    const Spelling *spelling = &spellings->items[number];
    if (spelling->hash == hash && spelling->count == count && memcmp(spelling->bytes, bytes, count) == 0) return number;
    slot = (slot + 1) & (spellings->slot_count - 1);
  }
  Spelling *spelling = &spellings->items[spellings->count];
  if (!make(spellings, spelling, bytes, count)) return NO_SPELLING;
  spelling->hash = hash;
  spellings->slots[slot] = ++spellings->count;
  return spellings->count - 1;
}

// MARK: Namespaces

int spellings_bind(Spellings *spellings, const Spelling *declaration, const uint8_t *uri, size_t count) {
  const uint8_t *prefix = declaration->declares == DECLARES_PREFIX ? declaration->local : NULL;
  if (prefix == spellings->xml || prefix == spellings->xmlns || (prefix && !count)) return 0;
  const uint8_t *copy = lookup(spellings, uri, count);
  if (!copy || copy == spellings->xml_uri || copy == spellings->xmlns_uri) return 0;
  if (spellings->binding_count == spellings->binding_capacity) {
    uint32_t capacity = spellings->binding_capacity ? spellings->binding_capacity * 2 : 16;
    Binding *bindings = realloc(spellings->bindings, capacity * sizeof *bindings);
    if (!bindings) return 0;
    spellings->bindings = bindings;
    spellings->binding_capacity = capacity;
  }
  spellings->bindings[spellings->binding_count++] = (Binding){prefix, copy};
  spellings->scope++;
  return 1;
}

/// The namespace of a prefix, or with NULL the default one; NULL for none, also for a prefix that is not declared.
static const uint8_t *namespace_of(const Spellings *spellings, const uint8_t *prefix) {
  if (prefix == spellings->xml) return spellings->xml_uri;
  for (uint32_t index = spellings->binding_count; index > 0; index--) {
    const Binding *binding = &spellings->bindings[index - 1];
    if (binding->prefix == prefix) return prefix || *binding->uri ? binding->uri : NULL;
  }
  return NULL;
}

static int is_sound(const Events *events) {
  return !events->no_memory && events->name_count <= CXML_DISTINCT_NAME_LIMIT;
}

int spellings_resolve_element(Spellings *spellings, uint32_t number, Events *events) {
  Spelling *spelling = &spellings->items[number];
  if (spelling->element_scope == spellings->scope) return 1;
  if (spelling->prefix == spellings->xmlns) return 0;
  const uint8_t *uri = namespace_of(spellings, spelling->prefix);
  spelling->element = events_name(events, spelling->local, uri, spelling->prefix);
  spelling->element_scope = spellings->scope;
  return is_sound(events);
}

int spellings_resolve_attribute(Spellings *spellings, uint32_t number, Events *events) {
  Spelling *spelling = &spellings->items[number];
  if (spelling->attribute_scope == spellings->scope) return 1;
  const uint8_t *uri = spelling->prefix ? namespace_of(spellings, spelling->prefix) : NULL;
  spelling->attribute = events_name(events, spelling->local, uri, spelling->prefix);
  spelling->attribute_scope = spellings->scope;
  if (uri == spellings->schema_instance || spelling->prefix == spellings->schema_instance_prefix) {
    spelling->flags = CXML_SCHEMA_INSTANCE;
  } else if (uri && uri == spellings->xml_uri) {
    spelling->flags = CXML_XML_NAMESPACE;
  } else {
    spelling->flags = 0;
  }
  return is_sound(events);
}
