// Calls of the C library. Results are constants of each way, so what the real functions give can be compared.
#include <stdio.h>
#include <time.h>

#include "entries.h"

// Sizes that compilers do not know, so that they leave the calls as they are.
static volatile size_t four = 4, eight = 8, nothing = 0;

uint8_t store[64];

// A way of its own, that the compiler does not put together with others.
#define END(result)                     \
  do {                                  \
    __asm__ volatile("" ::"i"(result)); \
    return result;                      \
  } while (0)

ENTRY(copies) {
  UNUSED_ARGUMENTS;
  uint8_t copy[16];
  memset(copy, 0x55, eight + eight);
  if (memcpy(copy, packet, four) != copy) END(99);
  if (copy[4] != 0x55) END(99);
  if (copy[0] == 1 && copy[3] == 2) END(1);
  END(2);
}

ENTRY(copies_as_many_as_there_are) {
  UNUSED_ARGUMENTS;
  uint8_t copy[16] = {0};
  memcpy(copy, packet, length);
  if (copy[length] != 0) END(99);
  if (copy[length - 1] == 7) END(1);
  if (copy[5] == 3) END(2);
  END(3);
}

ENTRY(copies_as_many_as_it_says) {
  UNUSED_ARGUMENTS;
  uint8_t copy[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  const size_t count = (packet[0] & 3) + nothing;
  memcpy(copy, packet, count);
  if (copy[count] != 9) END(99);
  if (copy[1] == 9) END(1);
  END(2);
}

ENTRY(moves) {
  UNUSED_ARGUMENTS;
  uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  memmove(bytes + 1, bytes, (packet[0] & 1) + eight - 2);
  if (bytes[0] != 1 || bytes[1] != 1 || bytes[2] != 2 || bytes[6] != 6) END(99);
  if (bytes[7] == 7) END(1);
  END(2);
}

ENTRY(fills) {
  UNUSED_ARGUMENTS;
  memset(store, 0, sizeof(store) - nothing);
  memset(store + 8, packet[0], eight + (packet[1] & 1));
  if (store[7] != 0 || store[17] != 0 || store[8] != packet[0] || store[15] != packet[0]) END(99);
  if (packet[0] == 0) END(3);
  if (store[16] == 0) END(1);
  END(2);
}

ENTRY(compares) {
  UNUSED_ARGUMENTS;
  const int order = memcmp(packet, "\x80\x02\x03\x04", four);
  if (order < 0) END(1);
  if (order > 0) END(2);
  END(3);
}

ENTRY(compares_as_many_as_it_says) {
  UNUSED_ARGUMENTS;
  const int order = memcmp(packet + 1, "\x01\x02\x03", (packet[0] & 3) + nothing);
  if (order < 0) END(1);
  if (order > 0) END(2);
  END(3);
}

ENTRY(compares_strings) {
  UNUSED_ARGUMENTS;
  char text[5] = {0};
  memcpy(text, packet, four);
  const int order = strcmp(text, "ab");
  if (order < 0) END(1);
  if (order > 0) END(2);
  END(3);
}

ENTRY(compares_strings_in_part) {
  UNUSED_ARGUMENTS;
  const int order = strncmp((const char*)packet, "ab\x81", nothing + 3);
  if (order < 0) END(1);
  if (order > 0) END(2);
  END(3);
}

ENTRY(measures) {
  UNUSED_ARGUMENTS;
  char text[5];
  memcpy(text, packet, four);
  text[nothing + 4] = 0;
  const size_t length_of_text = strlen(text);
  if (length_of_text > 4) END(99);
  if (length_of_text == 4) END(1);
  if (length_of_text == 0) END(2);
  END(3);
}

ENTRY(measures_in_part) {
  UNUSED_ARGUMENTS;
  const size_t most = (packet[3] & 3) + nothing;
  const size_t measured = strnlen((const char*)packet, most);
  if (measured > most) END(99);
  if (measured == most) END(1);
  END(2);
}

ENTRY(allocates) {
  UNUSED_ARGUMENTS;
  uint8_t* first = malloc(eight);
  if (first == NULL) return 1;
  uint8_t* second = malloc(eight + (packet[0] & 1));
  if (second == NULL) return 2;
  HIDE(first);
  HIDE(second);
  first[7] = packet[1];
  second[7] = packet[2];
  const int is_kept = first[7] == packet[1];
  free(second);
  free(first);
  if (is_kept) END(3);
  END(99);
}

ENTRY(prints) {
  UNUSED_ARGUMENTS;
  if (packet[0] == 1) printf("one %d\n", packet[1]);
  if (packet[0] == 1) END(1);
  END(2);
}

ENTRY(asks_for_the_time) {
  UNUSED_ARGUMENTS;
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || now.tv_nsec > 999999999 || now.tv_nsec < 0) END(99);
  if (now.tv_sec & 1) END(1);
  END(2);
}

ENTRY(copies_from_nowhere) {
  UNUSED_ARGUMENTS;
  const uint8_t* nowhere = (const uint8_t*)four;
  memcpy(store, packet[0] == 1 ? packet : nowhere + packet[1] % 2, four);
  return 1;
}

ENTRY(measures_without_end) {
  UNUSED_ARGUMENTS;
  static char endless[4096 * 2];
  memset(endless, 'a', sizeof endless - 1 - nothing);
  return strlen(endless + nothing) > 5000 ? 1 : 2;
}

int main(void) {
  static nf_function* const volatile kFunctions[] = {copies,
                                                     copies_as_many_as_there_are,
                                                     copies_as_many_as_it_says,
                                                     moves,
                                                     fills,
                                                     compares,
                                                     compares_as_many_as_it_says,
                                                     compares_strings,
                                                     measures,
                                                     compares_strings_in_part,
                                                     prints,
                                                     measures_in_part,
                                                     asks_for_the_time,
                                                     allocates,
                                                     copies_from_nowhere,
                                                     measures_without_end};
  call_each(kFunctions, sizeof kFunctions / sizeof kFunctions[0]);
  return 0;
}
