/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later

   What perfpact and its valgrind tool send each other, over a stream socket, in the machine's byte order.

   The tool sends records. COUNT_BLOCK, COUNT_BEGIN and COUNT_HANDLE wait for an answer: a struct count_fate
   for each instruction of the block, or one byte. */
#ifndef PERFPACT_COUNT_PROTOCOL_H
#define PERFPACT_COUNT_PROTOCOL_H

#include <stdint.h>

enum count_kind {
  COUNT_BLOCK = 1,   /* a block is translated; `a` struct count_instruction follow */
  COUNT_BEGIN,       /* the entry is called; COUNT_ARGUMENTS 64-bit numbers follow, its arguments */
  COUNT_HANDLE,      /* a structure `a` of methods that was not seen before */
  COUNT_ENTER,       /* the method at `a` begins, of the structure `b` */
  COUNT_LEAVE,       /* the innermost method has ended; `b`: it has returned, with rax `a` */
  COUNT_MARK,        /* the mark at `a` is reached */
  COUNT_END,         /* the call ended: `a` is an enum count_ending, `b` rax or the signal, `c` the address */
  COUNT_EXECUTED,    /* profile, at the end: what the instruction at `a` counted in all calls */
  COUNT_EXECUTE,     /* the program starts another in its place, */
  COUNT_NOT_EXECUTED /* or could not */
};

enum count_ending { COUNT_RETURNED, COUNT_LEFT, COUNT_SIGNAL, COUNT_ENDED, COUNT_NOT_DECODED };

enum { COUNT_ARGUMENTS = 6, COUNT_LONGEST_INSTRUCTION = 15 };

struct count_record {
  uint32_t kind;
  uint32_t thread;
  uint64_t a, b, c;
  uint64_t instructions, loads, stores; /* since the call began */
};

struct count_instruction {
  uint64_t address;
  uint8_t length;
  uint8_t bytes[COUNT_LONGEST_INSTRUCTION];
};

enum count_flags {
  COUNT_IS_ENTRY = 1,
  COUNT_IS_METHOD = 2,
  COUNT_IS_MARK = 4,
  COUNT_REPEATS = 8,     /* by rcx */
  COUNT_REPEATS_32 = 16, /* by ecx */
  COUNT_IS_UNKNOWN = 32  /* it cannot be counted */
};

/* What an instruction, or one iteration of it, counts, and what begins there. */
struct count_fate {
  uint8_t loads, stores, flags;
  uint8_t handle; /* which argument of the method is the structure; COUNT_ARGUMENTS: none */
};

#endif
