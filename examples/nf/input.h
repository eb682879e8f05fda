// Reads the packets of a capture, and the ports by which they come in.
#ifndef INPUT_H
#define INPUT_H

#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "harness.h"

struct input {
  const char* program;
  const struct capture_files* files;
  pcap_t* capture;
  FILE* ports;           // or NULL
  unsigned long number;  // of the packet read last, from 1
};

struct input_packet {
  const struct pcap_pkthdr* header;  // valid, as the bytes are, until the next packet is read
  const uint8_t* bytes;
  uint16_t length;  // at most LARGEST_PACKET
  uint16_t port;
  uint64_t now_ns;
};

// Returns false after saying on stderr what is wrong. To be closed in either case.
bool input_open(struct input* input, const char* program, const struct capture_files* files);
void input_close(struct input* input);

// Reads the next packet. An error was said on stderr.
enum input_status { INPUT_PACKET, INPUT_END, INPUT_ERROR };
enum input_status input_next(struct input* input, struct input_packet* packet);

#endif
