// Entries of all kinds: `calls NAME [TIMES]` calls the function NAME as often, 3 times by default.
#include <perfpact.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRY(name) \
  __attribute__((noinline)) int name(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns)

struct table {
  uint64_t cells[8];
};
struct table table;
struct table* pointed;
struct {
  int other;
  struct table inside;
  struct table* outside;
} state;
struct function {
  uint64_t other[2];
  struct table inside;
  struct table* outside;
}* function;

// calls.S
int copies(uint16_t, uint8_t*, uint16_t, uint64_t);
int copies_none(uint16_t, uint8_t*, uint16_t, uint64_t);
int compares(uint16_t, uint8_t*, uint16_t, uint64_t);
int marked_copy(uint16_t, uint8_t*, uint16_t, uint64_t);
int changes_memory(uint16_t, uint8_t*, uint16_t, uint64_t);
int uses_stack(uint16_t, uint8_t*, uint16_t, uint64_t);
int jumps_to_method(uint16_t, uint8_t*, uint16_t, uint64_t);
int loops_at_head(uint16_t, uint8_t*, uint16_t, uint64_t);
int calls_system(uint16_t, uint8_t*, uint16_t, uint64_t);
int returns_by_jump(uint16_t, uint8_t*, uint16_t, uint64_t);

PERFPACT_METHOD(table_erase)
int table_erase(struct table* held, int count) {
  for (int i = 0; i < count; ++i) {
    PERFPACT_PCV(t);
    ((volatile uint64_t*)held->cells)[i & 7] += 1;
  }
  if (count > 1) {
    PERFPACT_OUTCOME(many);
    ((volatile uint64_t*)held->cells)[0] = 0;
    return 1;
  }
  PERFPACT_OUTCOME(few);
  ((volatile uint64_t*)held->cells)[1] = 0;
  return 0;
}

PERFPACT_METHOD(table_expire)
int table_expire(struct table* held, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    PERFPACT_PCV(e);
    sum += table_erase(held, i);
  }
  return sum;
}

PERFPACT_METHOD(table_walk)
int table_walk(struct table* held, int depth) {
  PERFPACT_PCV(d);
  if (depth == 0) return (int)held->cells[0];
  return table_walk(held, depth - 1) + 1 + table_erase(held, 1);
}

static int calls;

ENTRY(calls_method) {
  (void)port, (void)packet, (void)now_ns;
  for (int i = 0; i < calls; ++i) {
    PERFPACT_PCV(rounds);
    state.other += i;
  }
  return table_erase(&table, length) + table_erase(pointed, 1);
}
ENTRY(calls_nested) {
  (void)port, (void)packet, (void)now_ns;
  return table_expire(&state.inside, length + calls) + table_expire(state.outside, 1);
}
ENTRY(calls_recursive_method) {
  (void)port, (void)packet, (void)now_ns;
  return table_walk(&function->inside, length) + table_walk(function->outside, calls);
}
ENTRY(calls_unnamed) {
  (void)packet, (void)now_ns;
  struct table held[2] = {{{port}}, {{length}}};
  return table_erase(&held[0], 1) + table_erase(&held[1], 1) +
         table_erase((struct table*)&held[0].cells[1], 1);
}
ENTRY(calls_itself) {
  if (length == 0) return table_erase(&table, 3);
  return calls_itself(port, packet, (uint16_t)(length - 1), now_ns) + port + 1;
}
ENTRY(calls_library) {
  (void)port, (void)packet, (void)now_ns;
  return (int)labs(length - 10) + 1;
}
ENTRY(exits) {
  (void)port, (void)packet, (void)now_ns;
  if (calls == 2) _exit(length);
  return table_erase(&table, 1);
}
ENTRY(crashes) {
  (void)port, (void)now_ns;
  if (calls == 2) return table_erase((struct table*)8, length);
  return packet[0];
}
static jmp_buf away;
ENTRY(leaves) {
  (void)port, (void)packet, (void)now_ns;
  if (calls == 1) longjmp(away, length);
  return 2;
}
ENTRY(raises) {
  (void)port, (void)packet, (void)now_ns;
  kill(getpid(), SIGUSR1);
  return table_erase(&table, length);
}
ENTRY(never_called) {
  (void)port, (void)packet, (void)length, (void)now_ns;
  return 1;
}

static volatile int signals;
static void on_signal(int signal) {
  signals += signal;
}

static const struct {
  const char* name;
  int (*function)(uint16_t, uint8_t*, uint16_t, uint64_t);
} kEntries[] = {
#define NAMED(name) {#name, name}
    NAMED(copies),         NAMED(copies_none),  NAMED(compares),        NAMED(marked_copy),
    NAMED(changes_memory), NAMED(uses_stack),   NAMED(loops_at_head),   NAMED(calls_system),
    NAMED(calls_method),   NAMED(calls_nested), NAMED(jumps_to_method), NAMED(calls_unnamed),
    NAMED(calls_itself),   NAMED(leaves),       NAMED(returns_by_jump), NAMED(calls_library),
    NAMED(exits),          NAMED(crashes),      NAMED(raises),          NAMED(calls_recursive_method),
};

static uint8_t packet[64];

static void call(int (*entry)(uint16_t, uint8_t*, uint16_t, uint64_t), int times) {
  for (calls = 0; calls < times; ++calls) {
    packet[0] = (uint8_t)calls;
    if (setjmp(away) == 0) entry(1, packet, (uint16_t)(calls + 2), 77);
  }
}

int main(int argc, char** argv) {
  pointed = calloc(1, sizeof *pointed);
  state.outside = calloc(1, sizeof *state.outside);
  function = calloc(1, sizeof *function);
  function->outside = calloc(1, sizeof *function->outside);
  signal(SIGUSR1, on_signal);
  const int times = argc > 2 ? atoi(argv[2]) : 3;
  for (size_t i = 0; argc > 1 && i < sizeof kEntries / sizeof kEntries[0]; ++i)
    if (strcmp(argv[1], kEntries[i].name) == 0) call(kEntries[i].function, times);
  printf("done\n");
  return argc > 1 && strcmp(argv[1], "fails") == 0 ? 3 : 0;
}
