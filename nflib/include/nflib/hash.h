// The hash functions of nflib's tables, open to programs that search keys that collide (traffic generators,
// tests). A table stores the tag of a key; the key's home, the slot where the search for it begins, is the
// tag's low bits. A tag is never 0: that marks an empty slot.
//
// Needs a processor with SSE4.2, whatever the caller is compiled for. Also for C++.
// Tested by: tests/nflib.
#ifndef NFLIB_HASH_H
#define NFLIB_HASH_H

#include <stdint.h>

#include "nflib/key.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NF_TAG_USED UINT32_C(0x80000000)

// CRC32C of the 16 bytes, begun with SEED. It is linear: the hashes of two keys with the same seed differ by
// the hash of the keys' difference with seed 0, so keys of equal hash are found by solving linear equations.
__attribute__((target("sse4.2"))) static inline uint32_t nf_key_hash(const struct nf_key* key,
                                                                     uint32_t seed) {
  return (uint32_t)__builtin_ia32_crc32di(__builtin_ia32_crc32di(seed, key->words[0]), key->words[1]);
}

// The tag of a key in a hash map created with SEED.
__attribute__((target("sse4.2"))) static inline uint32_t nf_hash_map_tag(const struct nf_key* key,
                                                                         uint32_t seed) {
  return nf_key_hash(key, seed) | NF_TAG_USED;
}

// The tag of the MAC address in the low 48 bits of MAC, in a MAC table whose key is KEY. Every step is one to
// one on 64 bits: who knows the key can go back from a tag to addresses.
static inline uint32_t nf_mac_table_tag(uint64_t mac, uint64_t key) {
  uint64_t mixed = mac * (key | 1);
  mixed ^= mixed >> 32;
  mixed *= UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(mixed >> 32) | NF_TAG_USED;
}

// The key that a MAC table takes after KEY: the next of the series that splitmix64 makes (G. Steele and
// others, "Fast splittable pseudorandom number generators", 2014).
static inline uint64_t nf_mac_table_next_key(uint64_t key) {
  uint64_t mixed = key + UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
  return mixed ^ (mixed >> 31);
}

// The home of TAG in a table of SLOTS slots, a power of two: CAPACITY in a hash map, twice CAPACITY in a MAC
// table.
static inline uint32_t nf_home(uint32_t tag, uint32_t slots) {
  return tag & (slots - 1);
}

#ifdef __cplusplus
}
#endif

#endif
