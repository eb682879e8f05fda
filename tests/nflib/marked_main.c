#include "marked.h"
#include "perfpact.h"

static volatile int sink;

PERFPACT_ENTRY(process)
int process(int value) {
  if (value > 3) {
    PERFPACT_OUTCOME(big);
    sink = value;
    return 7;
  }
  PERFPACT_OUTCOME(small);
  sink = -value;
  return 1;
}

// n: 5 + 0 + 11; t: 4 + 9; big: 3; small: 2.
int run(void) {
  static const int numbers[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  volatile unsigned bits[2] = {0xb, 0x1ff};
  int result = sum(numbers, 5) + sum(numbers, 0) + sum(numbers, 11);
  result += count_probes(bits[0]) + count_probes(bits[1]);
  for (int value = 2; value < 7; value++) result += process(value);
  return result;
}

#ifdef PERFPACT_START
// 15 + 0 + 66, 3 + 9, 2 * 1 + 3 * 7
__attribute__((used, force_align_arg_pointer)) void _start(void) {
  int status = run() == 116 ? 0 : 1;
  __asm__ volatile("syscall" ::"a"(60), "D"(status));
  __builtin_unreachable();
}
#endif
