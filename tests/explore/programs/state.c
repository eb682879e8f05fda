// Functions that keep state from packet to packet.
#include "entries.h"

uint32_t counter;
uint32_t next;
uint8_t levels[4] = {5, 6, 7, 8};
uint8_t level;
uint32_t* cursor;
static uint32_t cells[8];
uint64_t addresses[4];
uint32_t used;

// Every 32nd packet goes another way.
ENTRY(counts) {
  UNUSED_ARGUMENTS;
  if (++counter == 32) {
    counter = 0;
    HIDE(counter);
    return 1;
  }
  return 0;
}

// Empties its table when it is full.
ENTRY(flushes) {
  UNUSED_ARGUMENTS;
  if (used == 4) {
    for (uint32_t i = 0; i < 4; ++i) {
      addresses[i] = 0;
      __asm__ volatile("" : : : "memory");
    }
    used = 0;
    return 65535;
  }
  addresses[used & 3] = packet[0];
  ++used;
  return 0;
}

// An index that packets change.
ENTRY(looks_up) {
  UNUSED_ARGUMENTS;
  level = (uint8_t)(level + 1);
  if (level >= 4) level = 0;
  uint8_t held = level;
  HIDE(held);
  return levels[held] == 8 ? 1 : 0;
}

// A counter for each kind of packet.
uint8_t packets_of[4];
ENTRY(counts_kinds) {
  UNUSED_ARGUMENTS;
  uint8_t* count = &packets_of[packet[0] & 3];
  if (*count == 200) return -1;
  ++*count;
  return packets_of[1] > packets_of[2] ? 1 : 0;
}

// Written in whole and in part.
uint32_t mixed;
ENTRY(writes_parts) {
  UNUSED_ARGUMENTS;
  volatile uint32_t* whole = &mixed;
  volatile uint8_t* part = (volatile uint8_t*)&mixed;
  if (packet[0] == 1) part[1] = packet[1];
  if (*whole == 0x10203) return 1;
  if (packet[0] == 2) *whole = packet[1];
  return part[1] == 7 ? -1 : 0;
}

// An index that is never checked.
ENTRY(looks_up_unchecked) {
  UNUSED_ARGUMENTS;
  const uint8_t* from = levels;
  uint64_t at = next;
  next = packet[0] & 3;
  HIDE(from);
  HIDE(at);
  if (from[at] == 7) return 1;
  return packet[0] == 9 ? -1 : 0;
}

// A pointer that packets change.
ENTRY(follows) {
  UNUSED_ARGUMENTS;
  uint32_t* cell = cursor;
  cursor = cell == &cells[7] ? &cells[0] : cell + 1;
  return *cell == 3 ? 1 : 0;
}

static inline uint64_t read_clock(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

// Time passes while it looks, and from packet to packet.
uint64_t last;
ENTRY(clocks) {
  UNUSED_ARGUMENTS;
  uint64_t begin = read_clock();
  uint64_t before = last;
  last = now_ns;
  if (now_ns - before > 1000000) return -1;
  return read_clock() - begin > 5000 ? 1 : 0;
}

int main(void) {
  static nf_function* const volatile functions[] = {counts,  flushes, looks_up,     looks_up_unchecked,
                                                    follows, clocks,  counts_kinds, writes_parts};
  cursor = &cells[2];
  cells[3] = 3;
  call_each(functions, sizeof functions / sizeof *functions);
  return 0;
}
