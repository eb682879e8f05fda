#include "function.h"

FUNCTION(length_of_string) {
  p[n + (a & 7)] = 0;
  const uint8_t* s = p + (a & 7);
  while (*s) ++s;
  return (uint64_t)(s - p) + b;
}

FUNCTION(compare_strings) {
  uint8_t* q = p + 256;
  for (uint64_t i = 0; i < n; ++i)
    if (i != (a & 63)) q[i] = p[i];
  for (uint64_t i = 0; i < n; ++i)
    if (p[i] != q[i]) return (uint64_t)((int)p[i] - (int)q[i]);
  return b;
}

FUNCTION(find_byte) {
  for (uint64_t i = 0; i < n; ++i)
    if (p[i] == (uint8_t)a || p[i] == (uint8_t)(b >> 3)) return i;
  return ~(uint64_t)0;
}

FUNCTION(find_substring) {
  uint64_t length = (a & 1) + 1;
  for (uint64_t i = 0; i < n; ++i) p[i] &= 3;
  for (uint64_t i = 0; i + length <= n; ++i) {
    uint64_t j = 0;
    while (j < length && p[i + j] == (uint8_t)((b >> (2 * j)) & 3)) ++j;
    if (j == length) return i;
  }
  return n;
}

FUNCTION(copy_backwards) {
  for (uint64_t i = n; i > 0; --i) p[i + (a & 31)] = p[i - 1];
  return b;
}

FUNCTION(reverse_in_place) {
  uint64_t i = 0, j = n;
  while (i + 1 < j) {
    uint8_t t = p[i];
    p[i++] = p[--j];
    p[j] = t;
  }
  return a + b;
}

FUNCTION(to_upper) {
  uint64_t changed = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (p[i] >= 'a' && p[i] <= 'z') {
      p[i] = (uint8_t)(p[i] - 32);
      ++changed;
    }
  }
  return changed * a + b;
}

FUNCTION(parse_decimal) {
  for (uint64_t i = 0; i < n; ++i) p[i] = (uint8_t)('0' + p[i] % 11);
  int negative = a & 1;
  int64_t value = 0;
  for (uint64_t i = 0; i < n && p[i] >= '0' && p[i] <= '9'; ++i)
    value = (int64_t)((uint64_t)value * 10 + (uint64_t)(p[i] - '0'));
  return (uint64_t)(negative ? (int64_t)(0 - (uint64_t)value) : value) ^ b;
}

FUNCTION(print_decimal) {
  (void)n;
  uint8_t *end = p + 40, *s = end;
  uint64_t v = a;
  do {
    *--s = (uint8_t)('0' + v % 10);
    v /= 10;
  } while (v != 0);
  int32_t w = (int32_t)b;
  uint32_t u = w < 0 ? 0u - (uint32_t)w : (uint32_t)w;
  while (u != 0 && s > p) {
    *--s = "0123456789abcdef"[u & 15];
    u >>= 4;
  }
  return (uint64_t)(end - s);
}

FUNCTION(parse_hex) {
  uint64_t value = 0;
  for (uint64_t i = 0; i < n; ++i) {
    uint8_t c = p[i];
    unsigned digit;
    if (c >= '0' && c <= '9')
      digit = c - '0';
    else if (c >= 'a' && c <= 'f')
      digit = c - 'a' + 10u;
    else if (c >= 'A' && c <= 'F')
      digit = c - 'A' + 10u;
    else
      continue;
    value = value << 4 | digit;
  }
  return value ^ a ^ b;
}

FUNCTION(count_words) {
  uint64_t words = 0, lines = 0;
  int inside = 0;
  for (uint64_t i = 0; i < n; ++i) {
    switch (p[i] & 15) {
      case 1:
        ++lines; /* fall through */
      case 0:
      case 2:
      case 9:
        inside = 0;
        break;
      default:
        words += !inside;
        inside = 1;
    }
  }
  return words * 1000 + lines + (a & b);
}

FUNCTION(run_lengths) {
  uint8_t* out = p + 256;
  for (uint64_t i = 0; i < n; ++i) p[i] &= 1;
  for (uint64_t i = 0; i < n;) {
    uint64_t j = i;
    while (j < n && p[j] == p[i]) ++j;
    *out++ = (uint8_t)(j - i);
    *out++ = p[i];
    i = j;
  }
  return (uint64_t)(out - p) + a - b;
}
