// The mark of an outcome after which nothing is left to do but to return. Its `nop` is an instruction that no
// other way passes, even if the compiler lets all ways return by the same code: see "What to know" in
// perfpact.h.
#ifndef NFLIB_COST_STRUCTURE_H
#define NFLIB_COST_STRUCTURE_H

#include "perfpact.h"

#define NF_OUTCOME_ONLY(name)             \
  do {                                    \
    PERFPACT_OUTCOME(name);               \
    __asm__ __volatile__("nop # " #name); \
  } while (0)

// Hides the value of VARIABLE from the compiler. At the end of a loop whose condition it is, this keeps the
// compiler from testing at the head instead: there it copies the test to in front of the loop, and then no
// round costs something else than some rounds.
#define NF_OPAQUE(variable) __asm__("" : "+r"(variable))

#endif
