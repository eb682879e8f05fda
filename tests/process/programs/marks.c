// A program with marks, and with -DBROKEN one whose marks end early.
#include <stdint.h>

#define MARK(type, name)                            \
  __asm__ volatile(                                 \
      "1:\n"                                        \
      ".pushsection .note.perfpact, \"a\", @note\n" \
      ".balign 4\n"                                 \
      ".long 9, 5f - 4f, " #type                    \
      "\n"                                          \
      ".asciz \"perfpact\"\n"                       \
      ".balign 4\n"                                 \
      "4: .quad 1b - .\n"                           \
      ".asciz \"" name                              \
      "\"\n"                                        \
      "5: .balign 4\n"                              \
      ".popsection")

#ifdef BROKEN
__asm__(
    ".pushsection .note.perfpact, \"a\", @note\n"
    ".long 9, 400, 1\n"
    ".asciz \"perfpact\"\n"
    ".popsection");
#endif

__attribute__((noinline)) int nf_process(int options) {
  int sum = 0;
  MARK(4, "nf_process");
  for (int i = 0; i < options; ++i) {
    MARK(1, "options");
    sum += i;
  }
  if (sum > 3) MARK(2, "long");
  MARK(3, "sum");
  return sum;
}

int main(int argc, char** argv) {
  (void)argv;
  return nf_process(argc);
}
