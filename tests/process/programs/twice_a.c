// With twice_b.c: a program with two local functions of one name.
int other(int value);

__attribute__((noinline)) static int nf_process(int port) {
  return port + 1;
}

int main(int argc, char** argv) {
  (void)argv;
  return nf_process(argc) + other(argc);
}
