#include "runs.h"

#include <string.h>

/// References longer than that are libxml2's.
enum { REFERENCE_LIMIT = 16 };

Finding copy_reference(Run *run) {
  static const struct {
    const char *name;
    uint8_t count, byte;
  } entities[] = {{"lt;", 3, '<'}, {"gt;", 3, '>'}, {"amp;", 4, '&'}, {"apos;", 5, '\''}, {"quot;", 5, '"'}};
  const uint8_t *name = run->at + 1;
  size_t left = (size_t)(run->end - name);
  const uint8_t *semicolon = memchr(name, ';', left < REFERENCE_LIMIT ? left : REFERENCE_LIMIT);
  if (!semicolon) return left < REFERENCE_LIMIT ? CUT : DOUBTFUL;
  size_t count = (size_t)(semicolon + 1 - name);
  if (*name != '#') {
    for (size_t index = 0; index < sizeof entities / sizeof *entities; index++) {
      if (entities[index].count != count || memcmp(entities[index].name, name, count) != 0) continue;
      *run->to++ = entities[index].byte;
      run->at = semicolon + 1;
      return FOUND;
    }
    return DOUBTFUL;
  }
  const uint8_t *digit = name + 1;
  uint32_t base = 10, number = 0;
  if (*digit == 'x') {
    base = 16;
    digit++;
  }
  if (digit == semicolon) return DOUBTFUL;
  for (; digit < semicolon; digit++) {
    uint8_t byte = *digit | 0x20;
    uint32_t value = *digit >= '0' && *digit <= '9' ? (uint32_t)(*digit - '0')
                     : byte >= 'a' && byte <= 'f'   ? (uint32_t)(byte - 'a' + 10)
                                                    : 16;
    if (value >= base) return DOUBTFUL;
    number = number * base + value;
    if (number > 0x10FFFF) return DOUBTFUL;
  }
  if (!is_character(number)) return DOUBTFUL;
  run->to += write_character(run->to, number);
  run->at = semicolon + 1;
  return FOUND;
}
