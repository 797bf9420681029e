#include "events.h"

#include <stdlib.h>
#include <string.h>

void events_close(Events *events) {
  free(events->events);
  free(events->text);
  free(events->names);
  free(events->slots);
}

int events_grow(Events *events) {
  size_t capacity = events->capacity ? events->capacity * 2 : 1024;
  CXMLEvent *grown = realloc(events->events, capacity * sizeof *grown);
  if (!grown) {
    events->no_memory = 1;
    return 0;
  }
  events->events = grown;
  events->capacity = capacity;
  return 1;
}

int events_grow_text(Events *events, size_t count) {
  size_t capacity = events->text_capacity ? events->text_capacity : 16384;
  while (capacity - events->text_count < count) capacity *= 2;
  // Offsets in the text have 32 bits.
  uint8_t *grown = capacity <= UINT32_MAX ? realloc(events->text, capacity) : NULL;
  if (!grown) {
    events->no_memory = 1;
    return 0;
  }
  events->text = grown;
  events->text_capacity = capacity;
  return 1;
}

static int grow_slots(Events *events) {
  uint32_t slot_count = events->slot_count ? events->slot_count * 2 : 256;
  uint32_t *slots = calloc(slot_count, sizeof *slots);
  Name *names = realloc(events->names, slot_count / 2 * sizeof *names);
  if (names) events->names = names;
  if (!slots || !names) {
    free(slots);
    return 0;
  }
  free(events->slots);
  events->slots = slots;
  events->slot_count = slot_count;
  events->name_capacity = slot_count / 2;
  for (uint32_t number = 0; number < events->name_count; number++) {
    uint32_t slot = name_slot(events, names[number].bytes, names[number].uri);
    while (slots[slot]) slot = (slot + 1) & (slot_count - 1);
    slots[slot] = number + 1;
  }
  return 1;
}

uint32_t events_find_name(Events *events, const uint8_t *name, const uint8_t *uri, const uint8_t *prefix) {
  if (events->name_count == events->name_capacity && !grow_slots(events)) {
    events->no_memory = 1;
    return 0;
  }
  uint32_t slot = name_slot(events, name, uri);
  while (events->slots[slot]) {
    uint32_t number = events->slots[slot] - 1;
    if (events->names[number].bytes == name && events->names[number].uri == uri) return number;
    slot = (slot + 1) & (events->slot_count - 1);
  }
  events->names[events->name_count] = (Name){name, uri, prefix, (uint32_t)strlen((const char *)name)};
  events->slots[slot] = ++events->name_count;
  return events->name_count - 1;
}
