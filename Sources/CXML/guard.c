#include "guard.h"

#include <stdlib.h>
#include <string.h>

#include "CXML.h"

int queue_grow(Queue *queue) {
  if (queue->head > queue->capacity / 2) {
    memmove(queue->items, queue->items + queue->head, queue_length(queue) * sizeof *queue->items);
    queue->count -= queue->head;
    queue->head = 0;
    return 1;
  }
  size_t capacity = queue->capacity ? queue->capacity * 2 : 256;
  uint64_t *items = realloc(queue->items, capacity * sizeof *items);
  if (!items) return 0;
  queue->items = items;
  queue->capacity = capacity;
  return 1;
}

void guard_close(Guard *guard) {
  free(guard->starts.items);
  free(guard->ends.items);
  free(guard->values.items);
}

static inline int is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

static void push(Guard *guard, Queue *queue, uint64_t item) {
  if (!queue_push(queue, item)) guard->no_memory = 1;
}

/// Whether an attribute's name at hand is a namespace declaration, which is no attribute to SAX2.
static int declares_namespace(const Guard *guard) {
  if (guard->name_count < 5 || memcmp(guard->name, "xmlns", 5) != 0) return 0;
  return guard->name_count == 5 || guard->name[5] == ':';
}

/// The bytes of a name and of a tag without attributes: no space, quote, '/', '=' and '>'.
static const uint8_t ends_plain_run[256] = {
    ['\t'] = 1, ['\n'] = 1, ['\r'] = 1, [' '] = 1, ['"'] = 1, ['\''] = 1, ['/'] = 1, ['='] = 1, ['>'] = 1,
};

/// Goes on in a start tag; returns where it stopped, behind its '>' if it found that.
static const uint8_t *scan_start_tag(Guard *guard, const uint8_t *at, const uint8_t *end, uint64_t base,
                                     const uint8_t *bytes) {
  while (at < end) {
    if (guard->quote) {
      const uint8_t *close = memchr(at, guard->quote, (size_t)(end - at));
      if (!close) return end;
      guard->quote = 0;
      guard->name_count = 0;
      guard->after_space = 1;
      guard->last = 0;
      at = close + 1;
      continue;
    }
    uint8_t byte = *at++;
    if (!ends_plain_run[byte]) {
      if (guard->after_space) guard->name_count = guard->after_space = 0;
      for (;;) {
        if (guard->name_count < sizeof guard->name) guard->name[guard->name_count++] = (char)byte;
        if (at == end || ends_plain_run[*at]) break;
        byte = *at++;
      }
      guard->last = 0;
      continue;
    }
    if (byte == '>') {
      uint64_t behind = base + (uint64_t)(at - bytes);
      uint64_t count = behind - guard->markup;
      if (count > CXML_TAG_LIMIT) return at;
      push(guard, &guard->starts, guard->markup);
      push(guard, &guard->starts, count << 32 | guard->placed);
      if (guard->last == '/') push(guard, &guard->ends, behind);
      guard->state = IN_TEXT;
      return at;
    }
    guard->last = byte;
    if (byte == '=') {
      if (++guard->attributes > CXML_ATTRIBUTE_LIMIT) {
        guard->limit = "a start tag has more than 1,000 attributes";
        return at;
      }
    } else if (byte == '"' || byte == '\'') {
      guard->quote = byte;
      if (!declares_namespace(guard)) {
        push(guard, &guard->values, base + (uint64_t)(at - bytes));
        guard->placed++;
      }
    } else if (is_space(byte)) {
      guard->after_space = 1;
    }
  }
  return at;
}

/// Goes on in a document type declaration, byte by byte; returns where it stopped.
static const uint8_t *scan_doctype(Guard *guard, const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    uint8_t byte = *at++;
    if (guard->in_part == '-') {
      if (byte == '>' && guard->last == '-' && guard->before_last == '-') guard->in_part = 0;
    } else if (guard->in_part == '?') {
      if (byte == '>' && guard->last == '?') guard->in_part = 0;
    } else if (guard->quote) {
      if (byte == guard->quote) guard->quote = 0;
    } else if (byte == '"' || byte == '\'') {
      guard->quote = byte;
    } else if (byte == '[') {
      guard->in_subset = 1;
    } else if (byte == ']') {
      guard->in_subset = 0;
    } else if (byte == '?' && guard->last == '<') {
      guard->in_part = '?';
      byte = 0;
    } else if (byte == '-' && guard->last == '-' && guard->before_last == '!') {
      guard->in_part = '-';
      byte = 0;
    } else if (byte == '>' && !guard->in_subset) {
      guard->state = IN_TEXT;
      return at;
    }
    guard->before_last = guard->last;
    guard->last = byte;
  }
  return at;
}

/// Takes what follows '<!' until it is clear what it opens.
static void take_word(Guard *guard, uint8_t byte) {
  static const struct {
    const char *word;
    GuardState state;
  } words[] = {{"--", IN_COMMENT}, {"[CDATA[", IN_CDATA}, {"DOCTYPE", IN_DOCTYPE}};
  guard->word[guard->word_count++] = (char)byte;
  for (size_t index = 0; index < sizeof words / sizeof *words; index++) {
    size_t count = strlen(words[index].word);
    if (guard->word_count > count || memcmp(guard->word, words[index].word, guard->word_count) != 0) continue;
    if (guard->word_count == count) {
      guard->state = words[index].state;
      guard->last = guard->before_last = guard->quote = guard->in_subset = guard->in_part = 0;
    }
    return;
  }
  guard->state = LOST;
}

/// Remembers the beginning of the XML declaration, which names the encoding.
static void keep_head(Guard *guard, const uint8_t *from, const uint8_t *to) {
  while (from < to && guard->head_count < HEAD_CAPACITY) guard->head[guard->head_count++] = (char)*from++;
}

/// The first byte from `at` on that ends a name, or `stop`; eight bytes at a time as long as they are letters.
static inline const uint8_t *behind_name(const uint8_t *at, const uint8_t *stop) {
  while (stop - at >= 8) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    // The bytes below 0x40: all that end a name, digits, '-', '.' and ':'.
    uint64_t low = ~(word | word << 1) & UINT64_C(0x8080808080808080);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (!low) {
      at += 8;
      continue;
    }
    at += __builtin_ctzll(low) >> 3;
#endif
    if (ends_plain_run[*at]) return at;
    at++;
  }
  while (at < stop && !ends_plain_run[*at]) at++;
  return at;
}

/// Goes over text and plain tags, `<name>` and `</name>`, which most are; returns the '<' of the first that is neither or
/// is not complete, or `end`. `*safe` becomes the place behind the last tag.
static const uint8_t *scan_plain(Guard *guard, const uint8_t *at, const uint8_t *end, uint64_t base,
                                 const uint8_t *bytes, const uint8_t **first, const uint8_t **safe) {
  Queue *starts = &guard->starts, *ends = &guard->ends;
  while (at < end) {
    // The next tag often follows at once.
    if (*at != '<' && !(at = memchr(at, '<', (size_t)(end - at)))) return end;
    const uint8_t *next = at + 1;
    if (end - next < 2) return at;
    if (*next == '/') {
      // The limit of a tag is far longer than what is looked at here.
      const uint8_t *stop = end - next < CXML_TAG_LIMIT / 2 ? end : next + CXML_TAG_LIMIT / 2;
      next = behind_name(next + 1, stop);
      if (next >= stop || *next != '>') return at;
      next++;
      if (!queue_push(ends, base + (uint64_t)(next - bytes))) guard->no_memory = 1;
    } else {
      if (*next == '!' || *next == '?') return at;
      const uint8_t *stop = end - next < CXML_TAG_LIMIT / 2 ? end : next + CXML_TAG_LIMIT / 2;
      next = behind_name(next, stop);
      if (next == stop || *next != '>') return at;
      next++;
      if (!queue_push(starts, base + (uint64_t)(at - bytes)) || !queue_push(starts, (uint64_t)(next - at) << 32)) {
        guard->no_memory = 1;
      }
    }
    if (!*first) *first = next;
    *safe = at = next;
  }
  return end;
}

void guard_scan(Guard *guard, const uint8_t *bytes, size_t count, uint64_t *first_safe) {
  const uint8_t *at = bytes, *end = bytes + count;
  const uint64_t base = guard->position;
  int found_safe = 0;
  while (at < end && !guard->limit && !guard->no_memory && !guard->has_early_text) {
    const uint8_t *begin = at;
    const GuardState state = guard->state;
    int complete = 0;
    switch (guard->state) {
      case IN_TEXT: {
        const uint8_t *first = NULL, *safe = NULL;
        if (!guard->has_element) {
          while (at < end && *at != '<' && !guard->has_early_text) {
            uint8_t byte = *at++;
            // The byte order mark is no text.
            if (!is_space(byte) && base + (uint64_t)(at - bytes) > guard->first) guard->has_early_text = 1;
          }
          if (at < end && !guard->has_early_text) {
            guard->markup = base + (uint64_t)(at - bytes);
            guard->state = AFTER_ANGLE;
            at++;
          }
          break;
        }
        at = scan_plain(guard, at, end, base, bytes, &first, &safe);
        if (safe) {
          guard->safe = base + (uint64_t)(safe - bytes);
          if (!found_safe) *first_safe = base + (uint64_t)(first - bytes);
          found_safe = 1;
        }
        if (at == end) break;
        guard->markup = base + (uint64_t)(at - bytes);
        guard->state = AFTER_ANGLE;
        at++;
        break;
      }
      case AFTER_ANGLE:
        guard->last = guard->before_last = 0;
        if (*at == '/') {
          guard->state = IN_END_TAG;
          at++;
        } else if (*at == '?') {
          guard->state = IN_INSTRUCTION;
          at++;
        } else if (*at == '!') {
          guard->state = AFTER_BANG;
          guard->word_count = 0;
          at++;
        } else {
          guard->state = IN_START_TAG;
          guard->has_element = 1;
          guard->quote = 0;
          guard->attributes = guard->placed = 0;
          guard->name_count = guard->after_space = 0;
        }
        break;
      case AFTER_BANG:
        take_word(guard, *at++);
        break;
      case IN_START_TAG:
        at = scan_start_tag(guard, at, end, base, bytes);
        complete = guard->state == IN_TEXT;
        break;
      case IN_END_TAG: {
        const uint8_t *close = memchr(at, '>', (size_t)(end - at));
        at = close ? close + 1 : end;
        if (close) {
          push(guard, &guard->ends, base + (uint64_t)(at - bytes));
          guard->state = IN_TEXT;
          complete = 1;
        }
        break;
      }
      case IN_COMMENT:
        while (at < end && !complete) {
          uint8_t byte = *at++;
          complete = byte == '>' && guard->last == '-' && guard->before_last == '-';
          guard->before_last = guard->last;
          guard->last = byte;
        }
        if (complete) guard->state = IN_TEXT;
        break;
      case IN_CDATA:
        while (at < end && !complete) {
          uint8_t byte = *at++;
          complete = byte == '>' && guard->last == ']' && guard->before_last == ']';
          guard->before_last = guard->last;
          guard->last = byte;
        }
        if (complete) guard->state = IN_TEXT;
        break;
      case IN_INSTRUCTION:
        while (at < end && !complete) {
          uint8_t byte = *at++;
          complete = byte == '>' && guard->last == '?';
          guard->last = byte;
        }
        if (guard->markup == guard->first) keep_head(guard, begin, at);
        if (complete) {
          guard->state = IN_TEXT;
          if (guard->markup == guard->first && guard->head_count > 4 && memcmp(guard->head, "xml", 3) == 0 &&
              is_space((uint8_t)guard->head[3])) {
            guard->declaration_start = guard->markup;
            guard->declaration_end = base + (uint64_t)(at - bytes);
          }
        }
        break;
      case IN_DOCTYPE:
        at = scan_doctype(guard, at, end);
        complete = guard->state == IN_TEXT;
        break;
      case LOST:
        at = end;
        complete = 1;
        break;
    }
    uint64_t here = base + (uint64_t)(at - bytes);
    uint64_t length = here - guard->markup;
    if (length > CXML_TAG_LIMIT && (state == IN_START_TAG || state == IN_END_TAG)) {
      guard->limit = "a tag is longer than 1 MiB";
    } else if (length > CXML_COMMENT_LIMIT && (state == IN_COMMENT || state == IN_INSTRUCTION || state == IN_DOCTYPE)) {
      guard->limit = "a comment, processing instruction or document type is longer than 1 MiB";
    }
    if (complete && !guard->limit) {
      guard->safe = here;
      if (!found_safe) *first_safe = here;
      found_safe = 1;
    }
  }
  guard->position = base + (uint64_t)(at - bytes);
}
