// Between the parts of the counting run-time: count.c records, count_hooks.c notices calls, count_writer.c
// writes.
#ifndef NFLIB_COUNT_HOOKS_H
#define NFLIB_COUNT_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

// What perfpact.h writes for each method and entry with -DPERFPACT_COUNT.
struct count_function {
  uint8_t* code;
  uint8_t* stub;  // to be called at its start
  const char* name;
  const char* file;
  uint64_t kind;
};

enum { COUNT_METHOD = 3, COUNT_ENTRY = 4, COUNT_PCVS = 8 };

// A call, or a packet: that is a call of the entry, followed by those in it.
struct count_call {
  const struct count_function* function;  // NULL for a packet without an entry
  uintptr_t handle;
  const char* outcome;
  uint32_t parent;  // how many records above
  uint32_t pcvs;
  struct {
    const char* name;
    uint64_t count;
  } pcv[COUNT_PCVS];
  uint64_t packet;  // of a packet: its number
  uint64_t calls;   // of a packet: how many follow
  int64_t verdict;  // of a packet
};

// Makes methods call count_entered and count_left. False, with errno, if that cannot be.
bool count_install_hooks(void);
// True if count_left shall be called as the function returns; RETURN_ADDRESS is kept for it.
bool count_entered(const struct count_function* function, uintptr_t handle, void* return_address);
// What the function returned; gives back its return address. Assembly alone calls it.
__attribute__((used)) void* count_left(uint64_t result);

#endif
