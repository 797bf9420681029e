#include "plain.h"

#include <stdlib.h>

#include "runs.h"

/// A step through some bytes of the input.
typedef struct {
  Plain *plain;
  Events *events;
  const uint8_t *bytes;
  uint64_t base;
  /// Behind the last piece of markup whose events have been said.
  const uint8_t *safe;
  Run run;
} Reader;

Plain *plain_open(struct _xmlDict *dictionary) {
  Plain *plain = calloc(1, sizeof *plain);
  if (!plain) return NULL;
  plain->last = NO_SPELLING;
  plain->line = plain->column = 1;
  if (!spellings_open(&plain->spellings, dictionary)) {
    plain_close(plain);
    return NULL;
  }
  return plain;
}

void plain_close(Plain *plain) {
  if (!plain) return;
  spellings_close(&plain->spellings);
  free(plain->tags);
  free(plain->marks);
  free(plain);
}

static inline uint64_t place(const Reader *reader, const uint8_t *at) {
  return reader->base + (uint64_t)(at - reader->bytes);
}

static inline int is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

static inline const uint8_t *behind_space(const uint8_t *at, const uint8_t *end) {
  while (at < end && is_space(*at)) at++;
  return at;
}

/// Says the text up to `end`, which has been copied.
static inline void say_text(Reader *reader, const uint8_t *end) {
  Events *events = reader->events;
  size_t count = (size_t)(end - (events->text + events->text_count));
  if (count) events_say_text(events, count);
}

// MARK: Names

/// Reads the name at `*at`, which probably is `expected`; it is followed by another byte then.
static inline Finding read_name(Reader *reader, const uint8_t **at, uint32_t expected, uint32_t *number) {
  Spellings *spellings = &reader->plain->spellings;
  const uint8_t *end = reader->run.end, *name = *at;
  if (expected != NO_SPELLING) {
    const Spelling *spelling = &spellings->items[expected];
    if (is_spelled(spelling, name, end) && ends_name(name[spelling->count])) {
      *number = expected;
      *at = name + spelling->count;
      return FOUND;
    }
  }
  const uint8_t *behind = name;
  while (behind < end && !ends_name(*behind)) behind++;
  if (behind == end) return CUT;
  *number = spellings_find(spellings, name, (size_t)(behind - name));
  *at = behind;
  return *number == NO_SPELLING ? DOUBTFUL : FOUND;
}

// MARK: Attributes

/// Takes a namespace that the tag at hand declares; its value has been copied.
static int declare(Reader *reader, uint32_t number, const uint8_t *value, const uint8_t *raw, size_t raw_count) {
  Plain *plain = reader->plain;
  Spellings *spellings = &plain->spellings;
  // libxml2 leaves references to '&' in names of namespaces, and normalises nothing there.
  if (memchr(raw, '&', raw_count)) return 0;
  uint32_t first = spellings->binding_count - plain->declaration_count;
  if (!spellings_bind(spellings, &spellings->items[number], value, (size_t)(reader->run.to - value))) return 0;
  for (uint32_t index = first; index < spellings->binding_count - 1; index++) {
    if (spellings->bindings[index].prefix == spellings->bindings[spellings->binding_count - 1].prefix) {
      spellings_unbind(spellings, 1);
      return 0;
    }
  }
  plain->declaration_count++;
  return 1;
}

/// Reads what stands behind a tag's name: attributes, whose values are copied one behind the other, up to `>` or `/>`.
static Finding read_attributes(Reader *reader, const uint8_t **tag, uint32_t element) {
  Plain *plain = reader->plain;
  Run *run = &reader->run;
  const uint8_t *at = *tag, *end = run->end;
  uint32_t before = NO_SPELLING;
  for (;;) {
    const uint8_t *start = at;
    at = behind_space(at, end);
    if (at == end) return CUT;
    if (*at == '>' || *at == '/') {
      *tag = at;
      return FOUND;
    }
    if (at == start || plain->attribute_count + plain->declaration_count >= CXML_ATTRIBUTE_LIMIT) return DOUBTFUL;
    Spelling *items = plain->spellings.items;
    uint32_t expected = before == NO_SPELLING ? items[element].next_attribute : items[before].next_attribute;
    uint32_t number;
    Finding finding = read_name(reader, &at, expected, &number);
    if (finding != FOUND) return finding;
    items = plain->spellings.items;
    if (number != expected) items[before == NO_SPELLING ? element : before].next_attribute = number;
    // An attribute may be called like its element.
    if (number != element) before = number;
    at = behind_space(at, end);
    if (at == end) return CUT;
    if (*at != '=') return DOUBTFUL;
    at = behind_space(at + 1, end);
    if (at == end) return CUT;
    if (*at != '"' && *at != '\'') return DOUBTFUL;
    const uint8_t quote = *at++, *place = at, *value = run->to;
    run->at = at;
    finding = copy_value(run, quote);
    if (finding != FOUND) return finding;
    at = run->at + 1;
    if (items[number].declares) {
      if (!declare(reader, number, value, place, (size_t)(run->at - place))) return DOUBTFUL;
      run->to = (uint8_t *)value;
      continue;
    }
    plain->attributes[plain->attribute_count++] =
        (PlainAttribute){number, (uint32_t)(run->to - value), place};
    *run->to++ = 0;
  }
}

/// Whether no attribute of the tag at hand has the name of another; their names have numbers.
static int has_no_double(Plain *plain, const Events *events) {
  if (plain->attribute_count < 2) return 1;
  if (plain->mark_capacity < events->name_count) {
    uint32_t capacity = events->name_capacity;
    uint32_t *marks = realloc(plain->marks, capacity * sizeof *marks);
    if (!marks) return 0;
    memset(marks + plain->mark_capacity, 0, (capacity - plain->mark_capacity) * sizeof *marks);
    plain->marks = marks;
    plain->mark_capacity = capacity;
  }
  if (++plain->mark == 0) {
    memset(plain->marks, 0, plain->mark_capacity * sizeof *plain->marks);
    plain->mark = 1;
  }
  for (uint32_t index = 0; index < plain->attribute_count; index++) {
    uint32_t *mark = &plain->marks[plain->spellings.items[plain->attributes[index].spelling].attribute];
    if (*mark == plain->mark) return 0;
    *mark = plain->mark;
  }
  return 1;
}

// MARK: Tags

/// Opens an element; its tag is kept if it declares namespaces, for which whoever goes on from here would ask.
static void open_element(Reader *reader, uint32_t number, const uint8_t *tag, size_t count) {
  Plain *plain = reader->plain;
  OpenElement *element = &plain->open[plain->depth];
  *element = (OpenElement){number, plain->declaration_count, plain->tag_count, 0, place(reader, tag), 0};
  if (plain->declaration_count) {
    if (plain->tag_capacity - plain->tag_count < count) {
      size_t capacity = plain->tag_capacity ? plain->tag_capacity : 4096;
      while (capacity - plain->tag_count < count) capacity *= 2;
      uint8_t *tags = realloc(plain->tags, capacity);
      if (!tags) {
        reader->events->no_memory = 1;
        return;
      }
      plain->tags = tags;
      plain->tag_capacity = capacity;
    }
    memcpy(plain->tags + plain->tag_count, tag, count);
    element->tag_count = count;
    plain->tag_count += count;
  }
  plain->depth++;
}

/// What the tags of all open elements may weigh together.
enum { KEPT_TAGS_LIMIT = 4 << 20 };

/// Says a tag with attributes or declarations, or one that is a whole element; `text` is where the text before it ends.
static Finding say_tag(Reader *reader, const uint8_t *tag, const uint8_t *behind, uint32_t number, const uint8_t *text,
                       int is_whole) {
  Plain *plain = reader->plain;
  Events *events = reader->events;
  Spellings *spellings = &plain->spellings;
  size_t count = (size_t)(behind - tag);
  if (count > CXML_TAG_LIMIT || spellings->binding_count > CXML_ATTRIBUTE_LIMIT ||
      plain->tag_count + count > KEPT_TAGS_LIMIT || !spellings_resolve_element(spellings, number, events)) {
    return DOUBTFUL;
  }
  for (uint32_t index = 0; index < plain->attribute_count; index++) {
    if (!spellings_resolve_attribute(spellings, plain->attributes[index].spelling, events)) return DOUBTFUL;
  }
  if (!has_no_double(plain, events)) return DOUBTFUL;
  if (plain->depth) {
    say_text(reader, text);
    spellings->items[plain->open[plain->depth - 1].spelling].is_container = 1;
  }
  CXMLEvent *event = events_say_start(events, place(reader, tag), (uint32_t)count);
  if (!event) return DOUBTFUL;
  event->name = spellings->items[number].element;
  for (uint32_t index = 0; index < plain->attribute_count; index++) {
    const PlainAttribute *said = &plain->attributes[index];
    const Spelling *spelling = &spellings->items[said->spelling];
    CXMLEvent *attribute = events_add(events, CXML_ATTRIBUTE);
    if (!attribute) return DOUBTFUL;
    attribute->flags = spelling->flags;
    attribute->name = spelling->attribute;
    attribute->offset = place(reader, said->place);
    attribute->text_count = said->count;
    events->text_count += said->count + 1;
  }
  if (is_whole) {
    events_say_end(events, place(reader, behind));
    spellings_unbind(spellings, plain->declaration_count);
    plain->declaration_count = 0;
    if (!plain->depth) plain->state = BEHIND_ROOT;
  } else {
    open_element(reader, number, tag, count);
    plain->declaration_count = 0;
    plain->state = IN_CONTENT;
  }
  plain->last = number;
  reader->safe = behind;
  return FOUND;
}

/// Reads the start tag at hand, and the whole element if it holds nothing but text.
static inline Finding read_start(Reader *reader, const uint8_t *tag) {
  Plain *plain = reader->plain;
  Run *run = &reader->run;
  Spellings *spellings = &plain->spellings;
  const uint8_t *end = run->end, *at = tag + 1;
  const uint8_t *text = run->to;
  uint32_t expected = plain->last == NO_SPELLING ? NO_SPELLING : spellings->items[plain->last].next;
  uint32_t number;
  Finding finding = read_name(reader, &at, expected, &number);
  if (finding != FOUND) return finding;
  if (plain->depth >= CXML_DEPTH_LIMIT) return DOUBTFUL;
  if (number != expected && plain->last != NO_SPELLING) spellings->items[plain->last].next = number;
  Spelling *spelling = &spellings->items[number];
  if (*at == '>' && !spelling->is_container && plain->depth &&
      (spelling->element_scope == spellings->scope || spellings_resolve_element(spellings, number, reader->events))) {
    // Most elements hold text and nothing else.
    const uint8_t *inner = run->to;
    run->at = at + 1;
    if ((run->at < end && *run->at == '<') || copy_text(run) == FOUND) {
      const uint8_t *name = run->at + 2;
      if (end - run->at > 2 && run->at[1] == '/' && is_spelled(spelling, name, end) && name[spelling->count] == '>') {
        const uint8_t *behind = name + spelling->count + 1;
        Events *events = reader->events;
        say_text(reader, text);
        spellings->items[plain->open[plain->depth - 1].spelling].is_container = 1;
        CXMLEvent *event = events_say_start(events, place(reader, tag), (uint32_t)(at + 1 - tag));
        if (!event) return DOUBTFUL;
        event->kind = CXML_LEAF;
        event->name = spelling->element;
        event->text_count = (uint32_t)(run->to - inner);
        event->element_count = (uint32_t)(behind - tag);
        *run->to++ = 0;
        events->text_count = (size_t)(run->to - events->text);
        plain->last = number;
        reader->safe = behind;
        return FOUND;
      }
    }
    run->to = (uint8_t *)inner;
  }
  plain->attribute_count = plain->declaration_count = 0;
  finding = FOUND;
  if (*at != '>') finding = read_attributes(reader, &at, number);
  int is_whole = 0;
  if (finding == FOUND && *at == '/') {
    is_whole = 1;
    at++;
    finding = at == end ? CUT : *at == '>' ? FOUND : DOUBTFUL;
  }
  if (finding == FOUND) finding = say_tag(reader, tag, at + 1, number, text, is_whole);
  if (finding != FOUND) spellings_unbind(spellings, plain->declaration_count);
  return finding;
}

/// Reads the end tag at hand.
static inline Finding read_end(Reader *reader, const uint8_t *tag) {
  Plain *plain = reader->plain;
  const OpenElement *element = &plain->open[plain->depth - 1];
  const Spelling *spelling = &plain->spellings.items[element->spelling];
  const uint8_t *end = reader->run.end, *at = tag + 2;
  if (!is_spelled(spelling, at, end)) return (size_t)(end - at) <= spelling->count ? CUT : DOUBTFUL;
  at += spelling->count;
  if (*at != '>') {
    at = behind_space(at, end);
    if (at == end) return CUT;
    if (*at != '>') return DOUBTFUL;
  }
  at++;
  if (at - tag > CXML_TAG_LIMIT) return DOUBTFUL;
  say_text(reader, reader->run.to);
  events_say_end(reader->events, place(reader, at));
  spellings_unbind(&plain->spellings, element->bindings);
  plain->tag_count = element->tag_start;
  if (--plain->depth == 0) plain->state = BEHIND_ROOT;
  reader->safe = at;
  return FOUND;
}

// MARK: Other markup

/// Reads the comment or the instruction at `at`; the text goes on behind it.
static Finding read_aside(Reader *reader, const uint8_t *at) {
  Run run = reader->run;
  const uint8_t *start = at, *end = run.end;
  Finding finding;
  if (at[1] == '!') {
    if (end - at < 4) return CUT;
    if (at[2] != '-' || at[3] != '-') return DOUBTFUL;
    run.at = at + 4;
    finding = copy_until(&run, '-', "--", 2);
    if (finding != FOUND) return finding;
    if (end - run.at < 3) return CUT;
    if (run.at[2] != '>') return DOUBTFUL;
    at = run.at + 3;
  } else {
    const uint8_t *name = at + 2, *behind = name;
    while (behind < end && !ends_name(*behind) && *behind != '?') behind++;
    if (behind == end) return CUT;
    size_t count = (size_t)(behind - name);
    if (count > SPELLING_LIMIT || !is_plain_name(name, count) || !(*behind == '?' || is_space(*behind))) {
      return DOUBTFUL;
    }
    // No instruction is called 'xml', in whatever case.
    if (count == 3 && (name[0] | 0x20) == 'x' && (name[1] | 0x20) == 'm' && (name[2] | 0x20) == 'l') return DOUBTFUL;
    if (end - behind < 2) return CUT;
    if (*behind == '?' && behind[1] != '>') return DOUBTFUL;
    run.at = behind;
    finding = copy_until(&run, '?', "?>", 2);
    if (finding != FOUND) return finding;
    at = run.at + 2;
  }
  if (at - start > CXML_COMMENT_LIMIT) return DOUBTFUL;
  if (reader->plain->state == IN_CONTENT) say_text(reader, reader->run.to);
  reader->safe = at;
  return FOUND;
}

/// Goes on in a CDATA section; `at` is in it.
static Finding read_section(Reader *reader, const uint8_t *at) {
  Run *run = &reader->run;
  run->at = at;
  const Finding finding = copy_until(run, ']', "]]>", 3);
  if (finding == DOUBTFUL) return finding;
  if (finding == CUT && run->at - reader->safe < PLAIN_HELD_TEXT) return finding;
  say_text(reader, run->to);
  reader->plain->state = finding == CUT ? IN_LONG_CDATA : IN_CONTENT;
  reader->safe = finding == CUT ? run->at : run->at + 3;
  return finding;
}

static Finding read_special(Reader *reader, const uint8_t *at) {
  static const char cdata[] = "<![CDATA[";
  const size_t count = sizeof cdata - 1, left = (size_t)(reader->run.end - at);
  if (at[1] == '!' && left > 2 && at[2] == '[') {
    if (memcmp(at, cdata, left < count ? left : count) != 0) return DOUBTFUL;
    return left < count ? CUT : read_section(reader, at + count);
  }
  return read_aside(reader, at);
}

// MARK: The beginning

/// Skips a word of the XML declaration; 0 if it is not there.
static int skip(const uint8_t **at, const uint8_t *end, const char *word) {
  size_t count = strlen(word);
  if ((size_t)(end - *at) < count || memcmp(*at, word, count) != 0) return 0;
  *at += count;
  return 1;
}

/// Reads `name = "value"` of the declaration; 0 if it is not well-formed.
static int read_setting(const uint8_t **at, const uint8_t *end, const char *name, const uint8_t **value, size_t *count) {
  if (!skip(at, end, name)) return 0;
  *at = behind_space(*at, end);
  if (!skip(at, end, "=")) return 0;
  *at = behind_space(*at, end);
  if (*at == end || (**at != '"' && **at != '\'')) return 0;
  const uint8_t quote = *(*at)++;
  const uint8_t *close = memchr(*at, quote, (size_t)(end - *at));
  if (!close) return 0;
  *value = *at;
  *count = (size_t)(close - *at);
  *at = close + 1;
  return 1;
}

static int is_word(const uint8_t *value, size_t count, const char *word) {
  if (strlen(word) != count) return 0;
  for (size_t index = 0; index < count; index++) {
    uint8_t byte = value[index];
    if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
    if (byte != (uint8_t)word[index]) return 0;
  }
  return 1;
}

static int is_encoding_name(const uint8_t *value, size_t count) {
  for (size_t index = 0; index < count; index++) {
    uint8_t byte = value[index], small = byte | 0x20;
    int is_letter = small >= 'a' && small <= 'z';
    int goes_on = (byte >= '0' && byte <= '9') || byte == '.' || byte == '_' || byte == '-';
    if (!is_letter && !(goes_on && index)) return 0;
  }
  return count > 0;
}

/// Reads an XML declaration up to `end`, behind its `?>`; 0 if it says anything but XML 1.0 in UTF-8.
static int read_declaration(const Plain *plain, const uint8_t *at, const uint8_t *end) {
  const uint8_t *value, *stop = end - 2, *word;
  size_t count;
  at = behind_space(at, stop);
  if (!read_setting(&at, stop, "version", &value, &count) || !is_word(value, count, "1.0")) return 0;
  word = behind_space(at, stop);
  if (word > at && word < stop && *word == 'e') {
    at = word;
    if (!read_setting(&at, stop, "encoding", &value, &count)) return 0;
    int is_utf8 = is_word(value, count, "utf-8") || is_word(value, count, "utf8");
    if (!is_utf8 && !(plain->ignores_encoding && is_encoding_name(value, count))) return 0;
    word = behind_space(at, stop);
  }
  if (word > at && word < stop && *word == 's') {
    at = word;
    if (!read_setting(&at, stop, "standalone", &value, &count)) return 0;
    int is_yes = count == 3 && memcmp(value, "yes", 3) == 0, is_no = count == 2 && memcmp(value, "no", 2) == 0;
    if (!is_yes && !is_no) return 0;
    word = behind_space(at, stop);
  }
  return word == stop;
}

/// Reads what stands before the root, and the root's start tag; until that is there, nothing counts as read.
static Finding read_prolog(Reader *reader) {
  Plain *plain = reader->plain;
  const uint8_t *at = reader->bytes, *end = reader->run.end;
  if (end - at < 6) return CUT;
  if (memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
  plain->mark_count = (uint64_t)(at - reader->bytes);
  if (end - at < 6) return CUT;
  plain->head_count = 0;
  plain->declaration_start = plain->declaration_end = 0;
  if (memcmp(at, "<?xml", 5) == 0 && is_space(at[5])) {
    const size_t room = sizeof plain->head - 3, left = (size_t)(end - at);
    const uint8_t *close = memchr(at, '>', left < room ? left : room);
    if (!close) return left < room ? CUT : DOUBTFUL;
    close++;
    if (close[-2] != '?' || !read_declaration(plain, at + 5, close)) return DOUBTFUL;
    plain->declaration_start = place(reader, at);
    plain->declaration_end = place(reader, close);
    at = close;
  }
  plain->head_count = (size_t)(at - reader->bytes);
  memcpy(plain->head, reader->bytes, plain->head_count);
  for (;;) {
    at = behind_space(at, end);
    if (end - at < 2) return at < end && *at != '<' ? DOUBTFUL : CUT;
    if (*at != '<') return DOUBTFUL;
    if (at[1] != '!' && at[1] != '?') break;
    Finding finding = read_aside(reader, at);
    if (finding != FOUND) return finding;
    at = reader->safe;
  }
  plain->last = NO_SPELLING;
  return read_start(reader, at);
}

// MARK: Reading

static Finding read_next(Reader *reader) {
  Plain *plain = reader->plain;
  Run *run = &reader->run;
  run->at = reader->safe;
  run->to = reader->events->text + reader->events->text_count;
  switch (plain->state) {
    case IN_PROLOG: {
      Finding finding = read_prolog(reader);
      if (finding != FOUND) reader->safe = reader->bytes;
      return finding;
    }
    case IN_LONG_CDATA: return read_section(reader, run->at);
    case BEHIND_ROOT:
      run->at = behind_space(run->at, run->end);
      reader->safe = run->at;
      if (run->at == run->end) return CUT;
      if (*run->at != '<') return DOUBTFUL;
      if (run->end - run->at < 2) return CUT;
      return run->at[1] == '!' || run->at[1] == '?' ? read_aside(reader, run->at) : DOUBTFUL;
    case IN_CONTENT: break;
  }
  if (run->at == run->end) return CUT;
  if (*run->at != '<') {
    Finding finding = copy_text(run);
    if (finding == CUT && run->at - reader->safe >= PLAIN_HELD_TEXT) {
      say_text(reader, run->to);
      reader->safe = run->at;
    }
    if (finding != FOUND) return finding;
  }
  if (run->end - run->at < 2) return CUT;
  switch (run->at[1]) {
    case '/': return read_end(reader, run->at);
    case '!':
    case '?': return read_special(reader, run->at);
    default: return read_start(reader, run->at);
  }
}

/// Follows libxml2's count of lines and columns over some bytes.
static void count_lines(Plain *plain, const uint8_t *bytes, size_t count) {
  const uint8_t *end = bytes + count, *line = bytes;
  for (const uint8_t *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at)));) {
    line = ++at;
    plain->line++;
    plain->column = 1;
  }
  for (; line < end; line++) plain->column += (int8_t)*line >= -64;
}

/// Counts the lines of what has been read, and tells those of the tags in it whose elements are still open.
static void follow_lines(Plain *plain, const uint8_t *bytes, size_t count, uint64_t base) {
  size_t position = 0;
  uint32_t depth = plain->depth;
  while (depth > 0 && !plain->open[depth - 1].line) depth--;
  for (; depth < plain->depth; depth++) {
    OpenElement *element = &plain->open[depth];
    size_t place = (size_t)(element->place - base);
    count_lines(plain, bytes + position, place - position);
    element->line = plain->line;
    position = place;
  }
  count_lines(plain, bytes + position, count - position);
}

PlainEnd plain_read(Plain *plain, Events *events, const uint8_t *bytes, size_t count, uint64_t base, size_t *used) {
  *used = 0;
  if (!events_room(events, count + 32)) return PLAIN_WANTS_MORE;
  Reader reader = {plain, events, bytes, base, bytes, {bytes, bytes + count, NULL}};
  Finding finding = FOUND;
  while (finding == FOUND && !events->no_memory) finding = read_next(&reader);
  *used = (size_t)(reader.safe - bytes);
  follow_lines(plain, bytes, *used, base);
  return finding == DOUBTFUL ? PLAIN_DOUBTS : PLAIN_WANTS_MORE;
}
