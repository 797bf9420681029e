#include "CZlib.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

// 15 bits of window; 16 more ask zlib for gzip's header and trailer and nothing else.
#define GZIP_WINDOW (15 + 16)

static uInt clamped(size_t count) { return count > UINT_MAX ? UINT_MAX : (uInt)count; }

static czlib_status status_of(int code) {
  switch (code) {
  case Z_OK:
  case Z_BUF_ERROR: // No progress was possible: the caller brings input or room.
    return CZLIB_MORE;
  case Z_STREAM_END:
    return CZLIB_END;
  case Z_MEM_ERROR:
    return CZLIB_NO_MEMORY;
  default: // A dictionary (Z_NEED_DICT) has no place in gzip either.
    return CZLIB_DAMAGED;
  }
}

czlib_inflater czlib_inflater_make(void) {
  z_stream *stream = calloc(1, sizeof *stream);
  if (stream != NULL && inflateInit2(stream, GZIP_WINDOW) != Z_OK) {
    free(stream);
    stream = NULL;
  }
  return (czlib_inflater){(uintptr_t)stream};
}

void czlib_inflater_free(czlib_inflater inflater) {
  z_stream *stream = (z_stream *)inflater.address;
  if (stream == NULL) return;
  inflateEnd(stream);
  free(stream);
}

int czlib_inflater_reset(czlib_inflater inflater) { return inflateReset((z_stream *)inflater.address) == Z_OK; }

czlib_step czlib_inflate(czlib_inflater inflater, const uint8_t *input, size_t input_count, uint8_t *room,
                         size_t room_count) {
  z_stream *stream = (z_stream *)inflater.address;
  uInt available = clamped(input_count), free_room = clamped(room_count);
  stream->next_in = (Bytef *)input;
  stream->avail_in = available;
  stream->next_out = room;
  stream->avail_out = free_room;
  int code = inflate(stream, Z_NO_FLUSH);
  return (czlib_step){status_of(code), available - stream->avail_in, free_room - stream->avail_out};
}

czlib_deflater czlib_deflater_make(int level) {
  z_stream *stream = calloc(1, sizeof *stream);
  if (stream != NULL && deflateInit2(stream, level, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    free(stream);
    stream = NULL;
  }
  return (czlib_deflater){(uintptr_t)stream};
}

void czlib_deflater_free(czlib_deflater deflater) {
  z_stream *stream = (z_stream *)deflater.address;
  if (stream == NULL) return;
  deflateEnd(stream);
  free(stream);
}

czlib_step czlib_deflate(czlib_deflater deflater, const uint8_t *input, size_t input_count, uint8_t *room,
                         size_t room_count, int is_last) {
  z_stream *stream = (z_stream *)deflater.address;
  uInt available = clamped(input_count), free_room = clamped(room_count);
  stream->next_in = (Bytef *)input;
  stream->avail_in = available;
  stream->next_out = room;
  stream->avail_out = free_room;
  int code = deflate(stream, is_last && available == input_count ? Z_FINISH : Z_NO_FLUSH);
  return (czlib_step){status_of(code), available - stream->avail_in, free_room - stream->avail_out};
}
