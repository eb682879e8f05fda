// What every network function in this folder is to its harness: two functions. The harness (main.c) receives,
// transmits and releases packets; a network function decides.
#ifndef NF_H
#define NF_H

#include <stdint.h>

enum { NF_DROP = -1, NF_FLOOD = 65535 };

// Called once with the arguments that are not the harness's; argv[0] is the program. Returns 0, or the exit
// status after saying on stderr what is wrong.
enum { NF_BAD_INPUT = 1, NF_BAD_USAGE = 2 };
int nf_init(int argc, char** argv);

// One line for each option that nf_init knows, or "".
extern const char nf_options[];

// An nf_init for network functions without options; the harness has it.
int nf_takes_no_options(int argc, char** argv);

// Says that there is not enough memory; the exit status for it. The harness has it.
int nf_no_memory(const char* program);

// Decides on the packet of LENGTH bytes that came in by PORT at NOW_NS (since 1970, UT) and may rewrite it in
// place. Returns the port to send it to, NF_DROP, or NF_FLOOD for all ports but PORT.
int nf_process(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns);

// State that was last used before this time has been silent for longer than TIMEOUT_NS.
enum { NF_LONGEST_TIMEOUT_MS = 1000000000 };
static inline uint64_t nf_time_before(uint64_t now_ns, uint64_t timeout_ns) {
  return now_ns > timeout_ns ? now_ns - timeout_ns : 0;
}

#endif
