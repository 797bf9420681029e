// What a parser is made of; shared by the parts that feed it.
#pragma once

#include <libxml/parser.h>
#include <stddef.h>
#include <stdint.h>

#include "CXML.h"
#include "events.h"
#include "guard.h"
#include "plain.h"

enum {
  /// Text is held back until its end is seen, or until there is so much of it.
  HELD_TEXT = 16384,
  /// The longest reference that is kept in one piece.
  REFERENCE_LIMIT = 256,
  /// What the default values of attributes may weigh together; a tag of a few bytes brings them all in.
  DEFAULTS_LIMIT = 1024,
  MESSAGE_CAPACITY = 200,
};

struct CXMLParser {
  xmlParserCtxtPtr context;
  /// Our own parser, as long as the document is plain; NULL behind that.
  Plain *plain;
  /// How much was held when it last tried in vain.
  size_t tried;
  /// Whether libxml2 is being told what it has not seen, of which nothing is to be said.
  int is_catching_up;
  Guard guard;
  Events events;
  /// Input that the guard has seen and libxml2 has not.
  uint8_t *pending;
  size_t pending_count, pending_capacity;
  /// How many bytes libxml2 has been given; the guard's offsets times `scale`.
  uint64_t taken, fed;
  /// The first bytes, until there are enough to tell the encoding.
  uint8_t first[4];
  size_t first_count;
  int is_open;
  int width, scale;
  /// In UTF-16, the half of a character that ended a chunk, and the characters of a chunk as bytes.
  int has_half;
  uint8_t half;
  uint8_t *narrow;
  size_t narrow_capacity;
  const xmlChar *schema_instance, *schema_instance_prefix;
  size_t depth, namespace_count;
  uint16_t namespaces[CXML_DEPTH_LIMIT + 2];
  size_t default_weight;
  int checked_encoding, is_ending;
  int failure;
  size_t failure_line, failure_column;
  char message[MESSAGE_CAPACITY];
};

/// Refuses the document, if it is not refused already.
void parser_fail(CXMLParser *parser, int kind, const char *message);
/// Whether the document is refused, which it is when memory is short.
int parser_is_refused(CXMLParser *parser);
/// Keeps bytes for later; 0 when memory is short.
int parser_hold(CXMLParser *parser, const uint8_t *bytes, size_t count);

/// Takes bytes by way of the guard and libxml2.
int guarded_feed(CXMLParser *parser, const uint8_t *bytes, size_t count);
int guarded_finish(CXMLParser *parser);
