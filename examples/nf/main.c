// The program around a network function: reads its own options, leaves the others to nf_init, and runs the
// function on a capture or on live interfaces.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "nf.h"

struct options {
  struct capture_files files;
  char* interfaces;
  uint16_t port;
};

uint8_t* packet_buffer(void) {
  static uint8_t buffer[HEADROOM + LARGEST_PACKET] __attribute__((aligned(64)));
  return buffer + HEADROOM;
}

int nf_takes_no_options(int argc, char** argv) {
  if (argc == 1) return 0;
  fprintf(stderr, "%s: takes no argument '%s'\n", argv[0], argv[1]);
  return NF_BAD_USAGE;
}

static void print_usage(FILE* to, const char* program) {
  fprintf(to,
          "usage: %s --pcap IN [--pcap-out OUT] [--verdicts FILE] [--port N] [OPTIONS]\n"
          "       %s --interfaces A,B,... [OPTIONS]\n"
          "  --pcap IN         run the packets of a capture (Ethernet) with its times\n"
          "  --pcap-out OUT    write the packets that are sent\n"
          "  --verdicts FILE   write a line for each packet: the port it is sent to, drop, or flood\n"
          "  --port N          the port by which the packets come in (default 0)\n"
          "  --interfaces LIST forward between interfaces; the first is port 0\n"
          "%s",
          program, program, nf_options);
}

static bool parse_port(const char* text, uint16_t* port) {
  char* end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value >= NF_FLOOD) return false;
  *port = (uint16_t)value;
  return true;
}

// Takes the harness's options out of ARGV, which keeps the others. Returns false after saying what is wrong.
static bool take_options(int* argc, char** argv, struct options* options) {
  const char* port = NULL;
  struct {
    const char* name;
    const char** value;
  } known[] = {
      {"--pcap", &options->files.in},
      {"--pcap-out", &options->files.out},
      {"--verdicts", &options->files.verdicts},
      {"--interfaces", (const char**)&options->interfaces},
      {"--port", &port},
  };
  int kept = 1;
  for (int i = 1; i < *argc; i++) {
    const char** value = NULL;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
      if (strcmp(argv[i], known[k].name) == 0) value = known[k].value;
    if (value == NULL) {
      argv[kept++] = argv[i];
    } else if (i + 1 == *argc) {
      fprintf(stderr, "%s: %s needs a value\n", argv[0], argv[i]);
      return false;
    } else {
      *value = argv[++i];
    }
  }
  *argc = kept;
  argv[kept] = NULL;
  if (port != NULL && !parse_port(port, &options->port)) {
    fprintf(stderr, "%s: --port takes a number from 0 to %d, not '%s'\n", argv[0], NF_FLOOD - 1, port);
    return false;
  }
  if ((options->files.in == NULL) == (options->interfaces == NULL)) {
    fprintf(stderr, "%s: expected one of --pcap and --interfaces\n", argv[0]);
    return false;
  }
  if (options->interfaces != NULL &&
      (options->files.out != NULL || options->files.verdicts != NULL || port != NULL)) {
    fprintf(stderr, "%s: --pcap-out, --verdicts and --port go with --pcap\n", argv[0]);
    return false;
  }
  return true;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    print_usage(stdout, argv[0]);
    return EXIT_SUCCESS;
  }
  struct options options = {0};
  if (!take_options(&argc, argv, &options)) {
    print_usage(stderr, argv[0]);
    return NF_BAD_USAGE;
  }
  int failed = nf_init(argc, argv);
  if (failed) return failed;
  if (options.interfaces != NULL) return run_live(argv[0], options.interfaces);
  return run_capture(argv[0], &options.files, options.port);
}
