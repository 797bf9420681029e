#pragma once

#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) of bytes that come piece by piece. The processor's own instructions are used where it has them.

/// A digest under way: a plain value, which may be copied.
typedef struct {
  uint32_t state[8];
  uint64_t byteCount;
  uint8_t block[64];
  /// Whether the processor's instructions are left unused.
  int isPortable;
} csha256;

/// A digest of no bytes yet.
csha256 csha256_start(void);

/// The same, by plain arithmetic on every processor; for tests.
csha256 csha256_start_portable(void);

/// Adds bytes.
void csha256_update(csha256 *digest, const uint8_t *bytes, size_t count);

/// Ends the digest and writes its 32 bytes; it must not be used again.
void csha256_finish(csha256 *digest, uint8_t *result);
