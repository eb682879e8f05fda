// Calls the methods of the structures in all their outcomes and with many values of their PCVs: what
// costs_test.py steps through. Small tables and few keys, so that tables are full, keys collide and removals
// are in the middle.
#include <nmmintrin.h>
#include <stdlib.h>

#include "nflib/flow_table.h"
#include "nflib/hash.h"
#include "nflib/hash_map.h"
#include "nflib/index_allocator.h"
#include "nflib/mac_table.h"
#include "nflib/port_pool.h"
#include "nflib/vector.h"

enum { ROUNDS = 400 };

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t bound) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random_state >> 33) % bound;
}

// Keys of equal NUMBER % 6 have equal hashes with SEED.
static struct nf_key key_of(uint32_t number, uint32_t seed) {
  uint64_t after_first_word = _mm_crc32_u64(seed, number);
  return (struct nf_key){{number, after_first_word ^ (number % 6)}};
}

static void drive_hash_map(void) {
  enum { SEED = 3, CAPACITY = 32, KEYS = 36 };
  struct hash_map* map = hash_map_create(CAPACITY, SEED);
  for (int round = 0; round < ROUNDS; round++) {
    struct nf_key key = key_of(random_below(KEYS), SEED);
    uint32_t value;
    hash_map_get(map, &key, &value);
    key = key_of(random_below(KEYS), SEED);
    // Filled and emptied by turns.
    if (random_below(16) < (round / 100 % 2 == 0 ? 15 : 4))
      hash_map_put(map, &key, (uint32_t)round);
    else
      hash_map_erase(map, &key);
  }
  hash_map_destroy(map);
}

static void drive_index_allocator(void) {
  enum { CAPACITY = 8 };
  struct index_allocator* allocator = index_allocator_create(CAPACITY);
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t now = round - random_below(3) * (round > 3);
    uint32_t index;
    index_allocator_allocate(allocator, now, &index);
    index_allocator_renew(allocator, random_below(CAPACITY + 2), now);
    if (random_below(3) == 0) index_allocator_release(allocator, random_below(CAPACITY + 2));
    if (random_below(2) == 0) index_allocator_expire(allocator, now - 5 * (now > 5), &index);
    index_allocator_is_allocated(allocator, random_below(CAPACITY + 2));
  }
  index_allocator_destroy(allocator);
}

static void drive_vector(void) {
  struct vector* vector = vector_create(8, 24);
  for (uint32_t index = 0; index < 16; index++) vector_borrow(vector, index);
  vector_destroy(vector);
}

static void drive_port_pool(void) {
  enum { FIRST = 1000, COUNT = 40 };
  struct port_pool* pool = port_pool_create(FIRST, COUNT);
  for (int round = 0; round < ROUNDS; round++) {
    uint16_t port;
    if (random_below(8) < (round / 50 % 2 == 0 ? 7 : 4))
      port_pool_allocate(pool, &port);
    else
      port_pool_release(pool, (uint16_t)(FIRST - 2 + random_below(COUNT + 4)));
  }
  port_pool_destroy(pool);
}

static void drive_flow_table(void) {
  enum { SEED = 5, CAPACITY = 24 };
  struct port_pool* ports = port_pool_create(1, CAPACITY);
  struct flow_table* table = flow_table_create(CAPACITY, SEED, ports);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t now = round;
    uint32_t flow;
    struct nf_key inside = key_of(round, SEED);
    struct nf_key outside = key_of(round + 7 * ROUNDS, SEED);
    uint16_t port = 0;
    if (random_below(2) == 0) port_pool_allocate(ports, &port);
    if (!flow_table_add(table, &inside, random_below(2) == 0 ? &outside : NULL, port, now, &flow) &&
        port != 0)
      port_pool_release(ports, port);
    flow_table_get(table, FLOW_INSIDE, &inside, &flow);
    flow_table_get(table, FLOW_OUTSIDE, &outside, &flow);
    flow_table_renew(table, random_below(CAPACITY + 1), now);
    if (random_below(16) == 0) flow_table_expire(table, now - random_below(20) * (now > 20));
  }
  flow_table_destroy(table);
  port_pool_destroy(ports);
}

static const uint64_t mac_key = UINT64_C(0x0123456789abcdef);
// Four tags, four addresses each, under mac_key.
static const uint64_t colliding_macs[] = {0x878d237582da, 0x75244bdb00e4, 0xefd080c05769, 0x738fc2b51d8c,
                                          0xa2ad82d9cdf3, 0xdcc3f2260459, 0x7f13495f636e, 0x55de3687d9ab,
                                          0x2be22e241732, 0xb4e1eed28a14, 0x56268410e7d3, 0xa948e06c0347,
                                          0x1c022acf4aa2, 0x598e4e302f92, 0x4d88bea75956, 0x1a25289a2508};

static uint64_t some_mac(void) {
  uint32_t number = random_below(40);
  return number < 16 ? colliding_macs[number] : number;
}

static void drive_mac_table(uint32_t capacity, uint32_t threshold) {
  struct mac_table* table = mac_table_create(capacity, threshold, mac_key);
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint16_t port;
    mac_table_lookup(table, some_mac(), &port);
    mac_table_learn(table, some_mac(), (uint16_t)round, round);
    if (round % 16 == 0) mac_table_expire(table, round - random_below(40) * (round > 40));
  }
  mac_table_destroy(table);
}

int main(void) {
  drive_hash_map();
  drive_index_allocator();
  drive_vector();
  drive_port_pool();
  drive_flow_table();
  for (int i = 0; i < 16; i++)
    if (nf_mac_table_tag(colliding_macs[i], mac_key) != nf_mac_table_tag(colliding_macs[i % 4], mac_key))
      return 1;
  drive_mac_table(32, 1000);
  drive_mac_table(8, 1000);
  drive_mac_table(16, 2);
  drive_mac_table(32, 3);
  return 0;
}
