// What the tables with linear probing share.
//
// Their loops test for the end last, in a block of its own (do-while). Compilers copy a test at the head of a
// loop to in front of the loop, and then the first round costs something else than the others.
#ifndef NFLIB_LINEAR_PROBING_H
#define NFLIB_LINEAR_PROBING_H

#include <stdbool.h>
#include <stdint.h>

#include "nflib/hash.h"

// Whether an entry in SLOT with TAG is to move into the HOLE, an empty slot in front of it: it is there, and
// the hole is not in front of the entry's home. One comparison, so that the cost is the same whatever the
// answer rests on.
static inline bool nf_moves_into(uint32_t hole, uint32_t slot, uint32_t tag, uint32_t mask) {
  uint32_t from_home = ((slot - tag) & mask) | (tag & NF_TAG_USED);
  uint32_t from_hole = ((slot - hole) & mask) | NF_TAG_USED;
  return from_home >= from_hole;
}

#endif
