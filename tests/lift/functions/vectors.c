// Loops that compilers turn into vector instructions, and a few that name them.
#include <smmintrin.h>

#include "function.h"

#define HALF(p) ((p) + 256)

static inline uint16_t* halfwords(uint8_t* p) {
  return (uint16_t*)(void*)p;
}
static inline uint32_t* words(uint8_t* p) {
  return (uint32_t*)(void*)p;
}
static inline uint64_t* longs(uint8_t* p) {
  return (uint64_t*)(void*)p;
}

FUNCTION(sum_of_bytes) {
  uint64_t sum = a + b + n;
  for (unsigned i = 0; i < 256; ++i) sum += p[i];
  return sum;
}

FUNCTION(sum_of_signed_halfwords) {
  const int16_t* x = (const int16_t*)halfwords(p);
  uint64_t sum = a ^ b;
  for (uint64_t i = 0; i < n; ++i) sum += (uint64_t)x[i];
  return sum;
}

FUNCTION(add_arrays) {
  uint16_t *x = halfwords(p), *y = halfwords(HALF(p));
  uint64_t *u = longs(p), *v = longs(HALF(p));
  for (unsigned i = 0; i < 256; ++i) p[i] = (uint8_t)(p[i] + p[511 - i]);
  for (unsigned i = 0; i < 64; ++i) x[i] = (uint16_t)(x[i] - y[i]);
  for (unsigned i = 0; i < 16; ++i) u[i] += v[i] * 3;
  return a + b + n;
}

FUNCTION(mask_arrays) {
  for (uint64_t i = 0; i < 4 * n; ++i) p[i] = (uint8_t)((p[i] & a) ^ (p[i + 256] | b));
  uint32_t* x = words(p);
  for (uint64_t i = 0; i < n; ++i) x[i] = ~x[i] & (uint32_t)(a >> 32);
  return x[n];
}

FUNCTION(dot_product) {
  const int16_t *x = (const int16_t*)halfwords(p), *y = (const int16_t*)halfwords(HALF(p));
  uint32_t sum = (uint32_t)a;
  for (uint64_t i = 0; i < n; ++i) sum += (uint32_t)(x[i] * y[i]);
  return sum * b;
}

FUNCTION(widening_products) {
  const uint32_t* x = words(p);
  const uint16_t* s = halfwords(p);
  uint64_t sum = a;
  for (uint64_t i = 0; i < n; ++i) sum += (uint64_t)x[i] * x[i + 32];
  uint32_t other = (uint32_t)b;
  for (unsigned i = 0; i < 32; ++i) other += (uint32_t)s[i] * s[i + 32] >> 16;
  uint64_t other_sum = 0;
  for (unsigned i = 0; i < 32; ++i) other_sum += (uint64_t)((int64_t)(int32_t)x[i] * (int32_t)x[i + 5]);
  return sum + other + other_sum;
}

FUNCTION(products_of_words) {
  uint32_t* x = words(p);
  uint16_t* y = halfwords(HALF(p));
  for (uint64_t i = 0; i < n; ++i) x[i] = x[i] * (uint32_t)a + (uint32_t)b;
  for (unsigned i = 0; i < 64; ++i) y[i] = (uint16_t)((uint32_t)y[i] * y[i + 64]);
  for (unsigned i = 0; i < 64; ++i) y[i] = (uint16_t)((int16_t)y[i] * (int16_t)y[i + 64] >> 16);
  return x[0];
}

FUNCTION(distances) {
  uint64_t sum = a + b + n;
  for (unsigned i = 0; i < 256; ++i) {
    int difference = p[i] - p[i + 256];
    sum += (uint64_t)(difference < 0 ? -difference : difference);
  }
  return sum;
}

FUNCTION(averages) {
  uint16_t* x = halfwords(HALF(p));
  for (unsigned i = 0; i < 128; ++i) p[i] = (uint8_t)((p[i] + p[i + 128] + 1) >> 1);
  for (unsigned i = 0; i < 64; ++i) x[i] = (uint16_t)((x[i] + x[i + 64] + 1) >> 1);
  return a ^ b ^ n;
}

#define EXTREME(name, type, operator)                                                \
  static type name(const type* x, unsigned count) {                                  \
    type found = x[0];                                                               \
    for (unsigned i = 1; i < count; ++i) found = x[i] operator found ? x[i] : found; \
    return found;                                                                    \
  }
EXTREME(least_u8, uint8_t, <)
EXTREME(greatest_i8, int8_t, >)
EXTREME(least_u16, uint16_t, <)
EXTREME(greatest_i16, int16_t, >)
EXTREME(greatest_u32, uint32_t, >)
EXTREME(least_i32, int32_t, <)
EXTREME(greatest_i64, int64_t, >)
EXTREME(least_u64, uint64_t, <)

FUNCTION(extremes) {
  uint64_t result = least_u8(p, 64) + (uint64_t)greatest_i8((const int8_t*)p + 64, 64) * 3;
  result += least_u16(halfwords(p), 64) + (uint64_t)greatest_i16((const int16_t*)halfwords(p), 64) * 5;
  result += greatest_u32(words(p), 64) + (uint64_t)least_i32((const int32_t*)words(p), 64) * 7;
  result += least_u64(longs(p), 32) + (uint64_t)greatest_i64((const int64_t*)longs(p), 32) * 9;
  return result + a + b + n;
}

FUNCTION(count_equal) {
  const uint32_t* x = words(p);
  uint64_t count = 0;
  uint32_t others = 0;
  for (unsigned i = 0; i < 256; ++i) count += p[i] == (uint8_t)a;
  for (unsigned i = 0; i < 64; ++i) others += x[i] > (uint32_t)b && (int32_t)x[i] > (int32_t)a;
  return count * 1000 + others + n;
}

FUNCTION(choose_between) {
  int32_t* x = (int32_t*)words(p);
  for (unsigned i = 0; i < 64; ++i) x[i] = x[i] < (int32_t)a ? x[i + 64] : x[i] ^ (int32_t)b;
  for (unsigned i = 0; i < 256; ++i) p[i] = p[i] > 'Z' ? p[i + 200] : p[i];
  return n;
}

FUNCTION(clamp_and_narrow) {
  const int16_t* x = (const int16_t*)halfwords(HALF(p));
  for (unsigned i = 0; i < 128; ++i) p[i] = (uint8_t)(x[i] < 0 ? 0 : x[i] > 255 ? 255 : x[i]);
  const uint32_t* y = words(HALF(p));
  uint16_t* z = halfwords(p);
  for (unsigned i = 0; i < 64; ++i) z[i] = (uint16_t)(y[i] >> 9);
  return a + b + n;
}

FUNCTION(widen_bytes) {
  uint64_t sum = a;
  int64_t* x = (int64_t*)longs(HALF(p));
  for (unsigned i = 0; i < 32; ++i) x[i] = (int8_t)p[i];
  uint32_t* y = words(p);
  for (unsigned i = 0; i < 32; ++i) y[i + 32] = p[i] + (uint32_t)b;
  for (uint64_t i = 0; i < n / 2; ++i) sum += (uint64_t)x[i] * y[i + 32];
  return sum;
}

FUNCTION(shift_arrays) {
  uint32_t* x = words(p);
  uint64_t* y = longs(HALF(p));
  int16_t* z = (int16_t*)halfwords(p);
  for (unsigned i = 0; i < 64; ++i) x[i] = x[i] << (a & 31) | x[i] >> 7;
  for (unsigned i = 0; i < 32; ++i) y[i] = y[i] >> (b & 63) ^ y[i] << 11;
  for (unsigned i = 0; i < 64; ++i) z[i] = (int16_t)(z[i] >> (n & 15));
  return x[n] + y[n / 2 & 31];
}

FUNCTION(absolute_values) {
  int32_t* x = (int32_t*)words(p);
  int16_t* y = (int16_t*)halfwords(HALF(p));
  for (unsigned i = 0; i < 64; ++i) x[i] = x[i] < 0 ? (int32_t)(0u - (uint32_t)x[i]) : x[i];
  for (unsigned i = 0; i < 128; ++i) y[i] = (int16_t)(y[i] < 0 ? -y[i] : y[i]);
  return a + b + n;
}

FUNCTION(swap_words_bytes) {
  uint32_t* x = words(p);
  uint16_t* y = halfwords(HALF(p));
  for (unsigned i = 0; i < 64; ++i) x[i] = __builtin_bswap32(x[i]);
  for (unsigned i = 0; i < 128; ++i) y[i] = __builtin_bswap16(y[i]);
  for (unsigned i = 0; i < 128; ++i) {
    uint8_t byte = p[i];
    p[i] = p[255 - i];
    p[255 - i] = byte;
  }
  return a + b + n;
}

FUNCTION(gather_fields) {
  uint32_t sum = (uint32_t)a, other = (uint32_t)b;
  const uint16_t* x = halfwords(p);
  for (unsigned i = 0; i < 64; ++i) {
    sum += x[4 * i] + x[4 * i + 2];
    other ^= x[4 * i + 1] * 3u;
  }
  for (unsigned i = 0; i < 64; ++i) p[i] = (uint8_t)(p[2 * i] + p[2 * i + 1]);
  return sum * (uint64_t)other + n;
}

FUNCTION(internet_checksum_of_block) {
  const uint16_t* x = halfwords(p);
  uint32_t sum = (uint32_t)(a & 0xffff) + (uint32_t)(b & 0xffff);
  for (unsigned i = 0; i < 128; ++i) sum += x[i];
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum + n;
}

static inline __m128i at(const uint8_t* p, uint64_t i) {
  return _mm_loadu_si128((const __m128i*)(const void*)(p + i));
}
static inline void put(uint8_t* p, __m128i x) {
  _mm_storeu_si128((__m128i*)(void*)p, x);
}

FUNCTION(match_signatures) {
  __m128i wanted = _mm_set1_epi16((short)a);
  uint64_t found = 0;
  for (uint64_t i = 0; i < n; i += 2) {
    __m128i same = _mm_cmpeq_epi16(at(p, 4 * i), wanted);
    found = found * 3 + (uint64_t)_mm_movemask_epi8(same);
  }
  put(p, _mm_blendv_epi8(at(p, 16), at(p, 32), at(p, n)));
  return found + (uint64_t)_mm_testz_si128(at(p, b & 255), wanted);
}

FUNCTION(shuffle_header) {
  const __m128i order = _mm_set_epi8(15, 14, 9, 8, -1, 10, 11, 13, 12, 7, -1, 5, 4, 0, 1, 2);
  __m128i header = _mm_shuffle_epi8(at(p, n), order);
  header = _mm_insert_epi16(header, (int)a, 3);
  header = _mm_alignr_epi8(header, at(p, 64), 5);
  put(p + 128, _mm_unpacklo_epi8(header, at(p, 16)));
  put(p + 144, _mm_shuffle_epi8(at(p, 200), at(p, 300)));
  return (uint64_t)_mm_extract_epi64(header, 1) ^ (uint32_t)_mm_extract_epi32(header, 2) ^ b;
}

FUNCTION(find_in_ranges) {
  const __m128i ranges = _mm_setr_epi8('0', '9', 'A', 'Z', 'a', 'z', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  uint64_t at_letter = 0;
  for (uint64_t i = 0; i < n; i += 16)
    at_letter =
        at_letter * 17 + (uint64_t)_mm_cmpistri(ranges, at(p, i), _SIDD_CMP_RANGES | _SIDD_NEGATIVE_POLARITY);
  return at_letter + a + b;
}
