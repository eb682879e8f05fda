#include "shared.h"

int other(int value);
int other(int value) {
  return length(value + 1);
}
