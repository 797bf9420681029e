// Finding bytes in blocks of 64. Everything is `static inline`, so that the loops that call it keep it in registers.
//
// With SSE2 (every x86-64) a block takes a few dozen instructions; other processors take the portable loop, which
// compilers turn into their own vector instructions where they can.

#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Where three kinds of bytes stand in a block of 64; bit n is byte n.
typedef struct {
  uint64_t delimiter;
  uint64_t quote;
  /// LF and CR.
  uint64_t lineEnd;
} CByteScanMasks;

/// Marks one byte's places in the 64 bytes at `bytes`.
static inline uint64_t cbytescan_mask64(const uint8_t *bytes, uint8_t wanted) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  const __m128i pattern = _mm_set1_epi8((char)wanted);
  for (int part = 0; part < 4; part++) {
    const __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * part));
    mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lane, pattern)) << (16 * part);
  }
#else
  for (int index = 0; index < 64; index++) mask |= (uint64_t)(bytes[index] == wanted) << index;
#endif
  return mask;
}

/// Marks delimiters, quotes and line ends in the 64 bytes at `bytes`.
static inline CByteScanMasks cbytescan_masks64(const uint8_t *bytes, uint8_t delimiter, uint8_t quote) {
  CByteScanMasks masks = {0, 0, 0};
#if defined(__SSE2__)
  const __m128i delimiters = _mm_set1_epi8((char)delimiter);
  const __m128i quotes = _mm_set1_epi8((char)quote);
  const __m128i lineFeeds = _mm_set1_epi8('\n');
  const __m128i returns = _mm_set1_epi8('\r');
  for (int part = 0; part < 4; part++) {
    const __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * part));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(lane, lineFeeds), _mm_cmpeq_epi8(lane, returns));
    masks.delimiter |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lane, delimiters)) << (16 * part);
    masks.quote |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lane, quotes)) << (16 * part);
    masks.lineEnd |= (uint64_t)(uint32_t)_mm_movemask_epi8(ends) << (16 * part);
  }
#else
  for (int index = 0; index < 64; index++) {
    const uint8_t byte = bytes[index];
    masks.delimiter |= (uint64_t)(byte == delimiter) << index;
    masks.quote |= (uint64_t)(byte == quote) << index;
    masks.lineEnd |= (uint64_t)(byte == '\n' || byte == '\r') << index;
  }
#endif
  return masks;
}

/// The offset of the first delimiter, quote, LF or CR in `count` bytes; `count` if there is none.
///
/// Reads nothing past the last byte.
static inline size_t cbytescan_first_special(const uint8_t *bytes, size_t count, uint8_t delimiter, uint8_t quote) {
  size_t index = 0;
#if defined(__SSE2__)
  const __m128i delimiters = _mm_set1_epi8((char)delimiter);
  const __m128i quotes = _mm_set1_epi8((char)quote);
  const __m128i lineFeeds = _mm_set1_epi8('\n');
  const __m128i returns = _mm_set1_epi8('\r');
  for (; index + 16 <= count; index += 16) {
    const __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)(bytes + index));
    const __m128i hits = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(lane, delimiters), _mm_cmpeq_epi8(lane, quotes)),
        _mm_or_si128(_mm_cmpeq_epi8(lane, lineFeeds), _mm_cmpeq_epi8(lane, returns)));
    const int mask = _mm_movemask_epi8(hits);
    if (mask != 0) return index + (size_t)__builtin_ctz((unsigned)mask);
  }
#endif
  for (; index < count; index++) {
    const uint8_t byte = bytes[index];
    if (byte == delimiter || byte == quote || byte == '\n' || byte == '\r') return index;
  }
  return count;
}
