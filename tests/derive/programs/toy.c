// Methods whose costs are known, written in machine code, and marked ones as compilers make them.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "perfpact.h"

#define MARK(type, name) "7707:\n" PERFPACT_NOTE_(type, "7707b", name)
#define METHOD(name) \
  PERFPACT_NOTE_(3, #name, #name) ".globl " #name "\n.type " #name ", @function\n" #name ":\n"
#define END(name) ".size " #name ", . - " #name "\n"

struct cell {
  struct cell* next;
};

// Cells of a list: 4*l + 5 instructions, l + 1 loads.
uint32_t toy_length(const struct cell* list);
__asm__(".text\n" METHOD(toy_length)
        "xor %eax, %eax\n"
        "jmp 2f\n"
        "1:\n" MARK(1, "l")
        "inc %eax\n"
        "mov (%rdi), %rdi\n"
        "2: test %rdi, %rdi\n"
        "jne 1b\n" MARK(2, "done")
        "ret\n" END(toy_length));

// The same twice: 8*length.l / 2 and 2 * 5, and seven of its own with two calls and a push.
uint32_t toy_lengths(const struct cell* one, const struct cell* other);
__asm__(METHOD(toy_lengths)
        "push %rsi\n"
        "call toy_length\n"
        "pop %rdi\n"
        "mov %eax, %edx\n"
        "call toy_length\n"
        "add %edx, %eax\n"
        "ret\n" END(toy_lengths));

// What it returns says how it ends: one more instruction for 1. The second test repeats the first.
uint32_t toy_sign(int value);
__asm__(METHOD(toy_sign)
        "call toy_is_negative\n"
        "test %al, %al\n"
        "je 1f\n"
        "nop\n"
        "mov $1, %eax\n"
        "ret\n"
        "1: xor %eax, %eax\n"
        "ret\n" END(toy_sign)
        ".type toy_is_negative, @function\n"
        "toy_is_negative: test %edi, %edi\n"
        "js 1f\n"
        "xor %eax, %eax\n"
        "ret\n"
        "1: mov $1, %eax\n"
        "nop\nnop\nnop\n"
        "ret\n");

// No marks in its loop: 2*n + 3 instructions, told by `loops: {toy_countdown+0x2: n}`.
void toy_countdown(uint32_t from);
__asm__(METHOD(toy_countdown)
        "mov %edi, %edi\n"
        "1: dec %edi\n"
        "jne 1b\n"
        "nop\n"
        "ret\n" END(toy_countdown));

// Thirty-two bytes written by one instruction.
void toy_clear(void* bytes);
__asm__(METHOD(toy_clear)
        "xor %eax, %eax\n"
        "mov $32, %ecx\n"
        "rep stosb\n"
        "ret\n" END(toy_clear));

// Each of e entries is found or not: 4 instructions, 10 more where it is found, and 4 for each of s slots
// behind it, of which there is one at least.
void toy_erase(uint32_t entries, uint64_t found, uint32_t slots);
__asm__(METHOD(toy_erase)
        "1:\n" MARK(1, "e")
        "test $1, %sil\n"
        "je 3f\n"
        "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\n"
        "2:\n" MARK(1, "s")
        "shr $1, %rsi\n"
        "nop\n"
        "dec %edx\n"
        "jne 2b\n"
        "3: dec %edi\n"
        "jne 1b\n"
        "ret\n" END(toy_erase));

PERFPACT_METHOD(toy_sum)
uint32_t toy_sum(const uint32_t* values, uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    PERFPACT_PCV(n);
    sum += values[i] ^ (sum >> 3);
  }
  PERFPACT_OUTCOME(done);
  return sum;
}

// Two conditions that are one: what code allows is dearer than what calls do.
PERFPACT_METHOD(toy_related)
uint32_t toy_related(uint32_t value) {
  uint32_t result = 1;
  if (value > 10) {
    PERFPACT_PCV(large);
    result *= value * 3;
  }
  if (value <= 10) {
    PERFPACT_OUTCOME(small);
    return result + 1;
  }
  PERFPACT_OUTCOME(big);
  return result ^ value;
}

typedef uint32_t operation(uint32_t value);
uint32_t toy_cheap(uint32_t value);
uint32_t toy_dear(uint32_t value);
__asm__(".globl toy_cheap, toy_dear\n"
        ".type toy_cheap, @function\n"
        "toy_cheap: mov %edi, %eax\n" MARK(2, "applied") "ret\n"
        ".type toy_dear, @function\n"
        "toy_dear: mov %edi, %eax\nnop\nnop\n" MARK(2, "applied") "ret\n"
        ".globl toy_other\n.type toy_other, @function\n"
        "toy_other: mov %edi, %eax\n" MARK(2, "other") "ret\n"
        ".globl toy_counting\n.type toy_counting, @function\n"
        "toy_counting: mov %edi, %eax\n" MARK(1, "k") "nop\n" MARK(2, "applied") "ret\n");
uint32_t toy_other(uint32_t value);
uint32_t toy_counting(uint32_t value);

// The call is at toy_apply+0x3.
uint32_t toy_apply(uint32_t value, operation* apply);
__asm__(METHOD(toy_apply)
        "push %rbx\n"
        "nop\nnop\n"
        "call *%rsi\n"
        "pop %rbx\n"
        "ret\n" END(toy_apply));

int main(int argc, char** argv) {
  const int calls = argc > 1 ? atoi(argv[1]) : 0;
  const char* which = argc > 2 ? argv[2] : "";
  operation* apply = which[0] == 'd'   ? toy_dear
                     : which[0] == 'o' ? toy_other
                     : which[0] == 'k' ? toy_counting
                                       : toy_cheap;
  struct cell cells[8] = {{NULL}};
  uint32_t values[40] = {1, 2, 3};
  uint32_t sum = 0;
  for (int i = 1; i < 8; i++) cells[i].next = &cells[i - 1];
  for (int i = 0; i < calls; i++) {
    sum += toy_length(&cells[i % 8]) + toy_lengths(&cells[i % 8], i % 3 == 0 ? NULL : cells);
    sum += toy_sign(i % 5 - 2) + toy_sum(values, (uint32_t)i % 40) + toy_related((uint32_t)i % 20);
    sum += toy_apply((uint32_t)i, apply);
    toy_clear(values);
    toy_countdown(3);
  }
  printf("%u\n", sum);
  return 0;
}
