#include "CIconv.h"

#include <errno.h>
#include <iconv.h>

static iconv_t handle_of(ciconv_conversion conversion) { return (iconv_t)conversion.address; }

ciconv_conversion ciconv_open(const char *to, const char *from) {
  iconv_t handle = iconv_open(to, from);
  return (ciconv_conversion){handle == (iconv_t)-1 ? 0 : (uintptr_t)handle};
}

void ciconv_close(ciconv_conversion conversion) {
  if (conversion.address != 0) iconv_close(handle_of(conversion));
}

void ciconv_reset(ciconv_conversion conversion) { iconv(handle_of(conversion), NULL, NULL, NULL, NULL); }

static ciconv_status status_of(size_t result) {
  if (result != (size_t)-1) return CICONV_DONE;
  switch (errno) {
  case E2BIG:
    return CICONV_FULL;
  case EINVAL:
    return CICONV_INCOMPLETE;
  default:
    return CICONV_INVALID;
  }
}

ciconv_step ciconv_convert(ciconv_conversion conversion, const uint8_t *input, size_t input_count, uint8_t *room,
                           size_t room_count) {
  char *in = (char *)input, *out = (char *)room;
  size_t in_left = input_count, out_left = room_count;
  size_t result = iconv(handle_of(conversion), &in, &in_left, &out, &out_left);
  return (ciconv_step){status_of(result), input_count - in_left, room_count - out_left};
}

ciconv_step ciconv_flush(ciconv_conversion conversion, uint8_t *room, size_t room_count) {
  char *out = (char *)room;
  size_t out_left = room_count;
  size_t result = iconv(handle_of(conversion), NULL, NULL, &out, &out_left);
  return (ciconv_step){status_of(result), 0, room_count - out_left};
}
