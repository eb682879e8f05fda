#include "nflib/lpm_trie.h"

#include <stdlib.h>

#include "perfpact.h"
#include "prefix.h"

// Children stand in pairs, so that a node needs one link and moves without its children. A node of LENGTH
// bits matches an address whose upper LENGTH bits are its key. Where nothing is stands NOWHERE, a node that
// matches no address, since its key has more bits than its length; leaves link to a pair of these. So a
// look-up has one reason to stop, and its cost is fixed by the number of nodes.
struct node {
  uint32_t key;
  uint32_t link;   // the left child; the right one is behind it. In a free pair: the next free one.
  uint32_t value;  // of the prefix that ends here
  uint8_t shift;   // 32 - length
  int8_t valued;   // whether a prefix ends here, as a mask: -1 or 0
};

enum { NOWHERE_PAIR = 0, ROOT = 2, FIRST_PAIR = 4, NOWHERE_SHIFT = 32 };

static const struct node NOWHERE = {.key = 1, .shift = NOWHERE_SHIFT};

struct lpm_trie {
  struct node* nodes;
  uint32_t capacity;
  uint32_t size;
  uint32_t free_pair;
};

struct lpm_trie* lpm_trie_create(uint32_t capacity) {
  if (capacity == 0 || capacity > UINT32_C(1) << 29) return NULL;
  struct lpm_trie* trie = malloc(sizeof *trie);
  // A node with children is a prefix, or the root, or both its children are nodes. So there are at most as
  // many pairs as prefixes.
  struct node* nodes = malloc((FIRST_PAIR + 2 * (size_t)capacity) * sizeof *nodes);
  if (trie == NULL || nodes == NULL) {
    free(trie);
    free(nodes);
    return NULL;
  }
  *trie = (struct lpm_trie){.nodes = nodes, .capacity = capacity, .free_pair = FIRST_PAIR};
  for (uint32_t at = 0; at < FIRST_PAIR; at++) nodes[at] = NOWHERE;
  nodes[ROOT].key = 0;
  for (uint32_t pair = 0; pair < capacity; pair++) {
    nodes[FIRST_PAIR + 2 * pair].link = FIRST_PAIR + 2 * (pair + 1);
  }
  return trie;
}

void lpm_trie_destroy(struct lpm_trie* trie) {
  if (trie == NULL) return;
  free(trie->nodes);
  free(trie);
}

uint32_t lpm_trie_size(const struct lpm_trie* trie) {
  return trie->size;
}

static inline uint32_t take_pair(struct lpm_trie* trie) {
  uint32_t pair = trie->free_pair;
  trie->free_pair = trie->nodes[pair].link;
  return pair;
}

static inline void free_pair(struct lpm_trie* trie, uint32_t pair) {
  trie->nodes[pair].link = trie->free_pair;
  trie->free_pair = pair;
}

struct place {
  uint32_t at;
  uint32_t owner;  // the node whose child is at `at`; of no meaning for the root
  uint32_t above;  // the last node on the way, before `at`, where a prefix ends; NOWHERE_PAIR if none does
};

// The first node on the way to the prefix that is not a shorter prefix of it. The loop ends by one condition
// at its end, and arithmetic stands for choices, so that each round costs the same.
static inline struct place descend(const struct node* nodes, uint32_t prefix, uint32_t shift) {
  uint64_t doubled = (uint64_t)prefix << 1;
  struct place place = {NOWHERE_PAIR, NOWHERE_PAIR, NOWHERE_PAIR};
  uint32_t next = ROOT;
  uint32_t valued = 0;
  uint64_t stop;
  do {
    PERFPACT_PCV(l);
    place.above ^= (place.above ^ place.at) & valued;
    place.owner = place.at;
    place.at = next;
    const struct node* node = &nodes[next];
    valued = (uint32_t)(int32_t)node->valued;
    uint64_t upper = doubled >> node->shift;
    next = node->link + (uint32_t)(upper & 1);
    uint64_t not_shorter = (uint64_t)(((int64_t)node->shift - (int64_t)shift - 1) >> 63);
    stop = (upper >> 1 ^ node->key) | not_shorter;
  } while (stop == 0);
  return place;
}

// 0 if a prefix and its node are the same.
static inline uint64_t difference(const struct node* node, uint32_t prefix, uint32_t shift) {
  return (node->key ^ (uint64_t)prefix >> shift) | (node->shift ^ shift);
}

// As difference, and not 0 either if no prefix ends at the node.
static inline uint64_t difference_or_bare(const struct node* node, uint32_t prefix, uint32_t shift) {
  return difference(node, prefix, shift) | (uint64_t)~(int64_t)node->valued;
}

// Puts what is at AT, and the leaf, under a node of their common bits; or under the leaf, if it contains the
// other.
static inline void split(struct lpm_trie* trie, uint32_t at, uint32_t prefix, struct node leaf) {
  struct node* nodes = trie->nodes;
  struct node lower = nodes[at];
  uint32_t lower_prefix = (uint32_t)((uint64_t)lower.key << lower.shift);
  uint64_t different = (uint64_t)(prefix ^ lower_prefix) << 32;
  uint64_t ends = UINT64_C(1) << 31 << leaf.shift | UINT64_C(1) << 31 << lower.shift;
  uint32_t shift = 32 - (uint32_t)__builtin_clzll(different | ends);
  bool contained = shift == leaf.shift;

  uint32_t pair = take_pair(trie);
  uint32_t side = lower_prefix >> (shift - 1) & 1;
  struct node others[2] = {leaf, NOWHERE};
  nodes[pair + side] = lower;
  nodes[pair + (side ^ 1)] = others[contained];
  nodes[at] = (struct node){.key = (uint32_t)((uint64_t)prefix >> shift),
                            .link = pair,
                            .value = leaf.value,
                            .shift = (uint8_t)shift,
                            .valued = (int8_t)-contained};
}

PERFPACT_METHOD(lpm_trie_add)
bool lpm_trie_add(struct lpm_trie* trie, uint32_t prefix, uint8_t length, uint32_t value) {
  if (!is_prefix(prefix, length)) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  struct node* nodes = trie->nodes;
  uint32_t shift = 32 - (uint32_t)length;
  struct place place = descend(nodes, prefix, shift);
  struct node* node = &nodes[place.at];
  if (difference_or_bare(node, prefix, shift) == 0) {
    PERFPACT_OUTCOME(replaced);
    node->value = value;
    return true;
  }
  if (trie->size == trie->capacity) {
    PERFPACT_OUTCOME(full);
    return false;
  }
  PERFPACT_OUTCOME(inserted);
  trie->size++;
  struct node leaf = {.key = (uint32_t)((uint64_t)prefix >> shift),
                      .link = NOWHERE_PAIR,
                      .value = value,
                      .shift = (uint8_t)shift,
                      .valued = -1};
  if (difference(node, prefix, shift) == 0) {
    PERFPACT_PCV(valued);
    node->value = value;
    node->valued = -1;
  } else if (node->shift != NOWHERE_SHIFT) {
    PERFPACT_PCV(split);
    split(trie, place.at, prefix, leaf);
  } else if (place.at < ROOT) {
    PERFPACT_PCV(grown);
    uint32_t pair = take_pair(trie);
    nodes[place.owner].link = pair;
    nodes[pair + place.at] = leaf;
    nodes[pair + (place.at ^ 1)] = NOWHERE;
  } else {
    *node = leaf;
  }
  return true;
}

// What is at CHILD takes the place of its owner, which has nothing else.
static inline void join(struct lpm_trie* trie, uint32_t owner, uint32_t child) {
  uint32_t pair = trie->nodes[owner].link;
  trie->nodes[owner] = trie->nodes[child];
  free_pair(trie, pair);
}

static inline bool is_nowhere(const struct node* node) {
  return node->shift == NOWHERE_SHIFT;
}

static inline void remove_leaf(struct lpm_trie* trie, struct place place) {
  struct node* nodes = trie->nodes;
  struct node* owner = &nodes[place.owner];
  nodes[place.at] = NOWHERE;
  uint32_t sibling = place.at ^ 1;
  if (is_nowhere(&nodes[sibling])) {
    PERFPACT_PCV(shrunk);
    free_pair(trie, owner->link);
    owner->link = NOWHERE_PAIR;
  } else if (((place.owner == ROOT) | owner->valued) == 0) {
    PERFPACT_PCV(lifted);
    join(trie, place.owner, sibling);
  }
}

// A node with children stays as the place where they part, if there are two.
static inline void remove_inner(struct lpm_trie* trie, uint32_t at) {
  const struct node* children = &trie->nodes[trie->nodes[at].link];
  uint32_t only_right = children[0].shift / NOWHERE_SHIFT;
  uint32_t only_left = children[1].shift / NOWHERE_SHIFT;
  if ((only_right | only_left) != 0) {
    PERFPACT_PCV(joined);
    join(trie, at, trie->nodes[at].link + only_right);
  }
}

PERFPACT_METHOD(lpm_trie_remove)
bool lpm_trie_remove(struct lpm_trie* trie, uint32_t prefix, uint8_t length) {
  if (!is_prefix(prefix, length)) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  struct node* nodes = trie->nodes;
  uint32_t shift = 32 - (uint32_t)length;
  struct place place = descend(nodes, prefix, shift);
  struct node* node = &nodes[place.at];
  if (difference_or_bare(node, prefix, shift) != 0) {
    PERFPACT_OUTCOME(miss);
    return false;
  }
  PERFPACT_OUTCOME(removed);
  trie->size--;
  node->valued = 0;
  if (place.at == ROOT) return true;
  if (node->link == NOWHERE_PAIR) {
    remove_leaf(trie, place);
  } else {
    remove_inner(trie, place.at);
  }
  return true;
}

PERFPACT_METHOD(lpm_trie_cover)
bool lpm_trie_cover(const struct lpm_trie* trie, uint32_t prefix, uint8_t length, uint8_t* covering_length,
                    uint32_t* value) {
  if (!is_prefix(prefix, length)) {
    PERFPACT_OUTCOME(invalid);
    return false;
  }
  uint32_t above = descend(trie->nodes, prefix, 32 - (uint32_t)length).above;
  if (above == NOWHERE_PAIR) {
    PERFPACT_OUTCOME(miss);
    return false;
  }
  PERFPACT_OUTCOME(hit);
  *covering_length = (uint8_t)(32 - trie->nodes[above].shift);
  *value = trie->nodes[above].value;
  return true;
}

PERFPACT_METHOD(lpm_trie_lookup)
bool lpm_trie_lookup(const struct lpm_trie* trie, uint32_t address, uint32_t* value) {
  const struct node* nodes = trie->nodes;
  uint64_t doubled = (uint64_t)address << 1;
  uint32_t at = NOWHERE_PAIR;
  uint32_t next = ROOT;
  uint32_t found = NOWHERE_PAIR;
  uint32_t valued = 0;
  uint64_t different;
  do {
    PERFPACT_PCV(l);
    found ^= (found ^ at) & valued;
    at = next;
    const struct node* node = &nodes[at];
    valued = (uint32_t)(int32_t)node->valued;
    uint64_t upper = doubled >> node->shift;
    next = node->link + (uint32_t)(upper & 1);
    different = upper >> 1 ^ node->key;
  } while (different == 0);
  if (found == NOWHERE_PAIR) {
    PERFPACT_OUTCOME(miss);
    return false;
  }
  PERFPACT_OUTCOME(hit);
  *value = nodes[found].value;
  return true;
}
