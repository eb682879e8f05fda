#include "nflib/lpm_direct.h"

#include <stdlib.h>

#include "nflib/lpm_trie.h"
#include "perfpact.h"
#include "prefix.h"

// An entry of either table holds a route: its value, and above it its rank, the prefix's length plus one, or
// 0 for no route. Or it is EXTENDED, and its value is the number of a table of 256, a group. Both tables are
// one array, so that entry I of group N is [N << 8 | I]; the first table takes the place of groups 0 to
// 65535.
enum {
  VALUE_BITS = 22,
  RANK_MASK = 63,
  EXTENDED_BIT = 28,
  EXTENDED = 1 << EXTENDED_BIT,
  FIRST_TABLE_BITS = 24,
  FIRST_TABLE = 1 << FIRST_TABLE_BITS,
  FIRST_GROUP = FIRST_TABLE >> 8,
  GROUP_ENTRIES = 256,
};

struct lpm_direct {
  struct lpm_trie* prefixes;
  uint16_t* deep_prefixes;  // of each group: how many prefixes of more than 24 bits are in it, at least 1
  uint32_t free_group;      // 0 if there is none; in the first entry of a free group: the next
  uint32_t entries[];
};

struct lpm_direct* lpm_direct_create(uint32_t capacity, uint32_t groups) {
  if (capacity == 0 || capacity > UINT32_C(1) << 22 || groups > UINT32_C(1) << 20) return NULL;
  size_t entries = FIRST_TABLE + (size_t)groups * GROUP_ENTRIES;
  struct lpm_direct* table = calloc(1, sizeof *table + entries * sizeof table->entries[0]);
  if (table == NULL) return NULL;
  table->prefixes = lpm_trie_create(capacity);
  table->deep_prefixes = calloc((size_t)groups + 1, sizeof table->deep_prefixes[0]);
  if (table->prefixes == NULL || table->deep_prefixes == NULL) {
    lpm_direct_destroy(table);
    return NULL;
  }
  for (uint32_t group = FIRST_GROUP + groups; group-- > FIRST_GROUP;) {
    table->entries[group << 8] = table->free_group;
    table->free_group = group;
  }
  return table;
}

void lpm_direct_destroy(struct lpm_direct* table) {
  if (table == NULL) return;
  lpm_trie_destroy(table->prefixes);
  free(table->deep_prefixes);
  free(table);
}

static inline uint32_t route(uint32_t value, uint32_t rank) {
  return rank << VALUE_BITS | value;
}
static inline uint32_t value_of(uint32_t entry) {
  return entry & LPM_DIRECT_LARGEST_VALUE;
}

struct change {
  uint32_t entry;   // the new one
  uint32_t lowest;  // for entries of this rank
  uint32_t span;    // and so many above
};

// Arithmetic stands for a choice, so that each entry costs the same.
static inline uint32_t changed(uint32_t entry, struct change change) {
  uint32_t above = (entry >> VALUE_BITS & RANK_MASK) - change.lowest;
  uint32_t kept = (uint32_t)((int32_t)(above | (change.span - above)) >> 31);
  return change.entry ^ ((change.entry ^ entry) & kept);
}

// Changes the entries that a prefix covers: of at least one entry of the first table, all, or the part of a
// group.
static inline void paint(uint32_t* entries, uint32_t prefix, uint8_t length, struct change change) {
  uint32_t first = prefix >> 8;
  uint32_t cells = (uint32_t)(UINT64_C(1) << FIRST_TABLE_BITS >> length) | (length > FIRST_TABLE_BITS);
  uint32_t in_group = (UINT64_C(1) << 32 >> length & 255) | (uint32_t)(length <= FIRST_TABLE_BITS) << 8;
  for (uint32_t cell = first; cell < first + cells; cell++) {
    PERFPACT_PCV(f);
    uint32_t entry = entries[cell];
    if ((entry & EXTENDED) == 0) {
      entries[cell] = changed(entry, change);
      continue;
    }
    PERFPACT_PCV(x);
    uint32_t* group = &entries[value_of(entry) << 8 | (prefix & 255)];
    for (uint32_t i = 0; i < in_group; i++) {
      PERFPACT_PCV(e);
      group[i] = changed(group[i], change);
    }
  }
}

// Puts a group in the place of an entry of the first table.
static inline void open_group(struct lpm_direct* table, uint32_t cell) {
  uint32_t group = table->free_group;
  uint32_t* entries = &table->entries[group << 8];
  uint32_t entry = table->entries[cell];
  table->free_group = entries[0];
  for (int i = 0; i < GROUP_ENTRIES; i++) {
    PERFPACT_PCV(n);
    entries[i] = entry;
  }
  table->entries[cell] = EXTENDED | group;
}

// The reverse: all entries of the group are equal by now.
static inline void close_group(struct lpm_direct* table, uint32_t cell) {
  uint32_t group = value_of(table->entries[cell]);
  table->entries[cell] = table->entries[group << 8];
  table->entries[group << 8] = table->free_group;
  table->free_group = group;
}

static inline uint16_t* deep_prefixes(struct lpm_direct* table, uint32_t cell) {
  return &table->deep_prefixes[value_of(table->entries[cell]) - FIRST_GROUP];
}

PERFPACT_METHOD(lpm_direct_add)
bool lpm_direct_add(struct lpm_direct* table, uint32_t prefix, uint8_t length, uint32_t value) {
  if (((int)is_prefix(prefix, length) & (value <= LPM_DIRECT_LARGEST_VALUE)) == 0) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  uint32_t cell = prefix >> 8;
  bool deep = length > FIRST_TABLE_BITS;
  uint32_t opens = (uint32_t)deep & ~(table->entries[cell] >> EXTENDED_BIT) & 1;
  if (opens > table->free_group) {
    PERFPACT_OUTCOME(no_group);
    return false;
  }
  uint32_t size = lpm_trie_size(table->prefixes);
  if (!lpm_trie_add(table->prefixes, prefix, length, value)) {
    PERFPACT_OUTCOME(full);
    return false;
  }
  uint32_t rank = (uint32_t)length + 1;
  if (lpm_trie_size(table->prefixes) == size) {
    PERFPACT_OUTCOME(replaced);
    paint(table->entries, prefix, length, (struct change){route(value, rank), rank, 0});
    return true;
  }
  PERFPACT_OUTCOME(inserted);
  if (opens != 0) {
    PERFPACT_PCV(opened);
    open_group(table, cell);
  }
  if (deep) {
    PERFPACT_PCV(deep);
    ++*deep_prefixes(table, cell);
  }
  paint(table->entries, prefix, length, (struct change){route(value, rank), 0, rank});
  return true;
}

PERFPACT_METHOD(lpm_direct_remove)
bool lpm_direct_remove(struct lpm_direct* table, uint32_t prefix, uint8_t length) {
  if (!is_prefix(prefix, length)) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  if (!lpm_trie_remove(table->prefixes, prefix, length)) {
    PERFPACT_OUTCOME(miss);
    return false;
  }
  PERFPACT_OUTCOME(removed);
  uint32_t entry = 0;
  uint8_t covering_length;
  uint32_t value;
  if (lpm_trie_cover(table->prefixes, prefix, length, &covering_length, &value)) {
    PERFPACT_PCV(covered);
    entry = route(value, (uint32_t)covering_length + 1);
  }
  paint(table->entries, prefix, length, (struct change){entry, (uint32_t)length + 1, 0});
  uint32_t cell = prefix >> 8;
  if (length > FIRST_TABLE_BITS) {
    PERFPACT_PCV(deep);
    if (--*deep_prefixes(table, cell) == 0) {
      PERFPACT_PCV(closed);
      close_group(table, cell);
    }
  }
  return true;
}

PERFPACT_METHOD(lpm_direct_lookup)
bool lpm_direct_lookup(const struct lpm_direct* table, uint32_t address, uint32_t* value) {
  PERFPACT_PCV(s);
  uint32_t entry = table->entries[address >> 8];
  if ((entry & EXTENDED) != 0) {
    PERFPACT_PCV(s);
    entry = table->entries[value_of(entry) << 8 | (address & 255)];
  }
  if (entry == 0) {
    PERFPACT_OUTCOME(miss);
    return false;
  }
  PERFPACT_OUTCOME(hit);
  *value = value_of(entry);
  return true;
}
