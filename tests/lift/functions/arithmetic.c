#include "function.h"

FUNCTION(greatest_common_divisor) {
  (void)p;
  (void)n;
  while (b != 0) {
    uint64_t t = a % b;
    a = b;
    b = t;
  }
  return a;
}

FUNCTION(divide_by_constants) {
  (void)p;
  (void)n;
  uint32_t x = (uint32_t)a;
  int32_t y = (int32_t)b;
  return a / 10 + a % 7 + x / 3 + x % 1000 + (uint64_t)(int64_t)(y / 5 + y % 8) +
         (uint64_t)((int64_t)b / 641);
}

FUNCTION(divide_signed) {
  (void)p;
  int32_t x = (int32_t)a, y = (int32_t)b;
  if (y == 0 || y == -1) y = (int32_t)n + 1;
  int64_t u = (int64_t)a, v = (int64_t)b;
  if (v == 0 || v == -1) v = 3;
  int16_t s = (int16_t)a, t = (int16_t)(b | 2);
  if (t == -1) t = 5;
  return (uint64_t)(x / y) + (uint64_t)(x % y) * 3 + (uint64_t)(u / v) + (uint64_t)(u % v) +
         (uint64_t)(s / t + s % t);
}

FUNCTION(remainders_of_bytes) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; ++i) {
    uint8_t by = (uint8_t)(p[i + 1] | 1);
    sum = sum * 3 + p[i] % by + (uint8_t)(p[i] / by);
  }
  return sum + a * b;
}

FUNCTION(power_modulo) {
  (void)p;
  uint64_t modulus = (uint32_t)b | 1, result = 1, base = a % modulus;
  for (uint64_t e = n; e != 0; e >>= 1) {
    if (e & 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

FUNCTION(multiply_128) {
  (void)p;
  uint128_t product = (uint128_t)a * b;
  int128_t other = (int128_t)(int64_t)a * (int64_t)(b + n);
  return (uint64_t)(product >> 64) ^ (uint64_t)product ^ (uint64_t)(other >> 64);
}

FUNCTION(divide_128) {
  (void)p;
  uint64_t divisor = b | 1;
  uint64_t high = n % divisor;
  uint64_t quotient, rest;
  __asm__("divq %4" : "=a"(quotient), "=d"(rest) : "a"(a), "d"(high), "r"(divisor) : "cc");
  return quotient ^ rest;
}

FUNCTION(add_with_carry) {
  (void)p;
  uint128_t x = (uint128_t)a << 64 | b, y = (uint128_t)b << 64 | n;
  uint128_t sum = x + y, difference = x - y * 3;
  return (uint64_t)(sum >> 64) + (uint64_t)sum + (uint64_t)(difference >> 64) + (x < y);
}

FUNCTION(square_root) {
  (void)p;
  (void)n;
  uint32_t v = (uint32_t)(a ^ b), root = 0;
  for (uint32_t bit = 1u << 30; bit != 0; bit >>= 2) {
    if (v >= root + bit) {
      v -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return root;
}

FUNCTION(is_prime) {
  (void)p;
  uint32_t v = (uint32_t)(a + n) & 0xffff;
  if (v < 2) return b;
  for (uint32_t d = 2; d * d <= v; ++d)
    if (v % d == 0) return d;
  return 0;
}

FUNCTION(fibonacci) {
  if (n == 0) return a;
  if (n > 12) return fibonacci(a, b, p, n & 7);
  return n == 1 ? b : fibonacci(a, b, p, n - 1) + fibonacci(a, b, p, n - 2);
}

FUNCTION(saturating) {
  (void)p;
  (void)n;
  uint32_t x = (uint32_t)a, y = (uint32_t)b, sum = x + y;
  if (sum < x) sum = ~0u;
  int16_t s = (int16_t)a, t = (int16_t)b;
  int wide = s + t;
  if (wide > 32767) wide = 32767;
  if (wide < -32768) wide = -32768;
  uint8_t difference = (uint8_t)a > (uint8_t)b ? (uint8_t)((uint8_t)a - (uint8_t)b) : 0;
  return (uint64_t)sum << 24 ^ (uint64_t)wide ^ difference;
}

FUNCTION(average_and_clamp) {
  (void)p;
  int64_t average = (int64_t)((a & b) + ((a ^ b) >> 1));
  int64_t low = -(int64_t)n * 1000, high = (int64_t)n * 1000;
  return (uint64_t)(average < low ? low : average > high ? high : average);
}

FUNCTION(signed_overflow) {
  (void)p;
  (void)n;
  int64_t sum, difference, product;
  int32_t small;
  int flags = __builtin_add_overflow((int64_t)a, (int64_t)b, &sum);
  flags = flags * 2 + __builtin_sub_overflow((int64_t)a, (int64_t)b, &difference);
  flags = flags * 2 + __builtin_mul_overflow((int64_t)a, (int64_t)b, &product);
  flags = flags * 2 + __builtin_add_overflow((int32_t)a, (int32_t)b, &small);
  unsigned u;
  flags = flags * 2 + __builtin_sub_overflow((uint32_t)a, (uint32_t)b, &u);
  return (uint64_t)sum ^ (uint64_t)difference ^ (uint64_t)product ^ (uint64_t)small ^ u ^
         (uint64_t)flags << 7;
}

FUNCTION(shift_of_128) {
  (void)p;
  uint128_t x = (uint128_t)a << 64 | b;
  int128_t y = (int128_t)x;
  unsigned s = (unsigned)n & 127;
  x = x << s ^ x >> (127 - s);
  y >>= s;
  return (uint64_t)(x >> 64) ^ (uint64_t)x ^ (uint64_t)(y >> 64) ^ (uint64_t)y;
}
