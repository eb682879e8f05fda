#include "nflib/maglev.h"

#include <stdlib.h>

#include "mix.h"
#include "perfpact.h"

// Backend B prefers the slots offset, offset + skip, offset + 2 skip ... modulo their number, a prime: a
// permutation of all slots.
struct permutation {
  uint32_t offset;
  uint32_t skip;
  uint32_t next;  // the place of the next slot to look at, while the table is filled
};

struct maglev {
  uint32_t backends;
  uint32_t slots;
  uint64_t reciprocal;  // 2^64 / slots, rounded up
  uint32_t living;
  uint32_t* table;  // slot -> backend
  struct permutation* permutations;
  uint32_t* order;  // the living backends; room for all
  uint8_t* alive;   // backend -> 0 or 1
};

enum { FREE = UINT32_MAX };

static bool is_prime(uint32_t number) {
  if (number < 2) return false;
  for (uint64_t divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor == 0) return false;
  }
  return true;
}

struct maglev* maglev_create(uint32_t backends, uint32_t slots) {
  if (backends == 0 || slots / 100 < backends || !is_prime(slots)) return NULL;
  struct maglev* table = calloc(1, sizeof *table);
  if (table == NULL) return NULL;
  table->backends = backends;
  table->slots = slots;
  table->reciprocal = UINT64_MAX / slots + 1;
  table->table = malloc(slots * sizeof table->table[0]);
  table->permutations = malloc(backends * sizeof table->permutations[0]);
  table->order = malloc(backends * sizeof table->order[0]);
  table->alive = calloc(backends, sizeof table->alive[0]);
  if (table->table == NULL || table->permutations == NULL || table->order == NULL || table->alive == NULL) {
    maglev_destroy(table);
    return NULL;
  }
  for (uint32_t backend = 0; backend < backends; backend++) {
    uint64_t bits = nf_mix(UINT64_C(0x9e3779b97f4a7c15) * (backend + UINT64_C(1)));
    table->permutations[backend] = (struct permutation){.offset = (uint32_t)(bits % slots),
                                                        .skip = (uint32_t)(nf_mix(bits) % (slots - 1)) + 1};
  }
  return table;
}

void maglev_destroy(struct maglev* table) {
  if (table == NULL) return;
  free(table->table);
  free(table->permutations);
  free(table->order);
  free(table->alive);
  free(table);
}

// All bits set if LEFT is below RIGHT, both below 2^33. Arithmetic stands for choices, so that costs are
// fixed.
static inline uint64_t below(uint64_t left, uint64_t right) {
  return (uint64_t)((int64_t)(left - right) >> 63);
}

// The living backends in turn take the first slot on their list that is free.
static inline void fill(struct maglev* table) {
  uint32_t living = 0;
  uint32_t backend = 0;
  do {
    PERFPACT_PCV(b);
    table->permutations[backend].next = table->permutations[backend].offset;
    table->order[living] = backend;
    living += table->alive[backend];
  } while (++backend < table->backends);
  table->living = living;

  uint32_t slot = 0;
  do {
    PERFPACT_PCV(s);
    table->table[slot] = FREE;
  } while (++slot < table->slots);

  uint64_t slots = table->slots;
  uint32_t turn = 0;
  for (uint32_t filled = 0; living != 0 && filled < slots; filled++) {
    PERFPACT_PCV(f);
    uint32_t chosen = table->order[turn];
    struct permutation* permutation = &table->permutations[chosen];
    uint64_t at;
    uint64_t next = permutation->next;
    do {
      PERFPACT_PCV(p);
      at = next;
      next += permutation->skip;
      next -= slots & ~below(next, slots);
    } while (table->table[at] != FREE);
    table->table[at] = chosen;
    permutation->next = (uint32_t)next;
    turn = (turn + 1) & (uint32_t)below(turn + UINT64_C(1), living);
  }
}

PERFPACT_METHOD(maglev_set_alive)
bool maglev_set_alive(struct maglev* table, uint32_t backend, bool alive) {
  if (backend >= table->backends) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  if (table->alive[backend] == alive) {
    PERFPACT_OUTCOME(same);
    return false;
  }
  PERFPACT_OUTCOME(changed);
  table->alive[backend] = alive;
  fill(table);
  return true;
}

PERFPACT_METHOD(maglev_is_alive)
bool maglev_is_alive(const struct maglev* table, uint32_t backend) {
  if (backend >= table->backends) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  if (table->alive[backend] == 0) {
    PERFPACT_OUTCOME(dead);
    return false;
  }
  PERFPACT_OUTCOME(alive);
  return true;
}

// Both halves of the hash, so that it does not matter which is the better one, modulo the number of slots
// without a division (Lemire, Kaser, Kurz: "Faster remainder by direct computation", 2019): its cost would
// depend on the processor, and clang tests for short operands first.
static inline uint32_t slot_of(const struct maglev* table, uint64_t hash) {
  uint64_t fraction = table->reciprocal * (uint32_t)(hash ^ hash >> 32);
  return (uint32_t)((unsigned __int128)fraction * table->slots >> 64);
}

PERFPACT_METHOD(maglev_lookup)
bool maglev_lookup(const struct maglev* table, uint64_t hash, uint32_t* backend) {
  if (table->living == 0) {
    PERFPACT_OUTCOME(none);
    return false;
  }
  PERFPACT_OUTCOME(hit);
  *backend = table->table[slot_of(table, hash)];
  return true;
}
