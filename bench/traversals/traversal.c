/* One pass over as many elements as the first argument says, one to a cache line: a linked list in random
 * order (LAYOUT 0), a linked list in the order of memory (1), an array (2). What a step waits for tells them
 * apart: the load before and memory, the load before, nothing.
 *
 *   traversal ELEMENTS             calls traverse once
 *   traversal ELEMENTS CALLS       prints the ticks of the time stamp counter that each call took, one a line
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <x86intrin.h>

enum { kLine = 64 };

struct element {
  struct element* next;
  uint64_t value;
  uint8_t unused[kLine - 16];
};

static struct element* elements;
static uint64_t count;

__attribute__((noinline)) int traverse(uint32_t port, const uint8_t* packet, uint32_t length) {
  (void)packet;
  (void)length;
  uint64_t sum = port;
#if LAYOUT == 2
  const struct element* end = elements + count;
  for (const struct element* at = elements; at != end; ++at) sum += at->value;
#else
  for (const struct element* at = elements; at; at = at->next) sum += at->value;
#endif
  return sum != 0 ? 1 : -1;
}

/* xorshift64 (Marsaglia, 2003). */
static uint64_t next_random(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void link_elements(void) {
  uint64_t* order = malloc(count * sizeof *order);
  uint64_t state = 88172645463325252ULL;
  if (!order) exit(1);
  for (uint64_t i = 0; i < count; ++i) order[i] = i;
#if LAYOUT == 0
  for (uint64_t i = count; i-- > 2;) { /* the first stays, so that the list begins there */
    const uint64_t other = 1 + next_random(&state) % i, moved = order[i];
    order[i] = order[other];
    order[other] = moved;
  }
#else
  (void)next_random;
  (void)state;
#endif
  for (uint64_t i = 0; i < count; ++i) {
    elements[order[i]].next = i + 1 < count ? &elements[order[i + 1]] : NULL;
    elements[order[i]].value = 1;
  }
  free(order);
}

int main(int argc, char** argv) {
  static uint8_t packet[kLine];
  count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  if (count < 2) return 2;
  elements = mmap(NULL, count * sizeof *elements, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (elements == MAP_FAILED) return 1;
  (void)madvise(elements, count * sizeof *elements, MADV_HUGEPAGE);
  link_elements();
  const long calls = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  if (calls == 0) return traverse(0, packet, kLine) != 1;
  for (long i = 0; i < calls; ++i) {
    unsigned processor;
    _mm_lfence();
    const uint64_t begin = __rdtscp(&processor);
    _mm_lfence();
    const int result = traverse(0, packet, kLine);
    _mm_lfence();
    const uint64_t end = __rdtscp(&processor);
    if (result != 1) return 1;
    printf("%llu\n", (unsigned long long)(end - begin));
  }
  return 0;
}
