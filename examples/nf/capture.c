// Runs a network function over a capture.
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "nf.h"

enum { SNAPSHOT_LENGTH = 65535 };

struct run {
  const char* program;
  const struct capture_files* files;
  pcap_t* in;
  pcap_t* form;  // what libpcap wants to know of the file to write
  pcap_dumper_t* out;
  FILE* verdicts;
};

static void write_verdict(FILE* verdicts, int output) {
  if (output == NF_DROP) {
    fprintf(verdicts, "drop\n");
  } else if (output == NF_FLOOD) {
    fprintf(verdicts, "flood\n");
  } else {
    fprintf(verdicts, "%d\n", output);
  }
}

static int open_files(struct run* run) {
  char error[PCAP_ERRBUF_SIZE];
  run->in = pcap_open_offline_with_tstamp_precision(run->files->in, PCAP_TSTAMP_PRECISION_NANO, error);
  if (run->in == NULL) {
    fprintf(stderr, "%s: cannot read the capture: %s\n", run->program, error);
    return EXIT_FAILURE;
  }
  if (pcap_datalink(run->in) != DLT_EN10MB) {
    fprintf(stderr, "%s: %s: the packets are of link type %d, expected Ethernet (%d)\n", run->program,
            run->files->in, pcap_datalink(run->in), DLT_EN10MB);
    return EXIT_FAILURE;
  }
  if (run->files->out != NULL) {
    run->form = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, SNAPSHOT_LENGTH, PCAP_TSTAMP_PRECISION_NANO);
    run->out = pcap_dump_open(run->form, run->files->out);
    if (run->out == NULL) {
      fprintf(stderr, "%s: cannot write the capture: %s\n", run->program, pcap_geterr(run->form));
      return EXIT_FAILURE;
    }
  }
  if (run->files->verdicts != NULL) {
    run->verdicts = fopen(run->files->verdicts, "w");
    if (run->verdicts == NULL) {
      fprintf(stderr, "%s: cannot write %s: %s\n", run->program, run->files->verdicts, strerror(errno));
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}

static int process_all(struct run* run, uint16_t port) {
  uint8_t* packet = packet_buffer();
  struct pcap_pkthdr* header;
  const u_char* bytes;
  int status;
  for (unsigned long number = 1; (status = pcap_next_ex(run->in, &header, &bytes)) == 1; number++) {
    if (header->caplen != header->len || header->len > LARGEST_PACKET) {
      fprintf(stderr,
              "%s: %s: packet %lu has %u bytes of which %u were captured, expected all of at most %d\n",
              run->program, run->files->in, number, header->len, header->caplen, LARGEST_PACKET);
      return EXIT_FAILURE;
    }
    memcpy(packet, bytes, header->len);
    // With nanosecond precision libpcap keeps nanoseconds in tv_usec.
    uint64_t now_ns = (uint64_t)header->ts.tv_sec * 1000000000 + (uint64_t)header->ts.tv_usec;
    int output = nf_process(port, packet, (uint16_t)header->len, now_ns);
    if (run->out != NULL && output != NF_DROP) pcap_dump((u_char*)run->out, header, packet);
    if (run->verdicts != NULL) write_verdict(run->verdicts, output);
  }
  if (status == PCAP_ERROR) {
    fprintf(stderr, "%s: %s: %s\n", run->program, run->files->in, pcap_geterr(run->in));
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

// A full disk shows only when the last bytes are written.
static int close_files(struct run* run) {
  int status = EXIT_SUCCESS;
  if (run->out != NULL) {
    if (pcap_dump_flush(run->out) != 0) {
      fprintf(stderr, "%s: cannot write %s: %s\n", run->program, run->files->out, strerror(errno));
      status = EXIT_FAILURE;
    }
    pcap_dump_close(run->out);
  }
  if (run->verdicts != NULL && fclose(run->verdicts) != 0) {
    fprintf(stderr, "%s: cannot write %s: %s\n", run->program, run->files->verdicts, strerror(errno));
    status = EXIT_FAILURE;
  }
  if (run->form != NULL) pcap_close(run->form);
  if (run->in != NULL) pcap_close(run->in);
  return status;
}

int run_capture(const char* program, const struct capture_files* files, uint16_t port) {
  struct run run = {.program = program, .files = files};
  int status = open_files(&run);
  if (status == EXIT_SUCCESS) status = process_all(&run, port);
  int closed = close_files(&run);
  return status == EXIT_SUCCESS ? closed : status;
}
