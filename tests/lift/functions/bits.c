#include "function.h"

FUNCTION(count_bits_one_by_one) {
  (void)p;
  (void)n;
  unsigned count = 0;
  for (uint64_t v = a ^ b; v != 0; v &= v - 1) ++count;
  return count;
}

FUNCTION(count_bits_in_parallel) {
  (void)p;
  (void)n;
  uint32_t v = (uint32_t)(a + b);
  v = v - ((v >> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >> 2) & 0x33333333);
  return (((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24 | (uint64_t)__builtin_popcountll(a) << 32;
}

FUNCTION(reverse_bits) {
  (void)p;
  (void)n;
  uint64_t result = 0;
  for (int i = 0; i < 64; ++i) {
    result = result << 1 | (a & 1);
    a >>= 1;
  }
  return result ^ b;
}

FUNCTION(swap_bytes) {
  uint16_t small = (uint16_t)a;
  small = (uint16_t)(small << 8 | small >> 8);
  uint32_t middle = __builtin_bswap32((uint32_t)b);
  p[n] = (uint8_t)small;
  return __builtin_bswap64(a) ^ ((uint64_t)middle << 16) ^ small;
}

FUNCTION(rotate_left_and_right) {
  (void)p;
  unsigned s = n & 63;
  uint64_t wide = a << s | a >> ((64 - s) & 63);
  uint32_t w = (uint32_t)b;
  unsigned t = n & 31;
  w = w >> t | w << ((32 - t) & 31);
  uint8_t byte = (uint8_t)a;
  byte = (uint8_t)(byte << 3 | byte >> 5);
  return wide + w * 3 + byte;
}

FUNCTION(lowest_and_highest_bit) {
  (void)p;
  (void)n;
  if (a == 0) return b == 0 ? 1000 : (uint64_t)__builtin_clzll(b);
  uint32_t low = (uint32_t)b | 1;
  return (uint64_t)__builtin_ctzll(a) + 100 * (uint64_t)__builtin_clzll(a) +
         10000 * (uint64_t)__builtin_clz(low);
}

FUNCTION(interleave) {
  (void)p;
  (void)n;
  uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= (a >> i & 1) << (2 * i) | (b >> i & 1) << (2 * i + 1);
  return result;
}

FUNCTION(gray_code) {
  (void)p;
  (void)n;
  uint64_t gray = a ^ a >> 1, back = gray;
  for (unsigned s = 1; s < 64; s <<= 1) back ^= back >> s;
  return back == a ? gray ^ b : 0;
}

FUNCTION(set_bits_in_a_map) {
  uint64_t changed = 0;
  for (uint64_t i = 0; i < n; ++i) {
    unsigned bit = word_at(p, 256 + i) & 1023;
    uint8_t mask = (uint8_t)(1u << (bit & 7));
    if (!(p[bit >> 3] & mask)) ++changed;
    if ((a >> (i & 63)) & 1)
      p[bit >> 3] |= mask;
    else
      p[bit >> 3] &= (uint8_t)~mask;
  }
  return changed + b;
}

FUNCTION(next_with_as_many_bits) {
  (void)p;
  (void)n;
  uint64_t v = (a | 1) & 0xffffffff;
  uint64_t lowest = v & -v, ripple = v + lowest;
  return ripple | (((v ^ ripple) >> 2) / lowest) | (b & 1);
}

FUNCTION(round_up_to_a_power) {
  (void)p;
  (void)n;
  uint32_t v = (uint32_t)a - 1;
  v |= v >> 1;
  v |= v >> 2;
  v |= v >> 4;
  v |= v >> 8;
  v |= v >> 16;
  return (uint64_t)(v + 1) + (b >> 60);
}

FUNCTION(parity) {
  uint8_t all = 0;
  for (uint64_t i = 0; i < n; ++i) all ^= p[i];
  all ^= (uint8_t)(all >> 4);
  return (0x6996u >> (all & 15) & 1) ^ (uint64_t)__builtin_parityll(a & b);
}

FUNCTION(sign_and_absolute) {
  (void)p;
  (void)n;
  int64_t x = (int64_t)a;
  int32_t y = (int32_t)b;
  int sign = (x > 0) - (x < 0);
  uint64_t absolute = x < 0 ? -a : a;
  uint32_t other = y < 0 ? 0u - (uint32_t)y : (uint32_t)y;
  return absolute * 3 + other + (uint64_t)(int64_t)sign;
}

FUNCTION(narrow_and_widen) {
  (void)n;
  int8_t x = (int8_t)a;
  int16_t y = (int16_t)b;
  int32_t z = (int32_t)(a >> 7);
  p[0] = (uint8_t)(x + y);
  return (uint64_t)((int64_t)x * y + z) ^ (uint64_t)(uint8_t)y ^ (uint64_t)(uint16_t)z << 40;
}
