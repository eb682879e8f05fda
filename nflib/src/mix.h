// A mixing function for what needs no secret: every bit of the result depends on every bit of the input.
#ifndef NFLIB_MIX_H
#define NFLIB_MIX_H

#include <stdint.h>

// A bijection: the output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
static inline uint64_t nf_mix(uint64_t bits) {
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return bits ^ bits >> 31;
}

#endif
