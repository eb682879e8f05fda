// Marks for packet-processing code in C11 and C++: they tell perfpact where a performance-critical variable
// (PCV) counts, where an outcome is reached, and which functions are methods and entries.
//
//   while (probe < capacity) {
//     PERFPACT_PCV(t);                       // t: how often this loop head is reached
//     ...
//     PERFPACT_OUTCOME(hit);                 // this call ends in outcome `hit`
//     return true;
//   }
//
//   PERFPACT_ENTRY(nf_process)               // in front of the definition, and nowhere else
//   int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns) { ... }
//
// A mark is an assembler label and a note about it in the ELF section .note.perfpact. It adds no instruction,
// but compilers may choose registers and the order of blocks differently around it: the marked build is the
// one to ship. Every copy that a compiler makes of a mark (inlining, unrolling, templates, link-time
// optimisation) has a note of its own: a PCV is the sum over all its sites.
//
// The notes are standard ELF notes, aligned to 4 bytes:
//
//   namesz 9 | descsz | type | "perfpact\0" padded to 12 | desc padded to 4
//   desc = 8 bytes: address of the mark minus address of these 8 bytes (so nothing is relocated at load time)
//          followed by the mark's name and a NUL
//   type = 1 PCV, 2 outcome, 3 method, 4 entry
//
// What to know:
// - The compiler may not drop, merge or duplicate a mark freely: a marked loop is not vectorised and not
// turned
//   into a call of memset or the like; a marked branch does not become a conditional move.
// - The mark is the address of the instruction after it. If the compiler leaves no instruction between a mark
// and
//   the point where other ways join, those ways pass the same address and are counted too. (Seen: gcc -O3
//   peels the last round of a loop, in which nothing but `return -1` is left, and merges it with all others.)
//   So put a mark where work follows that is not done on other ways: behind the tests that leave the loop, in
//   front of the work of an outcome. And hold the counts to a model by stepping, as the tests of examples/nf
//   do.
// - -DPERFPACT_EXACT_MARKS puts a `nop` behind each mark. Then no way can share its address.
// - Methods and entries have C linkage (extern "C" in C++) and are not static: the note refers to the symbol.
//   In a shared library give them hidden visibility, else the linker warns and relocates the note at load
//   time.
// - -DPERFPACT_COUNT makes all of them count into a buffer instead: nflib/count.h.
// - -DPERFPACT_NO_MARKS makes all of them empty but for the attributes of methods and entries.
//
// Limits: ELF on x86-64 with GNU as or clang's assembler.
// Tested by: tests/nflib.
#ifndef PERFPACT_H
#define PERFPACT_H

// Methods and entries stay functions that are called: not inlined, not cloned, not dropped.
#if defined(__clang__)
#define PERFPACT_KEPT_ __attribute__((noinline, used))
#else
#define PERFPACT_KEPT_ __attribute__((noipa, used, externally_visible))
#endif

// The note itself; ADDRESS is what it points at. Labels are numeric, so that copies do not collide. The
// section flag "?" puts the note into the COMDAT group of the function around it: both stay or both go.
#define PERFPACT_NOTE_(type, address, name)    \
  ".pushsection .note.perfpact,\"a?\",@note\n" \
  ".balign 4\n"                                \
  ".long 9, 7709f - 7708f, " #type             \
  "\n"                                         \
  ".asciz \"perfpact\"\n"                      \
  ".balign 4\n"                                \
  "7708: .quad " address                       \
  " - .\n"                                     \
  ".asciz \"" name                             \
  "\"\n"                                       \
  "7709: .balign 4\n"                          \
  ".popsection\n"

#if defined(PERFPACT_EXACT_MARKS)
#define PERFPACT_ANCHOR_ "nop\n"
#else
#define PERFPACT_ANCHOR_ ""
#endif

#if defined(PERFPACT_NO_MARKS)
#define PERFPACT_MARK_(type, name) ((void)0)
#define PERFPACT_FUNCTION_(type, function) PERFPACT_KEPT_
#elif defined(PERFPACT_COUNT)
#ifdef __cplusplus
extern "C" {
#endif
void perfpact_count_pcv(const char* name);
void perfpact_count_outcome(const char* name);
#ifdef __cplusplus
}
#endif
#define PERFPACT_MARK_(type, name) PERFPACT_COUNT_##type##_(name)
#define PERFPACT_COUNT_1_(name) perfpact_count_pcv(name)
#define PERFPACT_COUNT_2_(name) perfpact_count_outcome(name)
// A stub, and a record of the function for the run-time, which puts a call of the stub into the room at the
// function's start.
#define PERFPACT_FUNCTION_(type, function)                     \
  __asm__(                                                     \
      ".pushsection .text.perfpact_count,\"ax\",@progbits\n"   \
      "7701: lea 7702f(%rip), %r11\n"                          \
      "jmp perfpact_count_enter\n"                             \
      ".popsection\n"                                          \
      ".pushsection .rodata.perfpact_count,\"a\",@progbits\n"  \
      "7703: .asciz \"" #function                              \
      "\"\n"                                                   \
      "7704: .asciz \"" __FILE__                               \
      "\"\n"                                                   \
      ".popsection\n"                                          \
      ".pushsection perfpact_count,\"aw\",@progbits\n"         \
      ".balign 8\n"                                            \
      "7702: .quad " #function ", 7701b, 7703b, 7704b, " #type \
      "\n"                                                     \
      ".popsection\n");                                        \
  __attribute__((patchable_function_entry(5))) PERFPACT_KEPT_
#else
// `inline` keeps the length of the text out of the compiler's guess of the code's size.
#define PERFPACT_MARK_(type, name) \
  __asm__ __volatile__ __inline__("7707:\n" PERFPACT_ANCHOR_ PERFPACT_NOTE_(type, "7707b", name))
#define PERFPACT_FUNCTION_(type, function)             \
  __asm__(PERFPACT_NOTE_(type, #function, #function)); \
  PERFPACT_KEPT_
#endif

// A statement, first in the body of a loop: NAME counts how often it is reached.
#define PERFPACT_PCV(name) PERFPACT_MARK_(1, #name)
// A statement: the call of the method around it ends in outcome NAME.
#define PERFPACT_OUTCOME(name) PERFPACT_MARK_(2, #name)
// In front of the definition of FUNCTION, a stateful method: a call of it is one unit with its own contract.
#define PERFPACT_METHOD(function) PERFPACT_FUNCTION_(3, function)
// In front of the definition of FUNCTION, which processes one packet a call.
#define PERFPACT_ENTRY(function) PERFPACT_FUNCTION_(4, function)

#endif
