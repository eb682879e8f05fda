#pragma once
#include "perfpact.h"

// Both files that include this have a copy; the linker keeps one, with its note.
template <typename T>
__attribute__((noinline)) T length(T value) {
  T steps = 0;
  while (value != 0) {
    PERFPACT_PCV(steps);
    value /= 10;
    steps++;
  }
  return steps;
}
