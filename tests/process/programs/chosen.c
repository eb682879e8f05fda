// A program that chooses the implementation of a function as it starts.
static int process_slowly(int port) {
  return port + 1;
}

__attribute__((noinline)) int process_fast(int port) {
  return port + 2;
}

static int (*choose(void))(int) {
  return process_slowly(1) == 2 ? process_fast : process_slowly;
}

int process_packet(int port) __attribute__((ifunc("choose")));

__attribute__((noinline)) int nf_process(int port) {
  return process_packet(port);
}

int main(int argc, char** argv) {
  (void)argv;
  return nf_process(argc);
}
