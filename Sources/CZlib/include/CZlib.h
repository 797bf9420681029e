#pragma once

#include <stddef.h>
#include <stdint.h>

// Gzip streams behind handles of our own, so that zlib's header reaches no other target.

/// A decompressor; address 0 says that there was no memory for it.
typedef struct {
  uintptr_t address;
} czlib_inflater;

/// A compressor; address 0 says that there was no memory for it.
typedef struct {
  uintptr_t address;
} czlib_deflater;

/// How a call ended.
typedef enum {
  /// All is well; more input or more room is needed.
  CZLIB_MORE = 0,
  /// The member (inflate) or the stream (deflate) is complete.
  CZLIB_END = 1,
  /// The input is no gzip data, or its checksum or length is wrong.
  CZLIB_DAMAGED = 2,
  /// There is no memory left.
  CZLIB_NO_MEMORY = 3,
} czlib_status;

/// What a call did.
typedef struct {
  czlib_status status;
  /// How many bytes of the input were taken.
  size_t taken;
  /// How many bytes of the room were filled.
  size_t made;
} czlib_step;

czlib_inflater czlib_inflater_make(void);
void czlib_inflater_free(czlib_inflater inflater);

/// Makes the decompressor ready for the next member; 0 if that fails.
int czlib_inflater_reset(czlib_inflater inflater);

/// Decompresses as much as there is input and room for. Neither pointer may be null.
czlib_step czlib_inflate(czlib_inflater inflater, const uint8_t *_Nonnull input, size_t input_count,
                         uint8_t *_Nonnull room, size_t room_count);

/// Makes a gzip compressor; level 1 to 9. Its header carries no time, so equal input gives equal bytes.
czlib_deflater czlib_deflater_make(int level);
void czlib_deflater_free(czlib_deflater deflater);

/// Compresses; with `is_last`, call until the status is CZLIB_END. Neither pointer may be null.
czlib_step czlib_deflate(czlib_deflater deflater, const uint8_t *_Nonnull input, size_t input_count,
                         uint8_t *_Nonnull room, size_t room_count, int is_last);
