// Copies runs of characters: checked, with references and line ends replaced.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "characters.h"

/// A step through bytes, and the text made of them. The text has room for as many bytes as are left, and 16 more.
typedef struct {
  const uint8_t *at, *end;
  uint8_t *to;
} Run;

typedef enum {
  /// What was looked for is at hand.
  FOUND,
  /// The bytes end before that; what is left may go on in more than one way.
  CUT,
  /// There is something that is not plain.
  DOUBTFUL,
} Finding;

/// Copies characters up to one of three bytes, a control character, or a byte that is no ASCII.
static inline __attribute__((always_inline)) void copy_plain(Run *run, uint8_t first, uint8_t second, uint8_t third) {
#if defined(__SSE2__)
  const __m128i firsts = _mm_set1_epi8((char)first), seconds = _mm_set1_epi8((char)second);
  const __m128i thirds = _mm_set1_epi8((char)third), space = _mm_set1_epi8(' ');
  while (run->end - run->at >= 16) {
    const __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)run->at);
    _mm_storeu_si128((__m128i *)(void *)run->to, lane);
    // Compared with signs, what is no ASCII is less than a space too.
    const __m128i hits = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(lane, firsts), _mm_cmpeq_epi8(lane, seconds)),
                                      _mm_or_si128(_mm_cmpeq_epi8(lane, thirds), _mm_cmplt_epi8(lane, space)));
    const int mask = _mm_movemask_epi8(hits);
    if (mask) {
      const int before = __builtin_ctz((unsigned)mask);
      run->at += before;
      run->to += before;
      return;
    }
    run->at += 16;
    run->to += 16;
  }
#endif
  while (run->at < run->end) {
    const uint8_t byte = *run->at;
    if (byte < ' ' || byte >= 0x80 || byte == first || byte == second || byte == third) return;
    *run->to++ = byte;
    run->at++;
  }
}

/// Copies the characters at hand that are no ASCII.
static inline Finding copy_wide(Run *run) {
  do {
    const int length = character_length(run->at, (size_t)(run->end - run->at));
    if (length <= 0) return length ? CUT : DOUBTFUL;
    for (int index = 0; index < length; index++) run->to[index] = run->at[index];
    run->at += length;
    run->to += length;
  } while (run->at < run->end && *run->at >= 0x80);
  return FOUND;
}

/// Copies what the reference at hand stands for; the five entities of XML and characters alone are plain.
Finding copy_reference(Run *run);

/// Goes on behind a byte that `copy_plain` stopped at, and which no caller knows; line ends become `line_end`.
static inline Finding copy_other(Run *run, uint8_t tab, uint8_t line_end) {
  const uint8_t byte = *run->at;
  if (byte >= 0x80) return copy_wide(run);
  if (byte == '\t') {
    *run->to++ = tab;
    run->at++;
    return FOUND;
  }
  if (byte == '\r') {
    if (run->end - run->at < 2) return CUT;
    if (run->at[1] == '\n') run->at++;
  } else if (byte != '\n') {
    return DOUBTFUL;
  }
  *run->to++ = line_end;
  run->at++;
  return FOUND;
}

/// Copies text up to the next '<'. Where it is cut, what has been copied can be said.
static inline Finding copy_text(Run *run) {
  for (;;) {
    copy_plain(run, '<', '&', ']');
    if (run->at == run->end) return CUT;
    const uint8_t byte = *run->at;
    if (byte == '<') return FOUND;
    Finding finding = FOUND;
    if (byte == '&') {
      finding = copy_reference(run);
    } else if (byte == ']') {
      if (run->end - run->at < 3) return CUT;
      if (run->at[1] == ']' && run->at[2] == '>') return DOUBTFUL;
      *run->to++ = byte;
      run->at++;
    } else {
      finding = copy_other(run, '\t', '\n');
    }
    if (finding != FOUND) return finding;
  }
}

/// Copies an attribute's value up to the quote that ends it.
static inline Finding copy_value(Run *run, uint8_t quote) {
  for (;;) {
    copy_plain(run, quote, '&', '<');
    if (run->at == run->end) return CUT;
    const uint8_t byte = *run->at;
    if (byte == quote) return FOUND;
    if (byte == '<') return DOUBTFUL;
    const Finding finding = byte == '&' ? copy_reference(run) : copy_other(run, ' ', ' ');
    if (finding != FOUND) return finding;
  }
}

/// Copies what stands between here and the end of a comment, an instruction or a CDATA section: `--`, `?>`, `]]>`.
static inline Finding copy_until(Run *run, uint8_t last, const char *mark, size_t mark_count) {
  for (;;) {
    copy_plain(run, last, last, last);
    if (run->at == run->end) return CUT;
    if (*run->at == last) {
      if ((size_t)(run->end - run->at) < mark_count) return CUT;
      size_t index = 1;
      while (index < mark_count && run->at[index] == (uint8_t)mark[index]) index++;
      if (index == mark_count) return FOUND;
      *run->to++ = last;
      run->at++;
      continue;
    }
    const Finding finding = copy_other(run, '\t', '\n');
    if (finding != FOUND) return finding;
  }
}
