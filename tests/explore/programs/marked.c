// Functions with marked loops, where states meet. What they look at is the packet's bytes, of which few
// values matter, and its length.
#include "entries.h"
#include "perfpact.h"

// The states that meet differ in where they are in the packet.
ENTRY(walks_options) {
  UNUSED_ARGUMENTS;
  uint32_t offset = 0;
  while (offset < length) {
    PERFPACT_PCV(n);
    uint8_t kind = packet[offset];
    if (kind == 0) return 1;
    if (kind == 1) {
      offset++;
      continue;
    }
    if (length - offset < 2) return -1;
    uint8_t size = packet[offset + 1];
    if (size < 2 || size > length - offset) return -1;
    offset += size;
  }
  return 2;
}

// In what the packet holds behind them.
ENTRY(writes_behind) {
  UNUSED_ARGUMENTS;
  for (uint32_t i = 0; i + 1 < length; ++i) {
    PERFPACT_PCV(n);
    if (packet[i] & 1)
      packet[i + 1] ^= 2;
    else if (packet[i] & 2)
      packet[i + 1] |= 1;
  }
  return packet[length - 1] & 3;
}

// In a sum that decides the way afterwards.
ENTRY(sums) {
  UNUSED_ARGUMENTS;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < length; ++i) {
    PERFPACT_PCV(n);
    if (packet[i] == 3)
      sum += 5;
    else
      sum += packet[i] & 1;
    HIDE(sum);
  }
  if (sum == 0) return -1;
  return sum > 6 ? 65535 : (int)sum;
}

// In nothing but how they came there.
ENTRY(counts_only) {
  UNUSED_ARGUMENTS;
  uint32_t hidden = 0;
  for (uint32_t i = 0; i < length; ++i) {
    PERFPACT_PCV(n);
    if (packet[i] > 2) HIDE(hidden);
  }
  for (uint32_t i = 0; i < length; ++i) {
    PERFPACT_PCV(m);
    if (packet[i] > 2) return (int)i;
  }
  return -1;
}

// A loop in a loop.
ENTRY(nested) {
  UNUSED_ARGUMENTS;
  uint32_t found = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    PERFPACT_PCV(outer);
    for (uint32_t j = 0; j < (uint32_t)(packet[i] & 3); ++j) {
      PERFPACT_PCV(inner);
      found += packet[3] > i + j;
      HIDE(found);
    }
  }
  return found > 4 ? -1 : (int)found;
}

// One loop in a function, called from two places with as many instructions before it.
static __attribute__((noinline)) uint32_t ones(const uint8_t* bytes, uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    PERFPACT_PCV(n);
    sum += bytes[i] == 1;
    HIDE(sum);
  }
  return sum;
}
ENTRY(two_callers) {
  UNUSED_ARGUMENTS;
  uint32_t sum = 1;
  if (packet[0] & 1)
    sum = ones(packet + 1, 2) + 3;
  else
    sum = ones(packet + 2, 2) + 7;
  HIDE(sum);
  return (int)sum;
}

// The place of a store differs; what it changes is read in the same loop.
ENTRY(moves_marks) {
  UNUSED_ARGUMENTS;
  uint32_t at = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    PERFPACT_PCV(n);
    if (packet[at] & 1) {
      packet[(at + 1) & 3] = 2;
      at = (at + 1) & 3;
    } else {
      packet[(at + 2) & 3] ^= 1;
      at = (at + 2) & 3;
    }
  }
  return packet[at];
}

static nf_function* const volatile functions[] = {walks_options, writes_behind, sums,       counts_only,
                                                  nested,        two_callers,   moves_marks};

int main(void) {
  call_each(functions, sizeof functions / sizeof *functions);
  return 0;
}
