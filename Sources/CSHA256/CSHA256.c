#include "CSHA256.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

static uint32_t word_at(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void compress_portably(uint32_t *state, const uint8_t *bytes, size_t block_count) {
  uint32_t words[64];
  for (; block_count > 0; block_count--, bytes += 64) {
    for (int index = 0; index < 16; index++) words[index] = word_at(bytes + 4 * index);
#pragma clang loop unroll_count(16)
    for (int index = 16; index < 64; index++) {
      const uint32_t early = words[index - 15], late = words[index - 2];
      words[index] = words[index - 16] + words[index - 7]
        + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) + (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    // After eight rounds each variable is where it was, so nothing needs to be moved.
#pragma clang loop unroll_count(8)
    for (int index = 0; index < 64; index++) {
      const uint32_t first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (g ^ (e & (f ^ g)))
        + constants[index] + words[index];
      const uint32_t second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) | (c & (a | b)));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)

static int has_instructions(void) {
  // Asked once; two threads that ask at the same time write the same answer.
  static int known = -1;
  const int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer >= 0) return answer;
  unsigned a = 0, b = 0, c = 0, d = 0;
  int found = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) && (c & bit_SSE4_1)) {
    found = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
  }
  __atomic_store_n(&known, found, __ATOMIC_RELAXED);
  return found;
}

// The instructions hold the state as two registers, ABEF and CDGH, and take two rounds at a time.
__attribute__((target("sha,sse4.1,ssse3"))) static void compress_by_instructions(
  uint32_t *state, const uint8_t *bytes, size_t block_count
) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)state);
  const __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; block_count > 0; block_count--, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
    for (int index = 0; index < 4; index++) {
      words[index] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * index)), swap);
    }
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      const __m128i present = words[group & 3];
      __m128i sum = _mm_add_epi32(
        present, _mm_loadu_si128((const __m128i *)(const void *)(constants + 4 * group)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      if (group < 12) {
        // The words four groups on take the place of the present ones.
        const __m128i third = words[(group + 2) & 3], last = words[(group + 3) & 3];
        __m128i next = _mm_sha256msg1_epu32(present, words[(group + 1) & 3]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(last, third, 4));
        words[group & 3] = _mm_sha256msg2_epu32(next, last);
      }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

static void compress(csha256 *digest, const uint8_t *bytes, size_t block_count) {
#if defined(__x86_64__)
  if (!digest->isPortable) {
    compress_by_instructions(digest->state, bytes, block_count);
    return;
  }
#endif
  compress_portably(digest->state, bytes, block_count);
}

csha256 csha256_start_portable(void) {
  csha256 digest = {
    .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
    .isPortable = 1,
  };
  return digest;
}

csha256 csha256_start(void) {
  csha256 digest = csha256_start_portable();
#if defined(__x86_64__)
  digest.isPortable = !has_instructions();
#endif
  return digest;
}

void csha256_update(csha256 *digest, const uint8_t *bytes, size_t count) {
  const size_t held = digest->byteCount % 64;
  digest->byteCount += count;
  if (held > 0) {
    const size_t taken = count < 64 - held ? count : 64 - held;
    memcpy(digest->block + held, bytes, taken);
    bytes += taken, count -= taken;
    if (held + taken < 64) return;
    compress(digest, digest->block, 1);
  }
  if (count >= 64) compress(digest, bytes, count / 64);
  if (count % 64 > 0) memcpy(digest->block, bytes + count / 64 * 64, count % 64);
}

void csha256_finish(csha256 *digest, uint8_t *result) {
  const uint64_t bit_count = digest->byteCount * 8;
  uint8_t padding[72] = {0x80};
  const size_t held = digest->byteCount % 64;
  // One bit, zeros, and the length in the last eight bytes of a block.
  const size_t zeros = (held < 56 ? 56 : 120) - held;
  for (int index = 0; index < 8; index++) padding[zeros + (size_t)index] = (uint8_t)(bit_count >> (56 - 8 * index));
  csha256_update(digest, padding, zeros + 8);
  for (int index = 0; index < 32; index++) result[index] = (uint8_t)(digest->state[index / 4] >> (24 - 8 * (index % 4)));
}
