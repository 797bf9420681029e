/// What a character becomes when its case, its diacritics, or both do not count.
#pragma once
#include <stdint.h>

/// Leave out differences of case.
#define CTEXTFOLDING_CASE 1
/// Leave out diacritics.
#define CTEXTFOLDING_DIACRITICS 2

/// The most characters that one becomes.
#define CTEXTFOLDING_LENGTH 4

/// Folds one Unicode scalar value.
///
/// `options` is a sum of CTEXTFOLDING_… values, not zero. Returns how many scalars were written to `folded`, 0 to
/// CTEXTFOLDING_LENGTH: a combining mark alone becomes nothing when diacritics are left out.
int ctextfolding_fold(uint32_t scalar, int options, uint32_t *folded);
