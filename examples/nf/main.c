// The program around a network function: reads its own options, leaves the others to nf_init, and runs the
// function on a capture or on live interfaces.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "nf.h"
#include "options.h"

enum { MOST_REPETITIONS = 1000000000 };

struct options {
  struct capture_files files;
  char* interfaces;
  uint64_t repetitions;  // 0: the capture is run once, and not measured
};

uint8_t* packet_buffer(void) {
  static uint8_t buffer[HEADROOM + LARGEST_PACKET] __attribute__((aligned(64)));
  return buffer + HEADROOM;
}

static void print_usage(FILE* to, const char* program) {
  fprintf(
      to,
      "usage: %s --pcap IN [--port N | --port-file FILE] [--pcap-out OUT] [--verdicts FILE] [OPTIONS]\n"
      "       %s --pcap IN [--port N | --port-file FILE] --repeat N [--pause-ms N] [--ticks FILE] [OPTIONS]\n"
      "       %s --interfaces A,B,... [OPTIONS]\n"
      "  --pcap IN         run the packets of a capture (Ethernet) with its times\n"
      "  --port N          the port by which the packets come in (default 0)\n"
      "  --port-file FILE  a line for each packet: the port by which it comes in\n"
      "  --pcap-out OUT    write the packets that are sent\n"
      "  --verdicts FILE   write a line for each packet: the port it is sent to, drop, or flood\n"
      "  --repeat N        run the capture from memory, once and then N times, and print packets a second\n"
      "  --pause-ms N      with --repeat: each repetition is so much later by the packets' times (default "
      "0)\n"
      "  --ticks FILE      with --repeat: write what each batch of 32 packets took, of the first run too, in "
      "the place of it:\n"
      "                    `TICKS PACKETS`, ticks of the time stamp counter\n"
      "  --interfaces LIST forward between interfaces; the first is port 0\n"
      "%s",
      program, program, program, nf_options);
}

// What the options that take a number were given, or NULL.
struct texts {
  const char* port;
  const char* repetitions;
  const char* pause;
};

// Takes the harness's options out of ARGV, which keeps the others. Returns false after saying what is wrong.
static bool take_options(int* argc, char** argv, struct options* options, struct texts* texts) {
  struct {
    const char* name;
    const char** value;
  } known[] = {
      {"--pcap", &options->files.in},
      {"--port", &texts->port},
      {"--port-file", &options->files.ports},
      {"--pcap-out", &options->files.out},
      {"--verdicts", &options->files.verdicts},
      {"--repeat", &texts->repetitions},
      {"--pause-ms", &texts->pause},
      {"--ticks", &options->files.ticks},
      {"--interfaces", (const char**)&options->interfaces},
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
  return true;
}

static bool take_number(const char* program, const char* name, const char* text, uint64_t least,
                        uint64_t most, uint64_t* number) {
  if (text == NULL || read_number(text, least, most, number)) return true;
  fprintf(stderr, "%s: %s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'\n", program, name, least,
          most, text);
  return false;
}

// Whether the options go together. Says what does not.
static bool options_fit(const char* program, const struct options* options, const struct texts* texts) {
  const struct capture_files* files = &options->files;
  bool writes = files->out != NULL || files->verdicts != NULL;
  const char* wrong = NULL;
  if ((files->in == NULL) == (options->interfaces == NULL)) {
    wrong = "expected one of --pcap and --interfaces";
  } else if (options->interfaces != NULL && (writes || files->ports || texts->port || texts->repetitions)) {
    wrong = "--port, --port-file, --pcap-out, --verdicts and --repeat go with --pcap";
  } else if ((files->ticks != NULL || texts->pause != NULL) && texts->repetitions == NULL) {
    wrong = "--ticks and --pause-ms go with --repeat";
  } else if (files->ports != NULL && texts->port != NULL) {
    wrong = "expected one of --port and --port-file";
  } else if (writes && texts->repetitions != NULL) {
    wrong = "--repeat writes neither --pcap-out nor --verdicts";
  }
  if (wrong != NULL) fprintf(stderr, "%s: %s\n", program, wrong);
  return wrong == NULL;
}

static bool read_options(int* argc, char** argv, struct options* options) {
  struct texts texts = {0};
  uint64_t port = 0;
  if (!take_options(argc, argv, options, &texts) ||
      !take_number(argv[0], "--port", texts.port, 0, NF_FLOOD - 1, &port) ||
      !take_number(argv[0], "--repeat", texts.repetitions, 1, MOST_REPETITIONS, &options->repetitions) ||
      !take_number(argv[0], "--pause-ms", texts.pause, 0, NF_LONGEST_TIMEOUT_MS, &options->files.pause_ms) ||
      !options_fit(argv[0], options, &texts))
    return false;
  options->files.port = (uint16_t)port;
  return true;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    print_usage(stdout, argv[0]);
    return EXIT_SUCCESS;
  }
  struct options options = {0};
  if (!read_options(&argc, argv, &options)) {
    print_usage(stderr, argv[0]);
    return NF_BAD_USAGE;
  }
  int failed = nf_init(argc, argv);
  if (failed) return failed;
  if (options.interfaces != NULL) return run_live(argv[0], options.interfaces);
  if (options.repetitions > 0) return run_repeated(argv[0], &options.files, options.repetitions);
  return run_capture(argv[0], &options.files);
}
