// Functions without loops, so plain that no compiler has a choice: marks must not change a byte of their
// code.
#include "perfpact.h"

volatile int seen;

PERFPACT_ENTRY(process)
int process(int value) {
  PERFPACT_OUTCOME(entered);
  seen = value;
  return value * 7 + 1;
}

PERFPACT_METHOD(note)
void note(int value) {
  if (value > 100) {
    PERFPACT_OUTCOME(large);
    seen = value;
  }
}
