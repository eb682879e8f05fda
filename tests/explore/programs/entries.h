// What the programs have in common: a packet's function, and a main that calls each of them once.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int nf_function(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns);

#define ENTRY(name) \
  __attribute__((noinline)) int name(uint16_t port, uint8_t* packet, uint16_t length, uint64_t now_ns)
#define UNUSED_ARGUMENTS (void)port, (void)packet, (void)length, (void)now_ns

// The compiler does not know what value has.
#define HIDE(value) __asm__ volatile("" : "+r"(value))

// Longer than any packet.
static inline uint8_t* packet_buffer(void) {
  static uint8_t buffer[65536];
  return buffer;
}

static inline void call_each(nf_function* const volatile* functions, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    packet_buffer()[0] = 1;
    functions[i](0, packet_buffer(), 14, 1000);
  }
}
