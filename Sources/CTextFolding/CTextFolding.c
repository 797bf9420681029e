#include "CTextFolding.h"

#include <stddef.h>

struct folding {
  uint32_t scalar;
  uint32_t count;
  uint32_t values[CTEXTFOLDING_LENGTH];
};

#include "tables.h"

/// The Unicode Standard, section 3.12: Hangul syllables are decomposed by arithmetic.
enum { hangul_first = 0xAC00, hangul_last = 0xD7A3, trails = 28, vowels_and_trails = 588 };

static int decompose_hangul(uint32_t syllable, uint32_t *folded) {
  uint32_t index = syllable - hangul_first;
  folded[0] = 0x1100 + index / vowels_and_trails;
  folded[1] = 0x1161 + index % vowels_and_trails / trails;
  if (index % trails == 0) return 2;
  folded[2] = 0x11A7 + index % trails;
  return 3;
}

static const struct folding *find(const struct folding *table, size_t count, uint32_t scalar) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (table[middle].scalar < scalar) low = middle + 1;
    else high = middle;
  }
  return low < count && table[low].scalar == scalar ? &table[low] : NULL;
}

#define FIND(table, scalar) find(table, sizeof(table) / sizeof(table[0]), scalar)

static int copy(const struct folding *entry, uint32_t scalar, uint32_t *folded) {
  if (entry == NULL) {
    folded[0] = scalar;
    return 1;
  }
  for (uint32_t index = 0; index < entry->count; index++) folded[index] = entry->values[index];
  return (int)entry->count;
}

static int fold_case(uint32_t scalar, uint32_t *folded) { return copy(FIND(case_foldings, scalar), scalar, folded); }

static int leave_diacritics_out(uint32_t scalar, uint32_t *folded) {
  if (scalar >= hangul_first && scalar <= hangul_last) return decompose_hangul(scalar, folded);
  return copy(FIND(diacritics_foldings, scalar), scalar, folded);
}

typedef int (*step)(uint32_t scalar, uint32_t *folded);

/// Applies a step to each scalar of a short run; what would go past the run's end is left out, which the generator of the
/// tables rules out.
static int apply(step step, uint32_t *run, int count) {
  uint32_t result[CTEXTFOLDING_LENGTH * CTEXTFOLDING_LENGTH];
  int length = 0;
  for (int index = 0; index < count; index++) length += step(run[index], result + length);
  if (length > CTEXTFOLDING_LENGTH) length = CTEXTFOLDING_LENGTH;
  for (int index = 0; index < length; index++) run[index] = result[index];
  return length;
}

int ctextfolding_fold(uint32_t scalar, int options, uint32_t *folded) {
  int count = 1;
  folded[0] = scalar;
  if (options & CTEXTFOLDING_DIACRITICS) count = apply(leave_diacritics_out, folded, count);
  if (options & CTEXTFOLDING_CASE) {
    count = apply(fold_case, folded, count);
    // Case folding may bring a mark: U+0130 becomes i and a dot above.
    if (options & CTEXTFOLDING_DIACRITICS) count = apply(leave_diacritics_out, folded, count);
  }
  return count;
}
