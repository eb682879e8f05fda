#include "costs_driver.h"
#include "nflib/count_min.h"
#include "nflib/lpm_direct.h"
#include "nflib/lpm_trie.h"
#include "nflib/maglev.h"
#include "nflib/token_bucket.h"

enum { PREFIXES = 24 };

// Few bits that differ, so that prefixes meet; now and then no prefix.
static uint32_t random_prefix(uint32_t bits, uint8_t shortest, uint8_t* length) {
  *length = (uint8_t)(shortest + random_below(33 - shortest));
  uint32_t prefix = random_below(UINT32_MAX) & bits;
  if (random_below(20) == 0) {
    *length = (uint8_t)(33 + random_below(200));
  } else if (random_below(20) != 0) {
    prefix &= *length == 0 ? 0 : UINT32_MAX << (32 - *length);
  }
  return prefix;
}

// What was added lately, to be removed.
static struct {
  uint32_t prefix;
  uint8_t length;
} recent[16];

static void drive_lpm_trie(void) {
  const uint32_t bits = 0xc0034083;
  struct lpm_trie* trie = lpm_trie_create(PREFIXES);
  for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
    uint8_t length, covering_length;
    uint32_t value;
    uint32_t prefix = random_prefix(bits, 0, &length);
    uint32_t choice = random_below(8);
    uint32_t last = random_below(16);
    lpm_trie_remove(trie, recent[last].prefix, recent[last].length);
    if (choice < (round / 100 % 2 == 0 ? 6 : 2))
      lpm_trie_add(trie, recent[last].prefix = prefix, recent[last].length = length, round);
    else if (choice < 6)
      lpm_trie_remove(trie, prefix, length);
    else if (choice == 6)
      lpm_trie_cover(trie, prefix, length, &covering_length, &value);
    lpm_trie_lookup(trie, random_below(UINT32_MAX) & bits, &value);
    if (round % 16 == 0) lpm_trie_remove(trie, 0, 0);
  }
  lpm_trie_destroy(trie);
}

static void drive_lpm_direct(void) {
  const uint32_t bits = 0x000187c3;
  struct lpm_direct* table = lpm_direct_create(PREFIXES, 6);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint8_t length;
    uint32_t value;
    uint32_t prefix = random_prefix(bits, 18, &length);
    uint32_t last = random_below(16);
    if (random_below(2) == 0) lpm_direct_remove(table, recent[last].prefix, recent[last].length);
    if (random_below(6) < (round / 100 % 2 == 0 ? 5 : 2))
      lpm_direct_add(table, recent[last].prefix = prefix, recent[last].length = length, round);
    else
      lpm_direct_remove(table, prefix, length);
    lpm_direct_lookup(table, random_below(UINT32_MAX) & bits, &value);
  }
  lpm_direct_destroy(table);
}

static void drive_maglev(void) {
  static const uint32_t slots[] = {307, 401, 503};
  for (int size = 0; size < 3; size++) {
    struct maglev* table = maglev_create(3, slots[size]);
    for (uint32_t round = 0; round < 40; round++) {
      uint32_t backend;
      maglev_lookup(table, (uint64_t)random_below(UINT32_MAX) << random_below(33), &backend);
      maglev_is_alive(table, random_below(4));
      if (round % 2 == 0) maglev_set_alive(table, random_below(4), random_below(5) < 2);
    }
    maglev_destroy(table);
  }
  struct maglev* single = maglev_create(1, 101);
  maglev_set_alive(single, 0, true);
  maglev_set_alive(single, 0, false);
  maglev_destroy(single);
}

static void drive_token_buckets(void) {
  struct token_buckets* buckets = token_buckets_create(3, 1000000, 1500);
  uint64_t now = 0;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    now += random_below(1000000);
    uint64_t jump = round % 50 == 0 ? UINT64_C(5000000000) : 0;
    token_buckets_take(buckets, random_below(4), random_below(1600), round % 20 == 0 ? now / 2 : now + jump);
  }
  token_buckets_destroy(buckets);
}

static void drive_count_min(void) {
  for (uint32_t depth = 1; depth <= 16; depth++) {
    struct count_min* sketch = count_min_create(depth, depth == 3 ? 1 : 64, 7);
    for (uint32_t round = 0; round < 10; round++) {
      struct nf_key key = {{random_below(5), 0}};
      count_min_add(sketch, &key, (uint64_t)random_below(UINT32_MAX) << (3 * round));
      count_min_estimate(sketch, &key);
    }
    count_min_destroy(sketch);
  }
}

void drive_more(void) {
  drive_lpm_trie();
  drive_lpm_direct();
  drive_maglev();
  drive_token_buckets();
  drive_count_min();
}
