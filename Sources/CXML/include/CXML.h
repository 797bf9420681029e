// A streaming XML parser with a small face: bytes go in chunk by chunk, events come out in one array a chunk.
//
// Behind it stands a parser of our own for plain documents (plain.h). Where one is not plain, or not well-formed, libxml2's
// SAX2 push parser goes on: it alone decides what is wrong. Before it stands a guard over the raw bytes, which bounds what
// libxml2 gets to see and says where every tag stands in the input. libxml2's headers stay inside.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct CXMLParser CXMLParser;

/// What an event says.
enum {
  /// A start tag. Its attributes follow at once. `offset`: its '<'; `tag_count`: its bytes.
  CXML_START = 0,
  /// An attribute of the start tag before it, its value in `text`. `offset`: where the value stands.
  CXML_ATTRIBUTE = 1,
  /// Characters; a run may come in several events when it spans chunks, comments or CDATA sections.
  CXML_TEXT = 2,
  /// An end tag. `offset`: the byte after its '>'. The text is white space that stands before it, behind another tag.
  CXML_END = 3,
  /// A whole element without attributes and child elements: a start, at most one text, an end. `offset` and `tag_count`
  /// are its start tag's; `element_count` has the bytes of it all.
  CXML_LEAF = 4,
};

/// What an event has besides.
enum {
  /// The text is nothing but white space.
  CXML_BLANK = 1,
  /// The attribute is of the namespace of XML Schema instances (`xsi:nil`).
  CXML_SCHEMA_INSTANCE = 2,
  /// The attribute is of the namespace `xml` (`xml:space`).
  CXML_XML_NAMESPACE = 4,
  /// Of a start tag or a leaf, from this bit on: how many bytes of white space stand before it, and before its `text`.
  CXML_BEFORE_SHIFT = 3,
  /// Longer white space is a text of its own.
  CXML_BEFORE_LIMIT = (1 << 13) - 1,
};

/// One event; slices are of `cxml_text`.
typedef struct {
  uint16_t kind;
  uint16_t flags;
  /// Of a name in its namespace, from 0 in the order of appearance; see `cxml_name`. An end tag has none.
  uint32_t name;
  uint32_t text;
  uint32_t text_count;
  /// In the input, from 0.
  uint64_t offset;
  uint32_t tag_count;
  uint32_t element_count;
} CXMLEvent;

/// Why a document is refused.
enum {
  CXML_NO_FAILURE = 0,
  /// It is not well-formed; `cxml_failure_message` has libxml2's words.
  CXML_MALFORMED = 1,
  /// It declares or uses entities; `cxml_failure_message` has the name.
  CXML_ENTITY = 2,
  /// It passes one of the limits below; `cxml_failure_message` says which.
  CXML_LIMIT = 3,
  /// Its encoding is not supported; `cxml_failure_message` has its name.
  CXML_ENCODING = 4,
  CXML_NO_MEMORY = 5,
  /// It has bytes that are not UTF-8, which it says it is in, if anything.
  CXML_NOT_UTF8 = 6,
};

/// Limits; past one, the document is refused.
enum {
  CXML_DEPTH_LIMIT = 256,
  CXML_ATTRIBUTE_LIMIT = 1000,
  CXML_TAG_LIMIT = 1 << 20,
  CXML_COMMENT_LIMIT = 1 << 20,
  CXML_NAME_LIMIT = 50000,
  CXML_DISTINCT_NAME_LIMIT = 1 << 16,
};

/// How the input's characters are made of bytes, as far as finding a line end goes.
enum {
  CXML_BYTES = 1,
  CXML_UTF16_LITTLE = 2,
  CXML_UTF16_BIG = 3,
};

/// A parser, or NULL when memory is short.
CXMLParser *cxml_open(void);
/// Lets the input be UTF-8 whatever its declaration says, since somebody else knows better; before the first byte.
void cxml_ignore_declared_encoding(CXMLParser *parser);
/// Leaves even plain documents to libxml2, against which our own parser is tested; before the first byte.
void cxml_use_libxml2_alone(CXMLParser *parser);
/// Whether libxml2 reads the document, or what is left of it.
int cxml_uses_libxml2(const CXMLParser *parser);
void cxml_close(CXMLParser *parser);

/// Takes the next bytes and adds the events that they complete. Returns a failure's kind; after one, no more is taken.
int cxml_feed(CXMLParser *parser, const uint8_t *bytes, size_t count);
/// Says that the input has ended. Returns a failure's kind.
int cxml_finish(CXMLParser *parser);

/// The events gathered since `cxml_forget`, and their text.
const CXMLEvent *cxml_events(const CXMLParser *parser, size_t *count);
const uint8_t *cxml_text(const CXMLParser *parser, size_t *count);
/// Forgets the events and their text.
void cxml_forget(CXMLParser *parser);

/// How many bytes of the input have become events; all later events stand at or behind it.
uint64_t cxml_taken(const CXMLParser *parser);
/// The bytes of the XML declaration, from `*start` on; 0 without one.
size_t cxml_declaration(const CXMLParser *parser, uint64_t *start);
/// How characters are made of bytes.
int cxml_width(const CXMLParser *parser);

/// The UTF-8 of a name, without its prefix.
const uint8_t *cxml_name(const CXMLParser *parser, uint32_t name, size_t *count);
uint32_t cxml_name_count(const CXMLParser *parser);
/// The namespace of a name, and the prefix that it was first seen with; NULL for none.
const char *cxml_namespace(const CXMLParser *parser, uint32_t name);
const char *cxml_prefix(const CXMLParser *parser, uint32_t name);

/// The failure: its place and a few words in ASCII or UTF-8, ended by NUL. Line and column count from 1.
int cxml_failure(const CXMLParser *parser);
size_t cxml_failure_line(const CXMLParser *parser);
size_t cxml_failure_column(const CXMLParser *parser);
const char *cxml_failure_message(const CXMLParser *parser);

/// How many line ends (LF, CRLF, CR) stand in the bytes. A CR at their very end counts.
/// `*column`, the column of the first byte, becomes that of the byte behind the last.
size_t cxml_count_lines(const uint8_t *bytes, size_t count, int width, size_t *column);
