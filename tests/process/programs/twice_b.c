__attribute__((noinline)) static int nf_process(int port) {
  return port * 3;
}

int other(int value) {
  return nf_process(value);
}
