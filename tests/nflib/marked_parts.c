#include "marked.h"
#include "perfpact.h"

PERFPACT_METHOD(sum)
int sum(const int* numbers, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) {
    PERFPACT_PCV(n);
    total += numbers[i];
  }
  return total;
}

// Not a method: compilers may inline and copy it.
int count_probes(unsigned bits) {
  int probes = 0;
  while (bits != 0) {
    PERFPACT_PCV(t);
    probes += (int)(bits & 1);
    bits >>= 1;
  }
  return probes;
}
