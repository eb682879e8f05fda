#include "nflib/token_bucket.h"

#include <stdlib.h>

#include "perfpact.h"

// A level counts billionths of a byte, so that what comes in in some nanoseconds is their number times the
// rate, without a rest. Nothing overflows: a burst is below 2^62 of them, and a bucket that is not seen for
// longer than it takes to fill gets what comes in that time, less than a burst and a nanosecond's more, below
// 2^62 + 2^40.
enum { UNITS_A_BYTE = 1000000000 };

struct bucket {
  uint64_t level;
  uint64_t newest_ns;  // the newest time seen
};

struct token_buckets {
  uint32_t count;
  uint64_t rate;
  uint64_t burst;    // in units
  uint64_t fill_ns;  // in this time an empty bucket is full
  struct bucket buckets[];
};

struct token_buckets* token_buckets_create(uint32_t count, uint64_t rate, uint64_t burst) {
  if (count == 0 || rate == 0 || rate > UINT64_C(1000000000000)) return NULL;
  if (burst == 0 || burst > UINT32_MAX) return NULL;
  struct token_buckets* buckets = malloc(sizeof *buckets + count * sizeof buckets->buckets[0]);
  if (buckets == NULL) return NULL;
  buckets->count = count;
  buckets->rate = rate;
  buckets->burst = burst * UNITS_A_BYTE;
  buckets->fill_ns = (buckets->burst + rate - 1) / rate;
  for (uint32_t i = 0; i < count; i++) buckets->buckets[i] = (struct bucket){.level = buckets->burst};
  return buckets;
}

void token_buckets_destroy(struct token_buckets* buckets) {
  free(buckets);
}

static inline uint64_t smaller(uint64_t left, uint64_t right) {
  return left < right ? left : right;
}

PERFPACT_METHOD(token_buckets_take)
bool token_buckets_take(struct token_buckets* buckets, uint32_t bucket, uint32_t bytes, uint64_t now_ns) {
  if (bucket >= buckets->count) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  struct bucket* taken = &buckets->buckets[bucket];
  uint64_t newest_ns = now_ns > taken->newest_ns ? now_ns : taken->newest_ns;
  uint64_t passed_ns = smaller(newest_ns - taken->newest_ns, buckets->fill_ns);
  uint64_t level = smaller(taken->level + passed_ns * buckets->rate, buckets->burst);
  uint64_t wanted = (uint64_t)bytes * UNITS_A_BYTE;
  taken->newest_ns = newest_ns;
  if (level < wanted) {
    PERFPACT_OUTCOME(exceeds);
    taken->level = level;
    return false;
  }
  PERFPACT_OUTCOME(conforms);
  taken->level = level - wanted;
  return true;
}
