// The characters of XML 1.0 in UTF-8: which bytes are one, and which of them names may have.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// How many bytes the character at `at`, which is no ASCII, has; 0 if it is none that XML has, -1 if its end is not there.
static inline int character_length(const uint8_t *at, size_t left) {
  uint8_t first = at[0];
  if (first < 0xC2) return 0;
  if (left < 2) return first < 0xF5 ? -1 : 0;
  uint8_t second = at[1];
  if ((second & 0xC0) != 0x80) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) {
    // Neither a longer form than need be nor half of a pair of UTF-16.
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0)) return 0;
    if (left < 3) return -1;
    uint8_t third = at[2];
    if ((third & 0xC0) != 0x80) return 0;
    return first == 0xEF && second == 0xBF && third >= 0xBE ? 0 : 3;
  }
  if (first > 0xF4 || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90)) return 0;
  if (left >= 3 && (at[2] & 0xC0) != 0x80) return 0;
  if (left < 4) return -1;
  return (at[3] & 0xC0) == 0x80 ? 4 : 0;
}

/// Whether XML has a character of that number, as a reference may name it.
static inline int is_character(uint32_t number) {
  if (number < 0x20) return number == '\t' || number == '\n' || number == '\r';
  return number < 0xD800 || (number >= 0xE000 && number <= 0xFFFD) || (number >= 0x10000 && number <= 0x10FFFF);
}

/// Writes a character in UTF-8; returns how many bytes that took.
static inline int write_character(uint8_t *to, uint32_t number) {
  if (number < 0x80) {
    to[0] = (uint8_t)number;
    return 1;
  }
  if (number < 0x800) {
    to[0] = (uint8_t)(0xC0 | number >> 6);
    to[1] = (uint8_t)(0x80 | (number & 0x3F));
    return 2;
  }
  if (number < 0x10000) {
    to[0] = (uint8_t)(0xE0 | number >> 12);
    to[1] = (uint8_t)(0x80 | (number >> 6 & 0x3F));
    to[2] = (uint8_t)(0x80 | (number & 0x3F));
    return 3;
  }
  to[0] = (uint8_t)(0xF0 | number >> 18);
  to[1] = (uint8_t)(0x80 | (number >> 12 & 0x3F));
  to[2] = (uint8_t)(0x80 | (number >> 6 & 0x3F));
  to[3] = (uint8_t)(0x80 | (number & 0x3F));
  return 4;
}

/// Whether the bytes are a name without a colon: an NCName of "Namespaces in XML 1.0".
int is_plain_name(const uint8_t *bytes, size_t count);
