// Both halves of what costs_test.py steps through.
#pragma once
#include <stdint.h>

enum { ROUNDS = 400 };

uint32_t random_below(uint32_t bound);
void drive_more(void);
