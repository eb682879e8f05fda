// Marks in blocks that compilers can empty: at -O2 and -O3 an address behind such a mark is shared with other
// ways.
#include "perfpact.h"

__attribute__((noinline)) int steps(const unsigned char* at, int length) {
  int tags = 0;
  for (; at[tags] == 9; tags++) {
    PERFPACT_PCV(v);
    if (tags == 2 || length < tags + 2) return -1;
  }
  return at[tags] > 4 ? -1 : at[tags];
}

__attribute__((noinline)) int sign(int value) {
  int result = 0;
  if (value < 0) {
    PERFPACT_OUTCOME(negative);
    result = 1;
  }
  return result;
}

// v: 3 + 1 + 0 + 0; negative: 1.
__attribute__((used, force_align_arg_pointer)) void _start(void) {
  static const unsigned char packets[4][4] = {{9, 9, 9, 0}, {9, 0, 0, 0}, {7, 0, 0, 0}, {1, 0, 0, 0}};
  int result = sign(5) + sign(-5) + sign(0);
  for (int i = 0; i < 4; i++) result += steps(packets[i], 4);
  __asm__ volatile("syscall" ::"a"(60), "D"(result));  // 1 - 1 + 0 - 1 + 1
  __builtin_unreachable();
}
