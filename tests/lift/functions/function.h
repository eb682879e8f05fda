// All functions of these tests look alike: two numbers, a buffer of 512 bytes, and a length of at most 64.
#pragma once
#include <stdint.h>

typedef __int128 int128_t;
typedef unsigned __int128 uint128_t;

#define FUNCTION(name) uint64_t name(uint64_t a, uint64_t b, uint8_t* p, uint64_t n)
#define F(name) FUNCTION(name);
#include "functions.def"
#undef F

static inline uint32_t word_at(const uint8_t* p, uint64_t i) {
  return (uint32_t)p[i] | (uint32_t)p[i + 1] << 8 | (uint32_t)p[i + 2] << 16 | (uint32_t)p[i + 3] << 24;
}
