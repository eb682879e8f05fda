// What lpm_direct knows of a trie: how many prefixes are in it, without a call.
#ifndef NFLIB_LPM_TRIE_INSIDE_H
#define NFLIB_LPM_TRIE_INSIDE_H

#include <stdint.h>

struct lpm_trie {
  struct lpm_node* nodes;
  uint32_t capacity;
  uint32_t size;
  uint32_t free_pair;
};

#endif
