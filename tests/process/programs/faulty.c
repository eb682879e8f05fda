// Never calls its entry in its own process; the argument says what it does instead.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int nf_process(int port) {
  __asm__ volatile("");
  return port;
}

__attribute__((noinline)) static void init_table(volatile int* cell) {
  *cell = 1;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  for (int i = 1; i <= 8; ++i) printf("line %d\n", i);
  fflush(stdout);
  if (strcmp(what, "crash") == 0) init_table((volatile int*)8);
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "exit") == 0) exit(7);
  if (strcmp(what, "wait") == 0) pause();
  if (strcmp(what, "replace") == 0) execv("/bin/true", argv);
  if (strcmp(what, "fork") == 0) {
    if (fork() == 0) return nf_process(1);
    wait(NULL);
  }
  if (strcmp(what, "helper") == 0) {
    if (fork() == 0) return 3;
    int status = 0;
    wait(&status);
    return nf_process(WEXITSTATUS(status));
  }
  return 0;
}
