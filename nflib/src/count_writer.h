// Writes records as lines of JSON, in the form that nflib/count.h shows.
#ifndef NFLIB_COUNT_WRITER_H
#define NFLIB_COUNT_WRITER_H

#include <stdio.h>

#include "count_hooks.h"

// A packet and the calls behind it.
void count_write_packet(FILE* file, const struct count_call* packet);
void count_write_lost(FILE* file, uint64_t lost);

#endif
