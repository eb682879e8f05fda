#include "nflib/count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count_hooks.h"
#include "count_writer.h"
#include "perfpact.h"

enum { DEEPEST = 64 };

struct frame {
  void* return_address;
  size_t record;
};

// Records lie one behind the other: a packet's, then those of its calls.
static struct {
  struct count_call* records;
  size_t room;
  size_t used;
  bool in_packet;
  bool overflow;  // in this packet: it will be left out
  size_t packet;  // its record
  uint64_t packets;
  uint64_t lost;
  struct frame frames[DEEPEST];  // the entry and the methods that run
  size_t depth;
  FILE* file;  // from the environment; or NULL
} counting;

bool perfpact_count_start(void* memory, size_t bytes) {
  counting.records = memory;
  counting.room = bytes / sizeof counting.records[0];
  return count_install_hooks();
}

// Where the PCVs go that are reached now.
static size_t running(void) {
  return counting.depth == 0 ? counting.packet : counting.frames[counting.depth - 1].record;
}

static void add_record(const struct count_function* function, uintptr_t handle) {
  if (counting.used == counting.room) {
    counting.overflow = true;
    return;
  }
  struct count_call* call = &counting.records[counting.used];
  memset(call, 0, sizeof *call);
  call->function = function;
  call->handle = handle;
  call->parent = (uint32_t)(counting.used - running());
  counting.used++;
}

static void begin(const struct count_function* entry) {
  counting.in_packet = true;
  counting.overflow = false;
  counting.packet = counting.used;
  add_record(entry, 0);
}

static void end(int64_t verdict) {
  uint64_t number = counting.packets++;
  counting.in_packet = false;
  if (counting.overflow) {
    counting.used = counting.packet;
    counting.lost++;
  } else {
    struct count_call* packet = &counting.records[counting.packet];
    packet->packet = number;
    packet->verdict = verdict;
    packet->calls = counting.used - counting.packet - 1;
  }
  if (counting.file != NULL && counting.used > counting.room / 2) perfpact_count_write(counting.file);
}

static void push(void* return_address, size_t record) {
  counting.frames[counting.depth++] = (struct frame){return_address, record};
}

bool count_entered(const struct count_function* function, uintptr_t handle, void* return_address) {
  if (counting.records == NULL) return false;
  if (function->kind == COUNT_ENTRY) {
    if (counting.in_packet) return false;
    begin(function);
    push(return_address, counting.packet);
    return true;
  }
  if (!counting.in_packet || counting.overflow) return false;
  if (counting.depth == DEEPEST) {
    counting.overflow = true;
    return false;
  }
  add_record(function, handle);
  if (counting.overflow) return false;
  push(return_address, counting.used - 1);
  return true;
}

void* count_left(uint64_t result) {
  struct frame frame = counting.frames[--counting.depth];
  if (frame.record == counting.packet) end((int32_t)result);
  return frame.return_address;
}

void perfpact_count_begin(void) {
  if (counting.records != NULL && !counting.in_packet) begin(NULL);
}

void perfpact_count_end(int64_t verdict) {
  if (counting.in_packet) end(verdict);
}

void perfpact_count_pcv(const char* name) {
  if (!counting.in_packet || counting.overflow) return;
  struct count_call* call = &counting.records[running()];
  uint32_t i = 0;
  while (i < call->pcvs && call->pcv[i].name != name && strcmp(call->pcv[i].name, name) != 0) i++;
  if (i == COUNT_PCVS) {
    counting.overflow = true;
    return;
  }
  if (i == call->pcvs) {
    call->pcv[i].name = name;
    call->pcvs++;
  }
  call->pcv[i].count++;
}

void perfpact_count_outcome(const char* name) {
  if (counting.in_packet && !counting.overflow) counting.records[running()].outcome = name;
}

bool perfpact_count_write(FILE* file) {
  for (size_t packet = 0; packet < counting.used; packet += 1 + counting.records[packet].calls) {
    count_write_packet(file, &counting.records[packet]);
  }
  counting.used = 0;
  return ferror(file) == 0;
}

uint64_t perfpact_count_lost(void) {
  return counting.lost;
}

// What the environment asks for and cannot be done ends the program: a file that is not written must not look
// like one without packets.
static void give_up(const char* what) {
  fprintf(stderr, "PERFPACT_COUNT_FILE: %s: %s\n", what, strerror(errno));
  _Exit(EXIT_FAILURE);
}

__attribute__((constructor)) static void start_by_environment(void) {
  // What one packet of the pathological classes calls has to fit: some five calls for each of 4,096 flows
  // that expire.
  static struct count_call records[1 << 16];
  const char* name = getenv("PERFPACT_COUNT_FILE");
  if (name == NULL) return;
  counting.file = fopen(name, "w");
  if (counting.file == NULL) give_up(name);
  if (!perfpact_count_start(records, sizeof records)) give_up("the program's code cannot be changed");
}

__attribute__((destructor)) static void finish_by_environment(void) {
  if (counting.file == NULL) return;
  perfpact_count_write(counting.file);
  if (counting.lost != 0) count_write_lost(counting.file, counting.lost);
  bool failed = ferror(counting.file) != 0;
  if (fclose(counting.file) != 0 || failed) give_up("cannot write");
}
