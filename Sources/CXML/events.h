// What the SAX handlers gather: events, their text, and the names they use.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "CXML.h"

/// A name in a namespace; the strings are libxml2's own copies, of which equal ones have one address.
typedef struct {
  const uint8_t *bytes;
  /// NULL for none.
  const uint8_t *uri;
  /// The first that the name was seen with; NULL for none.
  const uint8_t *prefix;
  uint32_t count;
} Name;

typedef struct {
  CXMLEvent *events;
  size_t count, capacity;
  uint8_t *text;
  size_t text_count, text_capacity;
  Name *names;
  uint32_t name_count, name_capacity;
  /// Name numbers + 1 by the addresses of the name and of its namespace.
  uint32_t *slots;
  uint32_t slot_count;
  int no_memory;
} Events;

void events_close(Events *events);
int events_grow(Events *events);
int events_grow_text(Events *events, size_t count);
/// The number of a name that is not in its first slot.
uint32_t events_find_name(Events *events, const uint8_t *name, const uint8_t *uri, const uint8_t *prefix);

/// A new event, or NULL when memory is short.
static inline CXMLEvent *events_add(Events *events, uint16_t kind) {
  if (events->count == events->capacity && !events_grow(events)) return NULL;
  CXMLEvent *event = &events->events[events->count++];
  event->kind = kind;
  event->flags = 0;
  event->text_count = event->tag_count = event->element_count = 0;
  event->text = (uint32_t)events->text_count;
  return event;
}

/// Room for so many bytes behind the text, or NULL when memory is short.
static inline uint8_t *events_room(Events *events, size_t count) {
  if (events->text_capacity - events->text_count < count && !events_grow_text(events, count)) return NULL;
  return events->text + events->text_count;
}

static inline uint32_t name_slot(const Events *events, const uint8_t *name, const uint8_t *uri) {
  uint64_t key = ((uintptr_t)name >> 1) + (uintptr_t)uri * 3;
  return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (events->slot_count - 1);
}

/// The number of a name in a namespace, given libxml2's own copies of both.
static inline uint32_t events_name(Events *events, const uint8_t *name, const uint8_t *uri, const uint8_t *prefix) {
  if (events->slot_count) {
    uint32_t number = events->slots[name_slot(events, name, uri)];
    if (number && events->names[number - 1].bytes == name && events->names[number - 1].uri == uri) return number - 1;
  }
  return events_find_name(events, name, uri, prefix);
}
