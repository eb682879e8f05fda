// Calls each function of functions.S once.
#include <stdint.h>

int copy_bytes(void* to, const void* from, uint64_t count);
int copy_bytes_32(void* to, const void* from, uint64_t count);
int compare_bytes(const void* a, const void* b, uint64_t count);
int use_stack(int value);
int change_memory(uint64_t* cell, uint64_t value);
uint64_t read_time(void);
uint64_t read_time_twice(void);
uint64_t push_flags(void);
int call_system(void);
int break_point(void);
int divide(int a, int b);
int spin(uint64_t count);
int call_twice(uint64_t value);
int undefined(void);

uint8_t source[64], target[64];
uint64_t cell = 40;

int main(void) {
  for (int i = 0; i < 64; ++i) source[i] = (uint8_t)(i + 1);
  copy_bytes(target, source, 5);
  copy_bytes_32(target, source, 3);
  compare_bytes(target, source, 5);
  use_stack(3);
  change_memory(&cell, 2);
  read_time();
  read_time_twice();
  push_flags();
  spin(10);
  call_twice(4);
  divide(8, 2);
  if (cell == 42) {
    call_system();
    break_point();
    undefined();
  }
  return 0;
}
