// Runs a network function over a capture.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "input.h"
#include "nf.h"

enum { SNAPSHOT_LENGTH = 65535 };

struct run {
  const char* program;
  const struct capture_files* files;
  struct input in;
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
  if (!input_open(&run->in, run->program, run->files)) return EXIT_FAILURE;
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

static int process_all(struct run* run) {
  uint8_t* buffer = packet_buffer();
  struct input_packet packet;
  enum input_status status;
  while ((status = input_next(&run->in, &packet)) == INPUT_PACKET) {
    memcpy(buffer, packet.bytes, packet.length);
    int output = nf_process(packet.port, buffer, packet.length, packet.now_ns);
    if (run->out != NULL && output != NF_DROP) pcap_dump((u_char*)run->out, packet.header, buffer);
    if (run->verdicts != NULL) write_verdict(run->verdicts, output);
  }
  return status == INPUT_END ? EXIT_SUCCESS : EXIT_FAILURE;
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
  input_close(&run->in);
  return status;
}

int run_capture(const char* program, const struct capture_files* files) {
  struct run run = {.program = program, .files = files};
  int status = open_files(&run);
  if (status == EXIT_SUCCESS) status = process_all(&run);
  int closed = close_files(&run);
  return status == EXIT_SUCCESS ? closed : status;
}
