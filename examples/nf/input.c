#include "input.h"

#include <errno.h>
#include <string.h>

#include "options.h"

enum { LARGEST_PORT = 65534 };

bool input_open(struct input* input, const char* program, const struct capture_files* files) {
  *input = (struct input){.program = program, .files = files};
  char error[PCAP_ERRBUF_SIZE];
  input->capture = pcap_open_offline_with_tstamp_precision(files->in, PCAP_TSTAMP_PRECISION_NANO, error);
  if (input->capture == NULL) {
    fprintf(stderr, "%s: cannot read the capture: %s\n", program, error);
    return false;
  }
  if (pcap_datalink(input->capture) != DLT_EN10MB) {
    fprintf(stderr, "%s: %s: the packets are of link type %d, expected Ethernet (%d)\n", program, files->in,
            pcap_datalink(input->capture), DLT_EN10MB);
    return false;
  }
  if (files->ports == NULL) return true;
  input->ports = fopen(files->ports, "r");
  if (input->ports == NULL)
    fprintf(stderr, "%s: cannot read %s: %s\n", program, files->ports, strerror(errno));
  return input->ports != NULL;
}

void input_close(struct input* input) {
  if (input->ports != NULL) fclose(input->ports);
  if (input->capture != NULL) pcap_close(input->capture);
}

static bool next_port(const struct input* input, uint16_t* port) {
  if (input->ports == NULL) {
    *port = input->files->port;
    return true;
  }
  char line[32] = "";
  uint64_t number;
  if (fgets(line, sizeof line, input->ports) != NULL) line[strcspn(line, "\n")] = '\0';
  if (!read_number(line, 0, LARGEST_PORT, &number)) {
    fprintf(stderr, "%s: %s:%lu: expected a packet's port, a number from 0 to %d, not '%s'\n", input->program,
            input->files->ports, input->number, LARGEST_PORT, line);
    return false;
  }
  *port = (uint16_t)number;
  return true;
}

static enum input_status end(const struct input* input) {
  if (input->ports == NULL || fgetc(input->ports) == EOF) return INPUT_END;
  fprintf(stderr, "%s: %s has more lines than %s has packets\n", input->program, input->files->ports,
          input->files->in);
  return INPUT_ERROR;
}

enum input_status input_next(struct input* input, struct input_packet* packet) {
  struct pcap_pkthdr* header;
  int status = pcap_next_ex(input->capture, &header, &packet->bytes);
  if (status == PCAP_ERROR) {
    fprintf(stderr, "%s: %s: %s\n", input->program, input->files->in, pcap_geterr(input->capture));
    return INPUT_ERROR;
  }
  if (status != 1) return end(input);
  input->number++;
  if (header->caplen != header->len || header->len > LARGEST_PACKET) {
    fprintf(stderr, "%s: %s: packet %lu has %u bytes of which %u were captured, expected all of at most %d\n",
            input->program, input->files->in, input->number, header->len, header->caplen, LARGEST_PACKET);
    return INPUT_ERROR;
  }
  packet->header = header;
  packet->length = (uint16_t)header->len;
  // With nanosecond precision libpcap keeps nanoseconds in tv_usec.
  packet->now_ns = (uint64_t)header->ts.tv_sec * 1000000000 + (uint64_t)header->ts.tv_usec;
  return next_port(input, &packet->port) ? INPUT_PACKET : INPUT_ERROR;
}
