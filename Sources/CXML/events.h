// What the SAX handlers gather: events, their text, and the names they use.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "CXML.h"

typedef struct {
  const uint8_t *bytes;
  uint32_t count;
} Name;

typedef struct {
  CXMLEvent *events;
  size_t count, capacity;
  uint8_t *text;
  size_t text_count, text_capacity;
  Name *names;
  uint32_t name_count, name_capacity;
  /// Name numbers + 1 by the address of libxml2's own copy of the name, which is the same for equal names.
  uint32_t *slots;
  uint32_t slot_count;
  int no_memory;
} Events;

void events_close(Events *events);
int events_grow(Events *events);
int events_grow_text(Events *events, size_t count);
/// The number of a name that is not in its first slot.
uint32_t events_find_name(Events *events, const uint8_t *name);

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

static inline uint32_t name_slot(const Events *events, const uint8_t *name) {
  return (uint32_t)(((uintptr_t)name >> 1) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (events->slot_count - 1);
}

/// The number of a name, given libxml2's own copy of it.
static inline uint32_t events_name(Events *events, const uint8_t *name) {
  if (events->slot_count) {
    uint32_t number = events->slots[name_slot(events, name)];
    if (number && events->names[number - 1].bytes == name) return number - 1;
  }
  return events_find_name(events, name);
}
