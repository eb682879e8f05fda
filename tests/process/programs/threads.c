// Has threads that run and that sleep when the entry is called; with an argument the entry is called by a
// thread while the main one has ended.
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

volatile uint64_t spinning;

__attribute__((noinline)) int nf_process(int port) {
  return port + (int)(spinning & 0);
}

static void* spin(void* unused) {
  while (1) ++spinning;
  return unused;
}

static void* sleep_on(void* unused) {
  while (1) pause();
  return unused;
}

static void* work(void* unused) {
  while (1) nf_process(5);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  pthread_create(&thread, 0, spin, 0);
  pthread_create(&thread, 0, sleep_on, 0);
  if (argc == 1) work(argv);
  pthread_create(&thread, 0, work, 0);
  pthread_exit(0);
}
