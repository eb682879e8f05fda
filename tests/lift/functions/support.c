// What compilers call without being asked: the C library's own would be code of another instruction set.
#include <stddef.h>

void* memset(void* to, int value, size_t size) {
  unsigned char* bytes = to;
  while (size-- != 0) *bytes++ = (unsigned char)value;
  return to;
}

void* memcpy(void* restrict to, const void* restrict from, size_t size) {
  unsigned char* bytes = to;
  const unsigned char* source = from;
  while (size-- != 0) *bytes++ = *source++;
  return to;
}
