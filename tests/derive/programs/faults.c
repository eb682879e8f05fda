// Methods that cannot be derived.
#include <stdint.h>

#include "perfpact.h"

PERFPACT_METHOD(unmarked)
uint32_t unmarked(uint32_t value) {
  while (value % 7 != 0) value = value * 5 + (value >> 3);  // the loop
  PERFPACT_OUTCOME(done);
  return value;
}

PERFPACT_METHOD(recursive)
uint32_t recursive(uint32_t value) {
  if (value > 1) return value * recursive(value - 1) + recursive(value - 2);
  PERFPACT_OUTCOME(done);
  return 1;
}

PERFPACT_METHOD(indirect)
uint32_t indirect(uint32_t (*call)(void)) {
  const uint32_t result = call() + 1;
  PERFPACT_OUTCOME(done);
  return result;
}

PERFPACT_METHOD(repeating)
uint32_t repeating(void* bytes, uint64_t size) {
  __asm__ volatile("rep stosb" : "+D"(bytes), "+c"(size) : "a"(0) : "memory");
  PERFPACT_OUTCOME(done);
  return 0;
}

PERFPACT_METHOD(broken)
uint32_t broken(void) {
  __asm__ volatile(".byte 0x06");  // no instruction
  PERFPACT_OUTCOME(done);
  return 0;
}

PERFPACT_METHOD(unfinished)
uint32_t unfinished(uint32_t value) {
  if (value > 3) {
    PERFPACT_OUTCOME(done);
    return value * 3;
  }
  return 5;
}

PERFPACT_METHOD(unlisted)
uint32_t unlisted(uint32_t value) {
  if (value > 3) {
    PERFPACT_OUTCOME(done);
    return value * 3;
  }
  PERFPACT_OUTCOME(dome);
  return value * 5;
}

// Each doubles the ways of the one that it calls.
uint32_t large(uint32_t value);
__asm__(PERFPACT_NOTE_(
    3, "large",
    "large") ".macro twice name, callee\n"
             "\\name: bt %edi, %esi\n"
             "jc 1f\n"
             "call \\callee\n"
             "ret\n"
             "1: call \\callee\n"
             "ret\n"
             ".endm\n"
             ".globl large\n"
             ".type large, @function\n"
             "twice large, large1\n"
             "twice large1, large2\n"
             "twice large2, large3\n"
             "twice large3, large4\n"
             "twice large4, large5\n"
             "twice large5, large6\n"
             "twice large6, large7\n"
             "twice large7, large8\n"
             "twice large8, large9\n"
             "twice large9, large10\n"
             "twice large10, large11\n"
             "twice large11, large12\n"
             "twice large12, large13\n"
             "twice large13, large14\n"
             "twice large14, large15\n"
             "twice large15, large16\n"
             "twice large16, large17\n"
             "large17: ret\n");

int main(int argc, char** argv) {
  (void)argv;
  const uint32_t value = (uint32_t)argc;
  char bytes[4];
  if (argc > 5)
    return (int)(unmarked(value) + recursive(value) + repeating(bytes, value) + broken() + unfinished(value) +
                 unlisted(value) + large(value) + indirect((uint32_t (*)(void))broken));
  return 0;
}
