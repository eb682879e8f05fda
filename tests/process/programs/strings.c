// A function that calls the C library's string functions.
#include <stdint.h>
#include <string.h>

static volatile uint64_t length = 300;
static char from[512], to[512];

__attribute__((noinline)) int nf_process(void) {
  uint64_t size = length;
  memset(from, 'x', size);
  memmove(from + 1, from, size);
  memcpy(to, from, size);
  return memcmp(from, to, size) + (int)strlen(to) + (strchr(to, 'y') != 0) + strcmp(from, to) +
         strncmp(from, to, size) + (memchr(to, 'y', size) != 0) + (strrchr(to, 'y') != 0);
}

int main(void) {
  return nf_process();
}
