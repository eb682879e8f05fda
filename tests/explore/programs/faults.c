// Functions that fail for some packets.
#include <sys/mman.h>
#include <time.h>

#include "entries.h"

uint8_t table[64];

ENTRY(reads_outside) {
  UNUSED_ARGUMENTS;
  const uint8_t* from = table;
  uint64_t at = packet[0];
  HIDE(from);
  return from[at << 40] + 1;
}

// Between memory that cannot be written and memory that can; before both there is none.
uint8_t* border;

ENTRY(reads_across) {
  UNUSED_ARGUMENTS;
  const uint64_t page = 4096;
  const uint8_t* from = border - page - 2 + (packet[0] & 7) * page / 4;
  uint32_t first, second;
  memcpy(&first, border - 2, sizeof first);
  HIDE(from);
  memcpy(&second, from, sizeof second);
  return first == 0 && second == 0 ? 1 : 2;
}

ENTRY(writes_outside) {
  UNUSED_ARGUMENTS;
  uint8_t* to = packet;
  uint64_t at = packet[0];
  HIDE(to);
  to[4 + (at << 40)] = 1;
  return 2;
}

ENTRY(writes_constants) {
  UNUSED_ARGUMENTS;
  char* text = (char*)(uintptr_t)"constant";
  HIDE(text);
  if (packet[0] == 9) text[2] = 'x';
  return 0;
}

ENTRY(divides) {
  UNUSED_ARGUMENTS;
  return 100 / packet[0];
}

ENTRY(divides_twice) {
  UNUSED_ARGUMENTS;
  int first = 100 / (packet[0] - 7);
  HIDE(first);
  return (first & 1) + 100 / (packet[0] - 9) / 128;
}

ENTRY(jumps_away) {
  UNUSED_ARGUMENTS;
  int (*to)(void) = (int (*)(void))(uintptr_t)16;
  HIDE(to);
  if (packet[0] == 3) return to();
  return 1;
}

ENTRY(gives_up) {
  UNUSED_ARGUMENTS;
  if (packet[0] == 3) __builtin_trap();
  if (packet[0] == 4) __asm__ volatile("int3");
  if (packet[0] == 5) __asm__ volatile("hlt");
  return 1;
}

ENTRY(misaligned) {
  UNUSED_ARGUMENTS;
  const uint8_t* from = table + (packet[0] & 16) + (packet[0] == 200);
  __asm__ volatile("movdqa %0, %%xmm1" : : "m"(*(const uint8_t(*)[16])from) : "xmm1");
  return 1;
}

ENTRY(calls_kernel) {
  UNUSED_ARGUMENTS;
  long number = 39;
  if (packet[0] == 3) __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
  return number == 39 ? 0 : 1;
}

ENTRY(floats) {
  UNUSED_ARGUMENTS;
  if (packet[0] != 3) return 0;
  __asm__ volatile("fldpi\n\tfstp %%st(0)" : : : "memory");
  return 1;
}

ENTRY(never_ends) {
  UNUSED_ARGUMENTS;
  while (packet[0] == 3) __asm__ volatile("" : : : "memory");
  return 1;
}

// On the stack there is room for the one, not for the other.
__attribute__((noinline)) static int fill(uint8_t* bytes, uint64_t count) {
  bytes[0] = 1;
  bytes[count - 1] = 2;
  HIDE(bytes);
  return bytes[0] + bytes[count - 1];
}
ENTRY(uses_much_stack) {
  UNUSED_ARGUMENTS;
  uint64_t count = packet[0] == 3 ? 3 << 20 : packet[0] == 4 ? 300 << 20 : 16;
  HIDE(count);
  uint8_t bytes[count];
  return fill(bytes, count);
}

ENTRY(asks_time) {
  UNUSED_ARGUMENTS;
  struct timespec time = {0};
  if (packet[0] == 3) clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec > 100 ? 1 : 0;
}

// Packets are kept where few fit.
struct {
  uint8_t packet[32];
} small;
ENTRY(has_little_room) {
  UNUSED_ARGUMENTS;
  return packet[20] == 1 ? 1 : 0;
}

int main(void) {
  static nf_function* const volatile functions[] = {
      writes_constants, divides,    jumps_away,    gives_up,        misaligned, calls_kernel,
      floats,           never_ends, divides_twice, uses_much_stack, asks_time,  reads_across};
  const size_t page = 4096;
  uint8_t* pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  border = pages + 2 * page;
  if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_READ) != 0 ||
      mprotect(border, page, PROT_READ | PROT_WRITE) != 0)
    return 1;
  call_each(functions, sizeof functions / sizeof *functions);
  packet_buffer()[0] = 0;
  reads_outside(0, packet_buffer(), 14, 0);
  packet_buffer()[0] = 0;
  writes_outside(0, packet_buffer(), 14, 0);
  static nf_function* const volatile last = has_little_room;
  last(0, small.packet + 4, 14, 0);
  return 0;
}
