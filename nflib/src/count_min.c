#include "nflib/count_min.h"

#include <stdlib.h>

#include "mix.h"
#include "perfpact.h"

// Key and seed are mixed once; each row multiplies the result by an odd number of its own and takes the upper
// bits ("multiply-shift", Dietzfelbinger et al., J. Algorithms 1997).
struct count_min {
  uint64_t seed;
  uint32_t depth;
  uint32_t width_bits;
  uint64_t multipliers[16];
  uint64_t counters[];  // row after row
};

struct count_min* count_min_create(uint32_t depth, uint32_t width, uint64_t seed) {
  if (depth == 0 || depth > 16 || width == 0 || width > UINT32_C(1) << 28 || (width & (width - 1)) != 0) {
    return NULL;
  }
  struct count_min* sketch = calloc(1, sizeof *sketch + (size_t)depth * width * sizeof sketch->counters[0]);
  if (sketch == NULL) return NULL;
  sketch->seed = nf_mix(seed);
  sketch->depth = depth;
  sketch->width_bits = (uint32_t)__builtin_ctz(width);
  for (uint32_t row = 0; row < depth; row++) sketch->multipliers[row] = nf_mix(sketch->seed + row) | 1;
  return sketch;
}

void count_min_destroy(struct count_min* sketch) {
  free(sketch);
}

static inline uint64_t mixed(const struct count_min* sketch, const struct nf_key* key) {
  return nf_mix(nf_mix(key->words[0] ^ sketch->seed) + key->words[1]);
}

// Where the counter is. A width of 1 takes no bits: so two shifts, none of them by 64.
static inline size_t place(const struct count_min* sketch, uint32_t row, uint64_t bits) {
  uint64_t column = bits * sketch->multipliers[row] >> 1 >> (63 - sketch->width_bits);
  return ((size_t)row << sketch->width_bits) + column;
}

// All bits set if LEFT is below RIGHT. Arithmetic stands for choices, so that each row costs the same; the
// empty instruction hides it from the compiler, which would see the choice and branch.
static inline uint64_t below(uint64_t left, uint64_t right) {
  uint64_t mask = -(uint64_t)(left < right);
  __asm__("" : "+r"(mask));
  return mask;
}

static inline uint64_t smaller(uint64_t left, uint64_t right) {
  return right ^ ((left ^ right) & below(left, right));
}

PERFPACT_METHOD(count_min_add)
uint64_t count_min_add(struct count_min* sketch, const struct nf_key* key, uint64_t amount) {
  PERFPACT_OUTCOME(ok);
  uint64_t bits = mixed(sketch, key);
  uint64_t least = UINT64_MAX;
  uint32_t row = 0;
  do {
    PERFPACT_PCV(d);
    uint64_t* counter = &sketch->counters[place(sketch, row, bits)];
    uint64_t sum = *counter + amount;
    sum |= below(sum, amount);
    *counter = sum;
    least = smaller(sum, least);
  } while (++row < sketch->depth);
  return least;
}

PERFPACT_METHOD(count_min_estimate)
uint64_t count_min_estimate(const struct count_min* sketch, const struct nf_key* key) {
  PERFPACT_OUTCOME(ok);
  uint64_t bits = mixed(sketch, key);
  uint64_t least = UINT64_MAX;
  uint32_t row = 0;
  do {
    PERFPACT_PCV(d);
    least = smaller(sketch->counters[place(sketch, row, bits)], least);
  } while (++row < sketch->depth);
  return least;
}
