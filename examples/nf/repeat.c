// Measures a network function on a capture in memory.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include "harness.h"
#include "input.h"
#include "nf.h"

// A packet of the capture; its bytes follow those of the packet before.
struct stored {
  uint64_t now_ns;
  uint16_t port;
  uint16_t length;
};

struct store {
  struct stored* packets;
  size_t count;
  size_t room;
  uint8_t* bytes;
  size_t bytes_count;
  size_t bytes_room;
  uint64_t span_ns;  // a repetition is this much later than the one before
};

struct verdicts {
  uint64_t sent;
  uint64_t flooded;
  uint64_t dropped;
};

// Makes room for WANTED elements of SIZE bytes; false if memory is short.
static bool grow(void** elements, size_t* room, size_t wanted, size_t size) {
  if (wanted <= *room) return true;
  size_t larger = wanted > 2 * *room ? wanted : 2 * *room;
  void* grown = realloc(*elements, larger * size);
  if (grown == NULL) return false;
  *elements = grown;
  *room = larger;
  return true;
}

static bool append(struct store* store, const struct input_packet* packet) {
  if (!grow((void**)&store->packets, &store->room, store->count + 1, sizeof *store->packets) ||
      !grow((void**)&store->bytes, &store->bytes_room, store->bytes_count + packet->length, 1))
    return false;
  store->packets[store->count++] = (struct stored){packet->now_ns, packet->port, packet->length};
  memcpy(store->bytes + store->bytes_count, packet->bytes, packet->length);
  store->bytes_count += packet->length;
  return true;
}

static uint64_t span_of(const struct store* store) {
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < store->count; i++) {
    uint64_t now_ns = store->packets[i].now_ns;
    if (now_ns < first) first = now_ns;
    if (now_ns > last) last = now_ns;
  }
  return last - first + 1;
}

static int load(struct store* store, const char* program, const struct capture_files* files) {
  struct input input;
  struct input_packet packet;
  enum input_status status = input_open(&input, program, files) ? INPUT_PACKET : INPUT_ERROR;
  while (status == INPUT_PACKET && (status = input_next(&input, &packet)) == INPUT_PACKET) {
    if (append(store, &packet)) continue;
    nf_no_memory(program);
    status = INPUT_ERROR;
  }
  input_close(&input);
  if (status == INPUT_END && store->count == 0) {
    fprintf(stderr, "%s: %s has no packets to measure with\n", program, files->in);
    status = INPUT_ERROR;
  }
  if (status == INPUT_ERROR) return EXIT_FAILURE;
  store->span_ns = span_of(store) + files->pause_ms * 1000000;
  return EXIT_SUCCESS;
}

static void run(const struct store* store, uint64_t shift_ns, struct verdicts* verdicts) {
  uint8_t* buffer = packet_buffer();
  const uint8_t* bytes = store->bytes;
  for (size_t i = 0; i < store->count; i++) {
    struct stored packet = store->packets[i];
    memcpy(buffer, bytes, packet.length);
    bytes += packet.length;
    int output = nf_process(packet.port, buffer, packet.length, packet.now_ns + shift_ns);
    verdicts->dropped += output == NF_DROP;
    verdicts->flooded += output == NF_FLOOD;
    verdicts->sent += output != NF_DROP && output != NF_FLOOD;
  }
}

// What `run` does besides processing.
static void restore_all(const struct store* store) {
  uint8_t* buffer = packet_buffer();
  const uint8_t* bytes = store->bytes;
  for (size_t i = 0; i < store->count; i++) {
    struct stored packet = store->packets[i];
    memcpy(buffer, bytes, packet.length);
    bytes += packet.length;
    __asm__ volatile("" ::: "memory");
  }
}

enum { BATCH = 32, LINE = 64 };

static uint64_t ticks_now(void) {
  unsigned processor;
  _mm_lfence();
  uint64_t now = __rdtscp(&processor);
  _mm_lfence();
  return now;
}

// What it takes to read the counter twice, at least.
static uint64_t ticks_of_reading(void) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 1000; i++) {
    uint64_t begin = ticks_now();
    uint64_t taken = ticks_now() - begin;
    if (taken < least) least = taken;
  }
  return least;
}

// Processes up to BATCH packets from number FIRST on, whose bytes are given, and writes the ticks of the time
// stamp counter that they took together. Returns the bytes of the next packet.
static const uint8_t* run_batch(const struct store* store, size_t first, const uint8_t* bytes,
                                uint64_t shift_ns, uint64_t reading, FILE* ticks) {
  static uint8_t room[BATCH * LARGEST_PACKET] __attribute__((aligned(LINE)));
  struct stored packets[BATCH];
  uint8_t* places[BATCH];
  uint8_t* place = room;
  size_t count = store->count - first < BATCH ? store->count - first : BATCH;
  for (size_t i = 0; i < count; i++) {
    packets[i] = store->packets[first + i];
    packets[i].now_ns += shift_ns;
    places[i] = memcpy(place, bytes, packets[i].length);
    bytes += packets[i].length;
    place += (packets[i].length + LINE - 1) / LINE * LINE;
  }
  uint64_t begin = ticks_now();
  for (size_t i = 0; i < count; i++)
    nf_process(packets[i].port, places[i], packets[i].length, packets[i].now_ns);
  uint64_t end = ticks_now();
  fprintf(ticks, "%" PRIu64 " %zu\n", end - begin - reading, count);
  return bytes;
}

static int time_batches(const char* program, const struct store* store, uint64_t repetitions,
                        const char* file) {
  FILE* ticks = fopen(file, "w");
  uint64_t reading = ticks_of_reading();
  for (uint64_t i = 0; ticks != NULL && i <= repetitions; i++) {
    const uint8_t* bytes = store->bytes;
    for (size_t first = 0; first < store->count; first += BATCH)
      bytes = run_batch(store, first, bytes, i * store->span_ns, reading, ticks);
  }
  if (ticks != NULL && fclose(ticks) == 0) return EXIT_SUCCESS;
  fprintf(stderr, "%s: cannot write %s\n", program, file);
  return EXIT_FAILURE;
}

// Of processor time: other programs on a busy machine do not count, but for what they do to the caches.
static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void measure(const struct store* store, uint64_t repetitions) {
  struct verdicts verdicts = {0};
  run(store, 0, &verdicts);

  double begin = seconds_now();
  for (uint64_t i = 0; i < repetitions; i++) restore_all(store);
  double restoring = seconds_now() - begin;

  verdicts = (struct verdicts){0};
  begin = seconds_now();
  for (uint64_t i = 1; i <= repetitions; i++) run(store, i * store->span_ns, &verdicts);
  double all = seconds_now() - begin;

  double packets = (double)store->count * (double)repetitions;
  printf("%.0f packets/s: %.1f ns a packet, of which restoring it takes %.1f ns\n", packets / all,
         all / packets * 1e9, restoring / packets * 1e9);
  printf("%" PRIu64 " sent, %" PRIu64 " flooded, %" PRIu64 " dropped\n", verdicts.sent, verdicts.flooded,
         verdicts.dropped);
}

int run_repeated(const char* program, const struct capture_files* files, uint64_t repetitions) {
  struct store store = {0};
  int status = load(&store, program, files);
  if (status == EXIT_SUCCESS && files->ticks != NULL)
    status = time_batches(program, &store, repetitions, files->ticks);
  else if (status == EXIT_SUCCESS)
    measure(&store, repetitions);
  free(store.packets);
  free(store.bytes);
  return status;
}
