// A table with methods that are cut out, and per-packet functions that call them.
#include <stdbool.h>
#include <stddef.h>

#include "entries.h"

// Without `noipa` gcc's callers know what registers a function leaves alone.
#ifdef __clang__
#define METHOD __attribute__((noinline))
#else
#define METHOD __attribute__((noipa))
#endif

enum { CAPACITY = 8 };

struct record {
  uint32_t count;
  uint32_t port;
};

struct table {
  uint32_t capacity;
  uint32_t used;
  uint64_t keys[CAPACITY];
  uint32_t values[CAPACITY];
  struct record records[CAPACITY];
};

static struct table flows_storage = {.capacity = CAPACITY};
static struct table hosts_storage = {.capacity = CAPACITY};
struct table* flows = &flows_storage;
struct table* hosts = &hosts_storage;

METHOD bool table_get(const struct table* table, const uint64_t* key, uint32_t* value) {
  for (uint32_t i = 0; i < table->used; i++)
    if (table->keys[i] == *key) {
      *value = table->values[i];
      return true;
    }
  return false;
}

METHOD bool table_put(struct table* table, const uint64_t* key, uint32_t value) {
  if (table->used == table->capacity) return false;
  table->keys[table->used] = *key;
  table->values[table->used] = value;
  table->used++;
  return true;
}

METHOD void table_clear(struct table* table) {
  table->used = 0;
}

METHOD struct record* table_record(struct table* table, uint32_t index) {
  return index < table->capacity ? &table->records[index] : NULL;
}

METHOD void table_fetch(struct table* table, uint32_t index, struct record** record) {
  *record = &table->records[index % CAPACITY];
}

METHOD uint32_t table_partial(const struct table* table, uint32_t value) {
  return table->used + value;
}

METHOD uint32_t table_never(const struct table* table) {
  return table->used;
}

ENTRY(looks_up) {
  uint64_t key = packet[0];
  uint32_t value;
  UNUSED_ARGUMENTS;
  if (!table_get(flows, &key, &value)) return -1;
  return (int)value;
}

ENTRY(looks_up_twice) {
  uint64_t first = packet[0], second = packet[1];
  uint32_t value = 0, again = 0;
  UNUSED_ARGUMENTS;
  bool is_first = table_get(flows, &first, &value);
  bool is_second = table_get(flows, &second, &again);
  if (first == second && (is_first != is_second || value != again)) return 99;
  return is_first + 2 * is_second;
}

// The tables know nothing of each other.
ENTRY(looks_up_in_both) {
  uint64_t key = packet[0];
  uint32_t value;
  UNUSED_ARGUMENTS;
  return table_get(flows, &key, &value) + 2 * table_get(hosts, &key, &value);
}

ENTRY(learns) {
  uint64_t key = packet[0];
  uint32_t value;
  UNUSED_ARGUMENTS;
  if (table_get(flows, &key, &value)) return (int)value;
  if (!table_put(flows, &key, port)) return -1;
  if (!table_get(flows, &key, &value)) return 98;
  return value == port ? 65535 : 99;
}

ENTRY(forgets) {
  uint64_t key = packet[0];
  uint32_t value;
  UNUSED_ARGUMENTS;
  bool before = table_get(flows, &key, &value);
  table_clear(flows);
  return before + 2 * table_get(flows, &key, &value);
}

ENTRY(records) {
  struct record* first = table_record(flows, packet[0]);
  struct record* second = table_record(flows, packet[1]);
  UNUSED_ARGUMENTS;
  if (first == NULL || second == NULL) return -1;
  second->port = 7;
  first->port = port;
  first->count++;
  if (packet[0] == packet[1]) return second->port == port ? 1 : 99;
  return second->port == 7 ? 2 : 99;
}

ENTRY(fetches) {
  struct record *first, *second;
  UNUSED_ARGUMENTS;
  table_fetch(flows, packet[0], &first);
  table_fetch(flows, packet[1], &second);
  second->port = 7;
  first->port = port;
  if (packet[0] == packet[1]) return second->port == port ? 1 : 99;
  return second->port == 7 ? 2 : 99;
}

ENTRY(sends_as_recorded) {
  struct record* record;
  UNUSED_ARGUMENTS;
  table_fetch(flows, packet[0], &record);
  return (int)record->port;
}

// The compiler may keep nothing in registers that a call loses.
ENTRY(keeps) {
  uint64_t key = packet[0];
  uint32_t value;
  UNUSED_ARGUMENTS;
  bool is_there = table_get(flows, &key, &value);
  return is_there + port % 2;
}

ENTRY(asks_partly) {
  UNUSED_ARGUMENTS;
  return (int)table_partial(flows, packet[0]);
}

ENTRY(passes_no_pointer) {
  uint64_t key = packet[0];
  UNUSED_ARGUMENTS;
  return table_get(flows, &key, (uint32_t*)5);
}

int main(void) {
  static nf_function* const volatile functions[] = {
      looks_up,          looks_up_twice, looks_up_in_both,  learns,     forgets, records, fetches,
      sends_as_recorded, keeps,          passes_no_pointer, asks_partly};
  volatile int no = 0;
  if (no) table_never(flows);
  call_each(functions, sizeof functions / sizeof *functions);
  return 0;
}
