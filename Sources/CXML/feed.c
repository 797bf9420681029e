// Who gets the bytes: our own parser as long as the document is plain, then the guard and libxml2.
#include <stdlib.h>
#include <string.h>

#include "parser.h"

// MARK: Handing over

/// Tells libxml2 something; 0 when it has refused it.
static int tell(CXMLParser *parser, const void *bytes, size_t count) {
  if (count) xmlParseChunk(parser->context, bytes, (int)count, 0);
  return !parser->failure && parser->context->wellFormed;
}

/// Tells libxml2 the tags of the elements that are open, so that it stands where our own parser stopped.
static int tell_elements(CXMLParser *parser, const Plain *plain) {
  for (uint32_t depth = 0; depth < plain->depth; depth++) {
    const OpenElement *element = &plain->open[depth];
    const Spelling *spelling = &plain->spellings.items[element->spelling];
    // Whoever ends another element is told where this one began.
    parser->context->input->line = (int)element->line;
    int is_told = element->tag_count ? tell(parser, plain->tags + element->tag_start, element->tag_count)
                                     : tell(parser, "<", 1) && tell(parser, spelling->bytes, spelling->count) &&
                                           tell(parser, ">", 1);
    if (!is_told) return 0;
  }
  return 1;
}

/// Lets libxml2 go on from the last event.
///
/// Before the root's end it gets what stands around that place in the document: the declaration and the tags of the
/// elements that are open; behind the root, a root. Its count of lines goes on where our own parser's is.
static void hand_over(CXMLParser *parser) {
  Plain *plain = parser->plain;
  parser->plain = NULL;
  if (plain->state != IN_PROLOG && !parser->failure) {
    Guard *guard = &parser->guard;
    parser->is_open = 1;
    parser->fed = guard->position = guard->safe = parser->taken;
    guard->first = plain->mark_count;
    guard->has_element = 1;
    guard->declaration_start = plain->declaration_start;
    guard->declaration_end = plain->declaration_end;
    guard->state = plain->state == IN_LONG_CDATA ? IN_CDATA : IN_TEXT;
    parser->checked_encoding = 1;
    parser->is_catching_up = 1;
    int is_told = tell(parser, plain->head, plain->head_count);
    // A declaration may stand only where nothing does yet.
    if (!plain->declaration_end) is_told = is_told && tell(parser, "<!---->", 7);
    is_told = is_told && (plain->state == BEHIND_ROOT ? tell(parser, "<r></r>", 7) : tell_elements(parser, plain));
    if (is_told && plain->state == IN_LONG_CDATA) is_told = tell(parser, "<![CDATA[", 9);
    parser->is_catching_up = 0;
    if (!is_told || parser->depth != plain->depth) {
      parser_fail(parser, CXML_MALFORMED, "what is open cannot be opened again");
    } else {
      parser->context->input->line = (int)plain->line;
      parser->context->input->col = (int)plain->column;
    }
  }
  plain_close(plain);
}

/// Gives what is held back, and what follows it, to libxml2.
static int go_on(CXMLParser *parser, const uint8_t *bytes, size_t count) {
  hand_over(parser);
  uint8_t *held = parser->pending;
  size_t held_count = parser->pending_count;
  parser->pending = NULL;
  parser->pending_count = parser->pending_capacity = 0;
  int failure = parser->failure ? parser->failure : guarded_feed(parser, held, held_count);
  free(held);
  return failure || !count ? failure : guarded_feed(parser, bytes, count);
}

// MARK: Plain documents

static PlainEnd read(CXMLParser *parser, const uint8_t *bytes, size_t count, size_t *used) {
  PlainEnd end = plain_read(parser->plain, &parser->events, bytes, count, parser->taken, used);
  parser->taken += *used;
  return end;
}

/// Whether what is held may be complete now that so many bytes have been added to it.
///
/// A long piece is looked at again each time that it has grown by a quarter, since it is looked at from its start.
static int is_worth_trying(const CXMLParser *parser, size_t added) {
  const size_t count = parser->pending_count;
  if (count >= HELD_TEXT) return count >= parser->tried + parser->tried / 4;
  return memchr(parser->pending + count - added, '>', added) != NULL;
}

/// Reads what is held back together with the bytes behind it; returns how many of those have been dealt with, and makes
/// `*end` what the parser found.
static size_t read_held(CXMLParser *parser, const uint8_t *bytes, size_t count, PlainEnd *end) {
  size_t copied = 0;
  *end = PLAIN_WANTS_MORE;
  while (parser->pending_count && copied < count && !parser->failure) {
    size_t more = parser->pending_count > 256 ? parser->pending_count : 256;
    if (more > count - copied) more = count - copied;
    if (!parser_hold(parser, bytes + copied, more)) return copied;
    copied += more;
    if (!is_worth_trying(parser, more)) continue;
    size_t used;
    *end = read(parser, parser->pending, parser->pending_count, &used);
    const size_t left = parser->pending_count - used;
    if (used && left <= copied) {
      // What is left stands in the bytes as well.
      parser->pending_count = parser->tried = 0;
      return copied - left;
    }
    memmove(parser->pending, parser->pending + used, left);
    parser->pending_count = parser->tried = left;
    if (*end == PLAIN_DOUBTS) return copied;
    if (left > CXML_TAG_LIMIT) *end = PLAIN_DOUBTS;
    if (*end == PLAIN_DOUBTS) return copied;
  }
  return copied;
}

int cxml_feed(CXMLParser *parser, const uint8_t *bytes, size_t count) {
  if (!parser->plain) return guarded_feed(parser, bytes, count);
  if (parser->failure || !count) return parser->failure;
  PlainEnd end;
  size_t position = read_held(parser, bytes, count, &end);
  if (end == PLAIN_WANTS_MORE && position < count && !parser_is_refused(parser)) {
    size_t used;
    end = read(parser, bytes + position, count - position, &used);
    position += used;
  }
  if (parser_is_refused(parser)) return parser->failure;
  if (end == PLAIN_WANTS_MORE && count - position > CXML_TAG_LIMIT) end = PLAIN_DOUBTS;
  if (end == PLAIN_DOUBTS) return go_on(parser, bytes + position, count - position);
  if (position == count) return 0;
  parser->tried = count - position;
  return parser_hold(parser, bytes + position, count - position) ? 0 : parser->failure;
}

int cxml_finish(CXMLParser *parser) {
  if (parser->failure || !parser->plain) return guarded_finish(parser);
  size_t used = 0;
  if (parser->pending_count) read(parser, parser->pending, parser->pending_count, &used);
  if (parser_is_refused(parser)) return parser->failure;
  parser->pending_count -= used;
  if (parser->plain->state == BEHIND_ROOT && !parser->pending_count) return 0;
  if (used) memmove(parser->pending, parser->pending + used, parser->pending_count);
  return go_on(parser, NULL, 0) ? parser->failure : guarded_finish(parser);
}
