#pragma once

#include <stddef.h>
#include <stdint.h>

// The C library's character sets behind handles of our own, so that `iconv`'s inout pointers reach no other target.

/// A conversion; address 0 says that the C library does not know one of its names.
typedef struct {
  uintptr_t address;
} ciconv_conversion;

/// How a step ended.
typedef enum {
  /// All of the input was taken.
  CICONV_DONE = 0,
  /// The room is full.
  CICONV_FULL = 1,
  /// The input ends within a character.
  CICONV_INCOMPLETE = 2,
  /// No character begins with the bytes at the end of what was taken.
  CICONV_INVALID = 3,
} ciconv_status;

/// What a step did.
typedef struct {
  ciconv_status status;
  /// How many bytes of the input were taken.
  size_t taken;
  /// How many bytes of the room were filled.
  size_t made;
} ciconv_step;

/// Opens a conversion between two encodings.
ciconv_conversion ciconv_open(const char *_Nonnull to, const char *_Nonnull from);
void ciconv_close(ciconv_conversion conversion);

/// Goes back to the state of the beginning.
void ciconv_reset(ciconv_conversion conversion);

/// Converts as much as there is input and room for. Neither pointer may be null.
ciconv_step ciconv_convert(ciconv_conversion conversion, const uint8_t *_Nonnull input, size_t input_count,
                           uint8_t *_Nonnull room, size_t room_count);

/// Gives what a conversion has held back to see what follows.
ciconv_step ciconv_flush(ciconv_conversion conversion, uint8_t *_Nonnull room, size_t room_count);
