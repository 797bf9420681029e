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

/// Whether a delimiter, a quote, LF or CR stands among `count` bytes; reads nothing past the last one.
static inline int cbytescan_has_special(const uint8_t *bytes, size_t count, uint8_t delimiter, uint8_t quote) {
#if defined(__SSE2__)
  const __m128i delimiters = _mm_set1_epi8((char)delimiter);
  const __m128i quotes = _mm_set1_epi8((char)quote);
  const __m128i lineFeeds = _mm_set1_epi8('\n');
  const __m128i returns = _mm_set1_epi8('\r');
  __m128i lane;
  size_t index = 0;
  if (count >= 16) {
    for (;;) {
      lane = _mm_loadu_si128((const __m128i *)(const void *)(bytes + index));
      const __m128i hits = _mm_or_si128(
          _mm_or_si128(_mm_cmpeq_epi8(lane, delimiters), _mm_cmpeq_epi8(lane, quotes)),
          _mm_or_si128(_mm_cmpeq_epi8(lane, lineFeeds), _mm_cmpeq_epi8(lane, returns)));
      if (_mm_movemask_epi8(hits) != 0) return 1;
      index += 16;
      if (index == count) return 0;
      // The last lane overlaps the one before it.
      if (index + 16 > count) index = count - 16;
    }
  }
  // Two loads that overlap make one lane of fewer bytes.
  if (count >= 8) {
    lane = _mm_unpacklo_epi64(
        _mm_loadl_epi64((const __m128i *)(const void *)bytes),
        _mm_loadl_epi64((const __m128i *)(const void *)(bytes + count - 8)));
  } else if (count >= 4) {
    int32_t first, last;
    __builtin_memcpy(&first, bytes, 4);
    __builtin_memcpy(&last, bytes + count - 4, 4);
    lane = _mm_set_epi32(last, first, last, first);
  } else {
    if (count == 0) return 0;
    for (; index < count; index++) {
      const uint8_t byte = bytes[index];
      if (byte == delimiter || byte == quote || byte == '\n' || byte == '\r') return 1;
    }
    return 0;
  }
  const __m128i hits = _mm_or_si128(
      _mm_or_si128(_mm_cmpeq_epi8(lane, delimiters), _mm_cmpeq_epi8(lane, quotes)),
      _mm_or_si128(_mm_cmpeq_epi8(lane, lineFeeds), _mm_cmpeq_epi8(lane, returns)));
  return _mm_movemask_epi8(hits) != 0;
#else
  for (size_t index = 0; index < count; index++) {
    const uint8_t byte = bytes[index];
    if (byte == delimiter || byte == quote || byte == '\n' || byte == '\r') return 1;
  }
  return 0;
#endif
}
