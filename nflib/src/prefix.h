// What both tables of prefixes ask of a prefix.
#ifndef NFLIB_PREFIX_H
#define NFLIB_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

// No prefix has more than 32 bits, or bits set below its length. One test, whatever is wrong.
static inline bool is_prefix(uint32_t prefix, uint8_t length) {
  uint32_t rest = (uint32_t)((uint64_t)prefix << (length & 63));
  return (rest | (uint32_t)(length > 32)) == 0;
}

#endif
