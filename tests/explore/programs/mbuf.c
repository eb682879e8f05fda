// Takes packets in buffers laid out as DPDK's struct rte_mbuf.
#include "entries.h"

struct buffer {
  void* memory;
  uint64_t physical;
  uint16_t offset, references, segments, port;
  uint64_t flags;
  uint32_t type, packet_length;
  uint16_t data_length;
} __attribute__((aligned(64)));

__attribute__((noinline)) int nf_process(struct buffer* buffer) {
  const uint8_t* packet = (const uint8_t*)buffer->memory + buffer->offset;
  if (buffer->packet_length != buffer->data_length) return 7;
  if (buffer->data_length < 20) return -1;
  if (packet[12] == 8 && packet[13] == 0) return buffer->port == 3 ? 65535 : buffer->port + 1;
  return packet[0] & 1 ? 65535 : 4;
}

int main(void) {
  static struct buffer buffer;
  buffer = (struct buffer){.memory = packet_buffer(), .offset = 128, .packet_length = 60, .data_length = 60};
  return nf_process(&buffer) == 4 ? 0 : 1;
}
