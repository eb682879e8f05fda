#include "function.h"

FUNCTION(fnv1a) {
  uint64_t hash = 0xcbf29ce484222325u ^ a;
  for (uint64_t i = 0; i < n; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash + b;
}

#define MIX(x, y, z)                                                                    \
  x -= z, x ^= z << 4 | z >> 28, z += y, y -= x, y ^= x << 6 | x >> 26, x += z, z -= y, \
      z ^= y << 8 | y >> 24, y += x
FUNCTION(jenkins) {
  uint32_t x = (uint32_t)a, y = (uint32_t)b, z = (uint32_t)n;
  while (n >= 12) {
    x += word_at(p, 0), y += word_at(p, 4), z += word_at(p, 8);
    MIX(x, y, z);
    p += 12, n -= 12;
  }
  switch (n) {
    case 11:
      z += (uint32_t)p[10] << 16; /* fall through */
    case 10:
      z += (uint32_t)p[9] << 8; /* fall through */
    case 9:
      z += p[8]; /* fall through */
    case 8:
      y += word_at(p, 4); /* fall through */
    case 4:
      x += word_at(p, 0);
      break;
    case 3:
      x += (uint32_t)p[2] << 16; /* fall through */
    case 2:
      x += (uint32_t)p[1] << 8; /* fall through */
    case 1:
      x += p[0];
      break;
    default:
      x ^= 0xdeadbeef;
  }
  MIX(x, y, z);
  return (uint64_t)y << 32 | z;
}

static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                   0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                   0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
FUNCTION(crc_by_table) {
  uint32_t crc = ~(uint32_t)a;
  for (uint64_t i = 0; i < n; ++i) {
    crc = table[(crc ^ p[i]) & 15] ^ crc >> 4;
    crc = table[(crc ^ p[i] >> 4) & 15] ^ crc >> 4;
  }
  return ~crc + b;
}

FUNCTION(crc_by_bits) {
  uint16_t crc = (uint16_t)a;
  for (uint64_t i = 0; i < n; ++i) {
    crc ^= (uint16_t)(p[i] << 8);
    for (int bit = 0; bit < 8; ++bit) crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
  }
  return crc ^ b;
}

FUNCTION(adler) {
  uint32_t low = 1, high = 0;
  for (uint64_t i = 0; i < n; ++i) {
    low = (low + p[i]) % 65521;
    high = (high + low) % 65521;
  }
  return (high << 16 | low) + a - b;
}

FUNCTION(internet_checksum) {
  uint32_t sum = (uint16_t)a;
  uint64_t i = 0;
  for (; i + 1 < n; i += 2) sum += (uint32_t)(p[i] << 8 | p[i + 1]);
  if (i < n) sum += (uint32_t)p[i] << 8;
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum | b << 16;
}

FUNCTION(murmur_like) {
  uint64_t h = a ^ n;
  for (uint64_t i = 0; i + 8 <= n; i += 8) {
    uint64_t k = word_at(p, i) | (uint64_t)word_at(p, i + 4) << 32;
    k *= 0x87c37b91114253d5u;
    k = k << 31 | k >> 33;
    h = (h ^ k * 0x4cf5ad432745937fu) * 5 + 0x52dce729;
  }
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  return (h ^ h >> 29) + b;
}

FUNCTION(xorshift) {
  uint64_t x = a | 1;
  for (uint64_t i = 0; i < n; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    p[i] = (uint8_t)(x >> 56);
  }
  return x + b;
}

FUNCTION(rolling_hash) {
  uint32_t hash = 0, best = ~0u;
  for (uint64_t i = 0; i < n; ++i) {
    hash = hash * 31 + p[i];
    if (i >= 8) hash -= p[i - 8] * 0x94446f01u;
    if (hash < best) best = hash;
  }
  return best ^ a ^ b;
}
