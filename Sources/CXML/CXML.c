#include "CXML.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlIO.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "parser.h"

// MARK: Failures

void parser_fail(CXMLParser *parser, int kind, const char *message) {
  if (parser->failure) return;
  parser->failure = kind;
  if (!parser->failure_line && parser->context && parser->context->input) {
    parser->failure_line = (size_t)parser->context->input->line;
    parser->failure_column = (size_t)parser->context->input->col;
  }
  snprintf(parser->message, sizeof parser->message, "%s", message ? message : "");
  if (parser->context) xmlStopParser(parser->context);
}

static void on_error(void *user, xmlErrorPtr error) {
  CXMLParser *parser = ((xmlParserCtxtPtr)user)->_private;
  if (!error || error->level < XML_ERR_FATAL || parser->failure) return;
  parser->failure_line = error->line > 0 ? (size_t)error->line : 1;
  parser->failure_column = error->int2 > 0 ? (size_t)error->int2 : 0;
  char message[MESSAGE_CAPACITY];
  const char *words = error->message ? error->message : "";
  if (strncmp(words, "internal error: ", 16) == 0) words += 16;
  if (parser->is_ending && !parser->guard.has_element) {
    words = "it has no element";
  } else if (parser->is_ending && (parser->depth || parser->guard.state != IN_TEXT)) {
    words = "it ends before its elements do";
  }
  snprintf(message, sizeof message, "%s", words);
  message[strcspn(message, "\n")] = 0;
  int is_memory = error->code == XML_ERR_NO_MEMORY;
  int is_encoding = error->code == XML_ERR_UNSUPPORTED_ENCODING || error->code == XML_ERR_UNKNOWN_ENCODING;
  int is_not_utf8 = strncmp(words, "Input is not proper UTF-8", 25) == 0;
  int kind = is_memory ? CXML_NO_MEMORY : is_encoding ? CXML_ENCODING : is_not_utf8 ? CXML_NOT_UTF8 : CXML_MALFORMED;
  parser_fail(parser, kind, message);
}

static void stay_silent(void *user, const char *message, ...) {
  (void)user;
  (void)message;
}

// MARK: Handlers

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                     const xmlChar **namespaces, int attribute_count, int defaulted_count,
                     const xmlChar **attributes) {
  CXMLParser *parser = ((xmlParserCtxtPtr)user)->_private;
  (void)namespaces;
  if (parser->failure) return;
  if (!parser->is_catching_up && !queue_length(&parser->guard.starts)) {
    parser_fail(parser, CXML_MALFORMED, "the tags do not stand where they seem to");
    return;
  }
  if (parser->depth >= CXML_DEPTH_LIMIT + 1) {
    parser_fail(parser, CXML_LIMIT, "elements are nested more than 256 deep");
    return;
  }
  parser->namespaces[parser->depth++] = (uint16_t)namespace_count;
  parser->namespace_count += (size_t)namespace_count;
  if (parser->namespace_count > CXML_ATTRIBUTE_LIMIT) {
    parser_fail(parser, CXML_LIMIT, "more than 1,000 namespaces are declared");
    return;
  }
  if (parser->is_catching_up) return;
  Events *events = &parser->events;
  uint64_t markup = queue_pop(&parser->guard.starts);
  uint64_t tag = queue_pop(&parser->guard.starts);
  uint32_t placed = (uint32_t)tag;
  uint64_t scale = (uint64_t)parser->scale;
  CXMLEvent *event = events_say_start(events, markup * scale, (uint32_t)(tag >> 32) * (uint32_t)scale);
  if (!event) return;
  event->name = events_name(events, name, uri, prefix);
  if (events->name_count > CXML_DISTINCT_NAME_LIMIT) {
    parser_fail(parser, CXML_LIMIT, "elements and attributes have more than 65,536 different names");
    return;
  }
  int has_places = placed == (uint32_t)(attribute_count - defaulted_count);
  for (int index = 0; index < attribute_count; index++, attributes += 5) {
    uint64_t place = markup;
    if (has_places && index < (int)placed) place = queue_pop(&parser->guard.values);
    const xmlChar *value = attributes[3];
    size_t count = (size_t)(attributes[4] - value);
    uint8_t *room = events_room(events, count + 1);
    CXMLEvent *attribute = events_add(events, CXML_ATTRIBUTE);
    if (!room || !attribute) return;
    attribute->name = events_name(events, attributes[0], attributes[2], attributes[1]);
    attribute->offset = place * (uint64_t)parser->scale;
    if (attributes[2] == parser->schema_instance || attributes[1] == parser->schema_instance_prefix) {
      attribute->flags = CXML_SCHEMA_INSTANCE;
    } else if (attributes[2] && attributes[2] == parser->context->str_xml_ns) {
      attribute->flags = CXML_XML_NAMESPACE;
    }
    // Without entity substitution libxml2 hands out '&' in an attribute as '&#38;', and nothing else so.
    const xmlChar *stop = value + count;
    uint8_t *to = room;
    while (value < stop) {
      const xmlChar *ampersand = memchr(value, '&', (size_t)(stop - value));
      size_t plain = (size_t)((ampersand ? ampersand : stop) - value);
      memcpy(to, value, plain);
      to += plain;
      value += plain;
      if (ampersand) {
        *to++ = '&';
        value += stop - value >= 5 && memcmp(value, "&#38;", 5) == 0 ? 5 : 1;
      }
    }
    attribute->text_count = (uint32_t)(to - room);
    // A byte between two texts keeps the offsets of empty ones apart.
    *to++ = 0;
    events->text_count += (size_t)(to - room);
  }
  if (!has_places) {
    for (uint32_t index = 0; index < placed; index++) queue_pop(&parser->guard.values);
  }
}

static void on_text(void *user, const xmlChar *bytes, int length) {
  CXMLParser *parser = ((xmlParserCtxtPtr)user)->_private;
  if (parser->failure || length <= 0 || !parser->depth || parser->is_catching_up) return;
  uint8_t *room = events_room(&parser->events, (size_t)length + 1);
  if (!room) return;
  memcpy(room, bytes, (size_t)length);
  events_say_text(&parser->events, (size_t)length);
}

/// In a CDATA section libxml2's push parser leaves line ends as they are. It gives long ones in pieces.
static void on_section(void *user, const xmlChar *bytes, int length) {
  while (length > 0) {
    const xmlChar *end = memchr(bytes, '\r', (size_t)length);
    int plain = end ? (int)(end - bytes) : length;
    on_text(user, bytes, plain);
    // What stands behind the piece, in libxml2's buffer, goes on with the section or ends it.
    if (end && end[1] != '\n') on_text(user, (const xmlChar *)"\n", 1);
    if (end) plain++;
    bytes += plain;
    length -= plain;
  }
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  CXMLParser *parser = ((xmlParserCtxtPtr)user)->_private;
  (void)name, (void)prefix, (void)uri;
  if (parser->failure) return;
  if ((!parser->is_catching_up && !queue_length(&parser->guard.ends)) || !parser->depth) {
    parser_fail(parser, CXML_MALFORMED, "the tags do not stand where they seem to");
    return;
  }
  parser->namespace_count -= parser->namespaces[--parser->depth];
  if (parser->is_catching_up) return;
  events_say_end(&parser->events, queue_pop(&parser->guard.ends) * (uint64_t)parser->scale);
}

static void refuse_entity(CXMLParser *parser, const xmlChar *name) {
  parser_fail(parser, CXML_ENTITY, name ? (const char *)name : "");
}

static xmlEntityPtr on_entity(void *user, const xmlChar *name) {
  refuse_entity(((xmlParserCtxtPtr)user)->_private, name);
  return NULL;
}

static void on_entity_declaration(void *user, const xmlChar *name, int type, const xmlChar *public_id,
                                  const xmlChar *system_id, xmlChar *content) {
  (void)type, (void)public_id, (void)system_id, (void)content;
  refuse_entity(((xmlParserCtxtPtr)user)->_private, name);
}

static void on_unparsed_entity(void *user, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id,
                               const xmlChar *notation) {
  (void)public_id, (void)system_id, (void)notation;
  refuse_entity(((xmlParserCtxtPtr)user)->_private, name);
}

static void on_reference(void *user, const xmlChar *name) {
  refuse_entity(((xmlParserCtxtPtr)user)->_private, name);
}

static void on_attribute_declaration(void *user, const xmlChar *element, const xmlChar *name, int type, int use,
                                     const xmlChar *value, xmlEnumerationPtr allowed) {
  CXMLParser *parser = ((xmlParserCtxtPtr)user)->_private;
  (void)element, (void)name, (void)type, (void)use;
  xmlFreeEnumeration(allowed);
  if (!value) return;
  parser->default_weight += 32 + strlen((const char *)value);
  if (parser->default_weight > DEFAULTS_LIMIT) parser_fail(parser, CXML_LIMIT, "the DTD gives too many default values");
}

static xmlParserInputPtr load_nothing(const char *url, const char *public_id, xmlParserCtxtPtr context) {
  (void)url, (void)public_id, (void)context;
  return NULL;
}

static void set_up(void) {
  xmlInitParser();
  xmlSetExternalEntityLoader(load_nothing);
}

// MARK: Opening and closing

CXMLParser *cxml_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_up);
  CXMLParser *parser = calloc(1, sizeof *parser);
  if (!parser) return NULL;
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = on_start;
  handler.endElementNs = on_end;
  handler.characters = on_text;
  handler.ignorableWhitespace = on_text;
  handler.cdataBlock = on_section;
  handler.getEntity = on_entity;
  handler.getParameterEntity = on_entity;
  handler.entityDecl = on_entity_declaration;
  handler.unparsedEntityDecl = on_unparsed_entity;
  handler.attributeDecl = on_attribute_declaration;
  handler.reference = on_reference;
  handler.warning = stay_silent;
  handler.error = stay_silent;
  handler.fatalError = stay_silent;
  handler.serror = on_error;
  parser->context = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
  if (!parser->context) {
    free(parser);
    return NULL;
  }
  parser->context->_private = parser;
  xmlCtxtUseOptions(parser->context, XML_PARSE_NONET);
  parser->schema_instance =
      xmlDictLookup(parser->context->dict, BAD_CAST "http://www.w3.org/2001/XMLSchema-instance", -1);
  parser->schema_instance_prefix = xmlDictLookup(parser->context->dict, BAD_CAST "xsi", -1);
  parser->width = CXML_BYTES;
  parser->scale = 1;
  // Without it, which takes a lack of memory, everything goes to libxml2.
  parser->plain = plain_open(parser->context->dict);
  return parser;
}

void cxml_use_libxml2_alone(CXMLParser *parser) {
  plain_close(parser->plain);
  parser->plain = NULL;
}

void cxml_ignore_declared_encoding(CXMLParser *parser) {
  parser->checked_encoding = 1;
  if (parser->plain) parser->plain->ignores_encoding = 1;
  xmlCtxtUseOptions(parser->context, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
}

void cxml_close(CXMLParser *parser) {
  if (!parser) return;
  plain_close(parser->plain);
  guard_close(&parser->guard);
  events_close(&parser->events);
  free(parser->pending);
  free(parser->narrow);
  // A document type makes a document, which is the caller's to free.
  xmlDocPtr document = parser->context ? parser->context->myDoc : NULL;
  xmlFreeParserCtxt(parser->context);
  if (document) xmlFreeDoc(document);
  free(parser);
}

// MARK: Encodings

/// Looks at the first four bytes, as appendix F of the XML recommendation does.
static void tell_encoding(CXMLParser *parser) {
  const uint8_t *first = parser->first;
  size_t count = parser->first_count;
  static const uint8_t ebcdic[] = {0x4C, 0x6F, 0xA7, 0x94};
  if (count == 4 && ((!first[0] && !first[1]) || (!first[2] && !first[3]))) {
    parser_fail(parser, CXML_ENCODING, "UTF-32");
  } else if (count == 4 && memcmp(first, ebcdic, 4) == 0) {
    parser_fail(parser, CXML_ENCODING, "EBCDIC");
  } else if (count >= 2 && ((first[0] == 0xFF && first[1] == 0xFE) || (first[0] == '<' && !first[1]))) {
    parser->width = CXML_UTF16_LITTLE;
  } else if (count >= 2 && ((first[0] == 0xFE && first[1] == 0xFF) || (!first[0] && first[1] == '<'))) {
    parser->width = CXML_UTF16_BIG;
  }
  parser->scale = parser->width == CXML_BYTES ? 1 : 2;
  int has_mark = parser->width == CXML_BYTES ? count >= 3 && memcmp(first, "\xEF\xBB\xBF", 3) == 0
                                             : first[0] != '<' && first[1] != '<';
  parser->guard.first = has_mark ? (parser->width == CXML_BYTES ? 3 : 1) : 0;
}

/// Refuses declared encodings in which a byte of markup can be a part of another character.
static void check_declared_encoding(CXMLParser *parser) {
  Guard *guard = &parser->guard;
  if (parser->checked_encoding || !guard->declaration_end) return;
  parser->checked_encoding = 1;
  char head[HEAD_CAPACITY + 1];
  memcpy(head, guard->head, guard->head_count);
  head[guard->head_count] = 0;
  const char *at = strstr(head, "encoding");
  if (!at) return;
  at += strcspn(at, "\"'");
  if (!*at) return;
  char quote = *at++;
  size_t count = 0;
  char name[64];
  while (at[count] && at[count] != quote && count < sizeof name - 1) {
    name[count] = at[count];
    count++;
  }
  name[count] = 0;
  static const char *const prefixes[] = {"utf-8", "utf8",   "us-ascii", "ascii",   "iso-8859", "iso8859", "iso_8859",
                                         "latin", "l1",     "windows-", "cp12",    "cp8",      "koi8",    "macintosh",
                                         "euc-",  "tis-620"};
  static const char *const sixteen[] = {"utf-16", "utf16", "iso-10646-ucs-2", "ucs-2"};
  for (size_t index = 0; index < sizeof prefixes / sizeof *prefixes; index++) {
    if (strncasecmp(name, prefixes[index], strlen(prefixes[index])) == 0) return;
  }
  if (parser->width != CXML_BYTES) {
    for (size_t index = 0; index < sizeof sixteen / sizeof *sixteen; index++) {
      if (strncasecmp(name, sixteen[index], strlen(sixteen[index])) == 0) return;
    }
  }
  parser->failure_line = parser->failure_column = 1;
  parser_fail(parser, CXML_ENCODING, name);
}

/// Scans UTF-16 by turning every character that is no ASCII into one byte above it.
static void scan_wide(CXMLParser *parser, const uint8_t *bytes, size_t count, uint64_t *first_safe) {
  size_t needed = count / 2 + 1;
  if (parser->narrow_capacity < needed) {
    uint8_t *narrow = realloc(parser->narrow, needed);
    if (!narrow) {
      parser->guard.no_memory = 1;
      return;
    }
    parser->narrow = narrow;
    parser->narrow_capacity = needed;
  }
  size_t characters = 0;
  for (size_t index = 0; index < count; index++) {
    if (!parser->has_half) {
      parser->half = bytes[index];
      parser->has_half = 1;
      continue;
    }
    uint8_t low = parser->width == CXML_UTF16_LITTLE ? parser->half : bytes[index];
    uint8_t high = parser->width == CXML_UTF16_LITTLE ? bytes[index] : parser->half;
    parser->narrow[characters++] = high || low >= 0x80 ? 0x80 : low;
    parser->has_half = 0;
  }
  guard_scan(&parser->guard, parser->narrow, characters, first_safe);
}

// MARK: Feeding

int parser_is_refused(CXMLParser *parser) {
  if (parser->events.no_memory || parser->guard.no_memory) {
    parser_fail(parser, CXML_NO_MEMORY, "memory is short");
    return 1;
  }
  return parser->failure != CXML_NO_FAILURE;
}

/// Gives bytes to libxml2, in pieces that an int can count.
static void push(CXMLParser *parser, const uint8_t *bytes, size_t count) {
  while (count && !parser_is_refused(parser)) {
    size_t piece = count < 1 << 20 ? count : 1 << 20;
    xmlParseChunk(parser->context, (const char *)bytes, (int)piece, 0);
    if (!parser->failure && !parser->context->wellFormed) parser_fail(parser, CXML_MALFORMED, "it is not well-formed");
    bytes += piece;
    count -= piece;
    parser->taken += piece;
  }
}

int parser_hold(CXMLParser *parser, const uint8_t *bytes, size_t count) {
  if (!count) return 1;
  size_t needed = parser->pending_count + count;
  if (parser->pending_capacity < needed) {
    size_t capacity = parser->pending_capacity ? parser->pending_capacity : 4096;
    while (capacity < needed) capacity *= 2;
    uint8_t *pending = realloc(parser->pending, capacity);
    if (!pending) {
      parser_fail(parser, CXML_NO_MEMORY, "memory is short");
      return 0;
    }
    parser->pending = pending;
    parser->pending_capacity = capacity;
  }
  memcpy(parser->pending + parser->pending_count, bytes, count);
  parser->pending_count = needed;
  return 1;
}

/// Where a long run of text may be cut: not within a character, a reference, a line end or the end of a CDATA section.
static size_t cut(const CXMLParser *parser) {
  const uint8_t *pending = parser->pending;
  size_t end = parser->pending_count;
  if (parser->width != CXML_BYTES) {
    size_t low = parser->width == CXML_UTF16_LITTLE ? 0 : 1;
    end &= ~(size_t)1;
    while (end > REFERENCE_LIMIT) {
      uint8_t high = pending[end - 1 - low], byte = pending[end - 2 + low];
      int is_half = (high & 0xFC) == 0xD8 || (!high && (byte == ']' || byte == '\r'));
      if (!is_half) break;
      end -= 2;
    }
    return end;
  }
  for (size_t back = 1; back <= REFERENCE_LIMIT; back++) {
    uint8_t byte = pending[parser->pending_count - back];
    if (byte == ';') break;
    if (byte == '&' || byte == ']' || byte == '\r') end = parser->pending_count - back;
  }
  for (size_t back = 0; back < 4 && pending[end - 1] >= 0x80; back++) {
    if (pending[--end] >= 0xC0) break;
  }
  return end;
}

/// Lets a long run of text go before its end has been seen.
///
/// libxml2 takes an unfinished CDATA section in steps of 300 bytes and looks for its end from the start each time, so it
/// gets several short sections instead of a long one.
static void push_held_text(CXMLParser *parser) {
  if (parser->pending_count < HELD_TEXT) return;
  GuardState state = parser->guard.state;
  if (state != IN_TEXT && state != IN_CDATA) return;
  size_t end = cut(parser);
  push(parser, parser->pending, end);
  parser->pending_count -= end;
  memmove(parser->pending, parser->pending + end, parser->pending_count);
  if (state == IN_CDATA) {
    static const char joint[] = "]]><![CDATA[";
    uint8_t bytes[2 * sizeof joint] = {0};
    size_t scale = (size_t)parser->scale, high = parser->width == CXML_UTF16_BIG ? 1 : 0;
    for (size_t index = 0; index < sizeof joint - 1; index++) bytes[index * scale + high] = (uint8_t)joint[index];
    size_t count = (sizeof joint - 1) * scale;
    push(parser, bytes, count);
    parser->taken -= count;
  }
}

int guarded_feed(CXMLParser *parser, const uint8_t *bytes, size_t count) {
  if (parser->failure || !count) return parser->failure;
  if (!parser->is_open) {
    for (size_t index = 0; index < count && parser->first_count < 4; index++) {
      parser->first[parser->first_count++] = bytes[index];
    }
    if (parser->first_count < 4) return parser_hold(parser, bytes, count) ? 0 : parser->failure;
    parser->is_open = 1;
    tell_encoding(parser);
    if (parser->failure) return parser->failure;
    if (parser->pending_count) {
      uint8_t head[4];
      size_t head_count = parser->pending_count;
      memcpy(head, parser->pending, head_count);
      parser->pending_count = 0;
      if (guarded_feed(parser, head, head_count)) return parser->failure;
    }
  }
  uint64_t scale = (uint64_t)parser->scale;
  uint64_t begin = parser->fed;
  uint64_t first_safe = parser->guard.safe;
  if (scale == 1) {
    guard_scan(&parser->guard, bytes, count, &first_safe);
  } else {
    scan_wide(parser, bytes, count, &first_safe);
  }
  parser->fed += count;
  if (parser_is_refused(parser)) return parser->failure;
  check_declared_encoding(parser);
  if (parser->failure) return parser->failure;
  uint64_t safe = parser->guard.safe * scale;
  size_t used = 0;
  if (safe > begin) {
    if (parser->pending_count) {
      used = (size_t)(first_safe * scale - begin);
      if (!parser_hold(parser, bytes, used)) return parser->failure;
      push(parser, parser->pending, parser->pending_count);
      parser->pending_count = 0;
    }
    size_t more = (size_t)(safe - begin) - used;
    push(parser, bytes + used, more);
    used += more;
  }
  if (parser->guard.has_early_text && !parser->failure) {
    parser_fail(parser, CXML_MALFORMED, "text stands before the first element");
  }
  if (parser->guard.limit && !parser->failure) parser_fail(parser, CXML_LIMIT, parser->guard.limit);
  if (parser_is_refused(parser)) return parser->failure;
  if (!parser_hold(parser, bytes + used, count - used)) return parser->failure;
  push_held_text(parser);
  parser_is_refused(parser);
  return parser->failure;
}

int guarded_finish(CXMLParser *parser) {
  if (parser->failure) return parser->failure;
  if (!parser->is_open) tell_encoding(parser);
  if (parser->failure) return parser->failure;
  push(parser, parser->pending, parser->pending_count);
  parser->pending_count = 0;
  if (parser->failure) return parser->failure;
  parser->is_ending = 1;
  if (parser->has_half) parser_fail(parser, CXML_MALFORMED, "the last character is cut off");
  xmlParseChunk(parser->context, NULL, 0, 1);
  if (parser_is_refused(parser)) return parser->failure;
  if (!parser->context->wellFormed) {
    parser_fail(parser, CXML_MALFORMED, "it is not well-formed");
  } else if (parser->depth || parser->guard.state != IN_TEXT || queue_length(&parser->guard.starts) ||
             queue_length(&parser->guard.ends)) {
    parser_fail(parser, CXML_MALFORMED, "the tags do not stand where they seem to");
  }
  return parser->failure;
}

// MARK: Looking

const CXMLEvent *cxml_events(const CXMLParser *parser, size_t *count) {
  *count = parser->events.count;
  return parser->events.events;
}

const uint8_t *cxml_text(const CXMLParser *parser, size_t *count) {
  *count = parser->events.text_count;
  return parser->events.text;
}

void cxml_forget(CXMLParser *parser) { parser->events.count = parser->events.text_count = 0; }

uint64_t cxml_taken(const CXMLParser *parser) { return parser->taken; }

size_t cxml_declaration(const CXMLParser *parser, uint64_t *start) {
  const Plain *plain = parser->plain;
  const uint64_t begin = plain ? plain->declaration_start : parser->guard.declaration_start;
  const uint64_t end = plain ? plain->declaration_end : parser->guard.declaration_end;
  *start = begin * (uint64_t)parser->scale;
  return (size_t)(end - begin) * (size_t)parser->scale;
}

int cxml_uses_libxml2(const CXMLParser *parser) { return !parser->plain; }

int cxml_width(const CXMLParser *parser) { return parser->width; }

const uint8_t *cxml_name(const CXMLParser *parser, uint32_t name, size_t *count) {
  *count = parser->events.names[name].count;
  return parser->events.names[name].bytes;
}

const char *cxml_namespace(const CXMLParser *parser, uint32_t name) {
  return (const char *)parser->events.names[name].uri;
}

const char *cxml_prefix(const CXMLParser *parser, uint32_t name) {
  return (const char *)parser->events.names[name].prefix;
}

uint32_t cxml_name_count(const CXMLParser *parser) { return parser->events.name_count; }

int cxml_failure(const CXMLParser *parser) { return parser->failure; }
size_t cxml_failure_line(const CXMLParser *parser) { return parser->failure_line; }
size_t cxml_failure_column(const CXMLParser *parser) { return parser->failure_column; }
const char *cxml_failure_message(const CXMLParser *parser) { return parser->message; }

size_t cxml_count_lines(const uint8_t *bytes, size_t count, int width, size_t *column) {
  size_t lines = 0;
  const uint8_t *end = bytes + count, *line = NULL;
  if (width == CXML_BYTES) {
    for (const uint8_t *at = bytes; (at = memchr(at, '\n', (size_t)(end - at))); line = ++at) lines++;
    for (const uint8_t *at = bytes; (at = memchr(at, '\r', (size_t)(end - at)));) {
      at++;
      if (at < end && *at == '\n') continue;
      lines++;
      if (!line || at > line) line = at;
    }
    // Characters are counted by all bytes but those that go on with one, as in UTF-8.
    size_t characters = 0;
    for (const uint8_t *at = line ? line : bytes; at < end; at++) characters += (int8_t)*at >= -64;
    *column = (line ? 1 : *column) + characters;
    return lines;
  }
  size_t low = width == CXML_UTF16_LITTLE ? 0 : 1;
  for (size_t at = 0; at + 2 <= count; at += 2) {
    uint8_t byte = bytes[at + 1 - low] ? 0x80 : bytes[at + low];
    int is_half = at + 4 <= count && !bytes[at + 3 - low] && bytes[at + 2 + low] == '\n';
    if (byte == '\n' || (byte == '\r' && !is_half)) {
      lines++;
      *column = 1;
    } else if ((bytes[at + 1 - low] & 0xFC) != 0xDC) {
      ++*column;
    }
  }
  return lines;
}
