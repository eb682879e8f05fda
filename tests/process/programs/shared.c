// Has memory that it shares: with its children, and with the file that is its argument, whose mapping is
// longer than the file is by a page where there is a second argument.
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

uint64_t *anonymous, *of_file;

__attribute__((noinline)) int nf_process(uint64_t value) {
  *anonymous = value;
  *of_file = value;
  return (int)(*anonymous + *of_file);
}

int main(int argc, char** argv) {
  anonymous = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int file = open(argv[1], O_RDWR);
  of_file = mmap(0, argc > 2 ? 8192 : 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  anonymous[0] = 5;
  anonymous[700] = 7;
  return nf_process(9);
}
