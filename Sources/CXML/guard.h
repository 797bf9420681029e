// The guard: a tokenizer over the raw bytes that finds tags and bounds them, before libxml2 sees them.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A growing run of numbers that is read from its front.
typedef struct {
  uint64_t *items;
  size_t head, count, capacity;
} Queue;

/// Makes room for more items; 0 when memory is short.
int queue_grow(Queue *queue);

static inline int queue_push(Queue *queue, uint64_t item) {
  if (queue->count == queue->capacity && !queue_grow(queue)) return 0;
  queue->items[queue->count++] = item;
  return 1;
}

static inline size_t queue_length(const Queue *queue) { return queue->count - queue->head; }

static inline uint64_t queue_pop(Queue *queue) {
  uint64_t item = queue->items[queue->head++];
  if (queue->head == queue->count) queue->head = queue->count = 0;
  return item;
}

typedef enum {
  IN_TEXT,
  AFTER_ANGLE,
  AFTER_BANG,
  IN_START_TAG,
  IN_END_TAG,
  IN_COMMENT,
  IN_CDATA,
  IN_INSTRUCTION,
  IN_DOCTYPE,
  /// The bytes are no XML; libxml2 is left to say why.
  LOST,
} GuardState;

enum { HEAD_CAPACITY = 256 };

typedef struct {
  GuardState state;
  /// How many characters have been scanned; offsets below are in characters, which are bytes but in UTF-16.
  uint64_t position;
  /// Up to where libxml2 may see the input: behind the last complete piece of markup.
  uint64_t safe;
  /// The '<' of the markup at hand.
  uint64_t markup;
  /// Of a start tag: how many attributes, and how many of them have their value's place in `values`.
  uint32_t attributes, placed;
  uint8_t quote, last, before_last, after_space;
  /// The first bytes of the attribute's name at hand.
  char name[6];
  uint8_t name_count;
  /// Of a document type: brackets open, and what within it is at hand ('-' comment, '?' instruction).
  uint8_t in_subset, in_part;
  /// What follows '<!'.
  char word[8];
  uint8_t word_count;
  /// Start tags: pairs of '<' and (bytes << 32 | attributes placed). End tags: the byte after '>'. Attribute values.
  Queue starts, ends, values;
  /// The XML declaration: its first bytes, and its place.
  char head[HEAD_CAPACITY];
  size_t head_count;
  uint64_t declaration_start, declaration_end;
  uint64_t first;
  /// Whether a start tag has been seen, and whether text stands before it, which libxml2 2.9 overlooks behind a DOCTYPE.
  uint8_t has_element, has_early_text;
  /// The limit that was passed, in words; NULL for none.
  const char *limit;
  int no_memory;
} Guard;

/// Scans the bytes; stops early at a passed limit. `*first_safe` becomes the first safe place found in them, or stays.
void guard_scan(Guard *guard, const uint8_t *bytes, size_t count, uint64_t *first_safe);
void guard_close(Guard *guard);
