// What the two parsers gather: events, their text, and the names they use.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "CXML.h"

/// A name in a namespace; the strings are those of libxml2's dictionary, in which equal ones have one address.
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

/// The number of a name in a namespace, given the dictionary's copies of both.
static inline uint32_t events_name(Events *events, const uint8_t *name, const uint8_t *uri, const uint8_t *prefix) {
  if (events->slot_count) {
    uint32_t number = events->slots[name_slot(events, name, uri)];
    if (number && events->names[number - 1].bytes == name && events->names[number - 1].uri == uri) return number - 1;
  }
  return events_find_name(events, name, uri, prefix);
}

static inline int is_blank_text(const uint8_t *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (bytes[index] != ' ' && bytes[index] != '\n' && bytes[index] != '\t' && bytes[index] != '\r') return 0;
  }
  return 1;
}

/// Says characters, which stand in the room behind the text already: they go on with the text before them.
static inline void events_say_text(Events *events, size_t count) {
  CXMLEvent *event = events->count ? &events->events[events->count - 1] : NULL;
  if (!event || event->kind != CXML_TEXT) {
    event = events_add(events, CXML_TEXT);
    if (!event) return;
    event->flags = CXML_BLANK;
    event->name = 0;
    event->offset = 0;
  }
  if (event->flags && !is_blank_text(events->text + events->text_count, count)) event->flags = 0;
  events->text_count += count;
  event->text_count += (uint32_t)count;
}

/// Says a start tag, whose name the caller fills in; NULL when memory is short.
static inline CXMLEvent *events_say_start(Events *events, uint64_t offset, uint32_t tag_count) {
  // White space between a tag and the next rarely means anything: it goes with the tag.
  uint32_t blank = 0;
  CXMLEvent *before = events->count ? &events->events[events->count - 1] : NULL;
  if (before && before->kind == CXML_TEXT && before->flags & CXML_BLANK && before->text_count <= CXML_BEFORE_LIMIT) {
    blank = before->text_count;
    events->count--;
  }
  CXMLEvent *event = events_add(events, CXML_START);
  if (!event) return NULL;
  event->flags = (uint16_t)(blank << CXML_BEFORE_SHIFT);
  event->offset = offset;
  event->tag_count = tag_count;
  return event;
}

/// Says an end tag, or the end of a tag that is both; `behind` is the place behind it.
static inline void events_say_end(Events *events, uint64_t behind) {
  CXMLEvent *last = events->count ? &events->events[events->count - 1] : NULL;
  CXMLEvent blank = {0};
  if (last && last->kind == CXML_TEXT && events->count > 1) {
    uint32_t before = last[-1].kind;
    if (before == CXML_START) {
      last[-1].text = last->text;
      last[-1].text_count = last->text_count;
      events->count--;
      last--;
    } else if ((before == CXML_END || before == CXML_LEAF) && last->flags & CXML_BLANK) {
      blank = *last;
      events->count--;
      last--;
    }
  }
  // A byte between two texts keeps the offsets of empty ones apart.
  uint8_t *room = events_room(events, 1);
  if (!room) return;
  if (last && last->kind == CXML_START) {
    last->kind = CXML_LEAF;
    last->element_count = (uint32_t)(behind - last->offset);
  } else {
    CXMLEvent *event = events_add(events, CXML_END);
    if (!event) return;
    event->name = 0;
    event->offset = behind;
    if (blank.text_count) {
      event->text = blank.text;
      event->text_count = blank.text_count;
    }
  }
  *room = 0;
  events->text_count++;
}
