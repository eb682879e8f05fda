#include "shared.h"

int other(int value);

extern "C" {
PERFPACT_ENTRY(process)
int process(int value) {
  return length(value) + other(value);
}
}

int main(int count, char**) {
  return process(count);
}
