// The ways in which the harness feeds a network function.
#ifndef HARNESS_H
#define HARNESS_H

#include <stdint.h>

enum { LARGEST_PACKET = 2048, HEADROOM = 128 };

// Where nf_process gets its packet: always the same place, with HEADROOM bytes in front of it.
uint8_t* packet_buffer(void);

struct capture_files {
  const char* in;
  uint16_t port;         // by which all packets come in, where PORTS is NULL
  const char* ports;     // or NULL: a text file with a line for each packet: the port by which it comes in
  const char* out;       // or NULL
  const char* verdicts;  // or NULL: a text file with a line for each packet: its port, `drop` or `flood`
  const char* ticks;     // or NULL: what run_repeated is to write in the place of packets a second
  uint64_t pause_ms;     // of run_repeated, before each repetition, in the packets' times
};

// Runs all packets of a capture through the network function. Returns the exit status.
int run_capture(const char* program, const struct capture_files* files);

// Measures the network function: loads the capture, runs it once to warm up, then REPETITIONS times, each
// time with the packets restored and the times later than all before. Prints packets a second; or writes, of
// the first run too, a line `TICKS PACKETS` for each batch of 32 packets, the ticks being the time stamp
// counter's. Returns the exit status.
int run_repeated(const char* program, const struct capture_files* files, uint64_t repetitions);

// Forwards between the interfaces in the list NAMES (`a,b,c`; the first is port 0) until SIGINT or SIGTERM.
// Returns the exit status.
int run_live(const char* program, char* names);

#endif
