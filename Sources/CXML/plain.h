// Our own parser of plain XML, which most is: UTF-8, no document type, no entities but the five of XML itself.
//
// It makes the very events that libxml2 and the guard make, several times as fast, and checks all that XML demands of
// such a document. It never refuses one. Where it finds anything that it does not know, or that is not well-formed, it stops
// at the last piece of markup before that, and libxml2 goes on from there: what is wrong, and in which words, is said by
// libxml2 alone.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "events.h"
#include "spellings.h"

typedef enum {
  /// Nothing has become events yet: the root's start tag has not been seen whole.
  IN_PROLOG,
  IN_CONTENT,
  IN_LONG_CDATA,
  BEHIND_ROOT,
} PlainState;

typedef enum {
  /// What is left is the beginning of something, and goes with what comes next.
  PLAIN_WANTS_MORE,
  PLAIN_DOUBTS,
} PlainEnd;

/// An element that is open.
typedef struct {
  uint32_t spelling;
  /// How many namespaces its tag declares. If any, the tag is kept.
  uint32_t bindings;
  size_t tag_start, tag_count;
  /// Where its tag stands, and on which line, once that is known.
  uint64_t place;
  size_t line;
} OpenElement;

/// An attribute of the tag at hand.
typedef struct {
  uint32_t spelling;
  uint32_t count;
  const uint8_t *place;
} PlainAttribute;

typedef struct {
  PlainState state;
  /// Whether the document's encoding is known, whatever it says of itself.
  int ignores_encoding;
  uint64_t mark_count;
  uint64_t declaration_start, declaration_end;
  uint8_t head[256 + 3];
  size_t head_count;
  Spellings spellings;
  OpenElement open[CXML_DEPTH_LIMIT];
  uint32_t depth;
  /// The start tags that declare namespaces, of the elements that are open.
  uint8_t *tags;
  size_t tag_count, tag_capacity;
  /// The start tag before, and how many bindings there are.
  uint32_t last;
  PlainAttribute attributes[CXML_ATTRIBUTE_LIMIT];
  uint32_t attribute_count, declaration_count;
  /// By a name's number, the last tag that has an attribute of that name.
  uint32_t *marks;
  uint32_t mark_capacity, mark;
  /// Where the events end, as libxml2 counts: lines by their LF, columns by characters.
  size_t line, column;
} Plain;

/// A parser that has read nothing, or NULL when memory is short.
Plain *plain_open(struct _xmlDict *dictionary);
void plain_close(Plain *plain);

/// Makes events of bytes that stand at `base` in the input; `*used` becomes how many of them.
PlainEnd plain_read(Plain *plain, Events *events, const uint8_t *bytes, size_t count, uint64_t base, size_t *used);

/// How much text is let go before its end has been seen.
enum { PLAIN_HELD_TEXT = 16384 };
