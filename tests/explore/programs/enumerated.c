// Functions whose whole input space is small: the first byte of the packet, the length and the port are all
// that they look at.
#include "entries.h"

uint8_t table[256];

ENTRY(byte_branches) {
  UNUSED_ARGUMENTS;
  if (length < 3) return -1;
  uint8_t low = packet[0] & 15, high = packet[0] >> 4;
  if (high == 4 && low < 5) return -1;
  if (low == high) return length == 5 ? 65535 : 1;
  int sum = 0;
  if (low & 1) sum += 2;
  if (low & 8 || high & 8) sum += 4;
  if (packet[0] >= 0x80 && low > 9) return sum;
  return sum + 10;
}

ENTRY(jump_table) {
  UNUSED_ARGUMENTS;
  uint32_t sum = length;
  switch (packet[0]) {
    case 0:
      sum *= 3;
      break;
    case 1:
      sum ^= 5;
      HIDE(sum);
      break;
    case 2:
      HIDE(sum);
      sum += 7;
      break;
    case 3:
      return -1;
    case 4:
      sum = sum * sum;
      HIDE(sum);  // fall through
    case 5:
      HIDE(sum);
      sum -= 1;
      break;
    case 6:
      return 65535;
    case 7:
      sum |= 1;
      HIDE(sum);
      sum += 3;
      break;
    case 8:
      sum <<= 2;
      break;
    case 40:
      sum = 17;
      break;
    default:
      return 2;
  }
  return (int)(sum & 15);
}

// Options are two bits each: end, padding, one that jumps over the next, a bad one.
ENTRY(options) {
  UNUSED_ARGUMENTS;
  uint8_t word = packet[0];
  int seen = 0;
  for (uint16_t i = 0; i < length && i < 4; ++i) {
    uint8_t option = (uint8_t)(word >> (2 * i)) & 3;
    if (option == 0) break;
    if (option == 3) return -1;
    if (option == 2) ++i;
    ++seen;
    HIDE(seen);
  }
  return seen;
}

ENTRY(look_up) {
  UNUSED_ARGUMENTS;
  uint8_t value = table[packet[0]];
  if (value == 3) return -1;
  if (value > 4) return value + table[value];
  return table[255 - packet[0]] == 2 ? 20 : 21;
}

ENTRY(scattered_writes) {
  UNUSED_ARGUMENTS;
  uint8_t cells[16] = {0};
  uint8_t* cell = cells;
  HIDE(cell);
  uint8_t low = packet[0] & 15, high = packet[0] >> 4;
  cell[low] = 1;
  cell[high] += 2;
  HIDE(cell);
  if (cell[3] == 3) return 65535;
  if (cell[3] == 1) return 1;
  if (cell[high] == 3) return 2;
  uint32_t wide;
  memcpy(&wide, cell + 4, sizeof wide);
  if (wide > 0x20000) return 3;
  return wide == 0 ? -1 : 4;
}

ENTRY(writes_into_packet) {
  UNUSED_ARGUMENTS;
  uint8_t first = packet[0];
  uint8_t at = first & 3;
  packet[1] = packet[2] = packet[3] = 0;
  packet[at] = (uint8_t)(first >> 2);
  if (packet[1] == 7) return 1;
  if (packet[0] == first) return packet[2] > 40 ? 2 : 3;
  uint16_t both;
  memcpy(&both, packet, sizeof both);
  return both >= 0x21 ? 4 : -1;
}

ENTRY(signs) {
  UNUSED_ARGUMENTS;
  int8_t value = (int8_t)packet[0];
  uint8_t same = packet[0];
  int result = 0;
  if (value < -5) {
    HIDE(result);
    result += 1;
  }
  if (same > 200) {
    HIDE(result);
    result += 2;
  }
  if (value * 3 > 100 || (int8_t)(value * 2) >= 64) {
    HIDE(result);
    result += 4;
  }
  int16_t difference = (int16_t)(value - (int16_t)length);
  if (difference <= -10) {
    HIDE(result);
    result += 8;
  }
  if ((uint16_t)difference < 3) {
    HIDE(result);
    result += 16;
  }
  return result == 3 ? -1 : result;
}

ENTRY(division) {
  UNUSED_ARGUMENTS;
  uint32_t divisor = packet[0] & 7;
  uint32_t dividend = packet[0] >> 3;
  HIDE(dividend);
  if (length == 4) {
    int32_t quotient = (int32_t)(dividend - 16) / (int32_t)(divisor - 3);
    HIDE(quotient);
    return quotient < -2 ? -1 : quotient == 5 ? 5 : 6;
  }
  uint32_t quotient = dividend / divisor;
  if (dividend % divisor == 1) return 1;
  if (dividend % 10 == 7) return 2;
  return quotient == 3 ? 65535 : 3;
}

ENTRY(strings) {
  UNUSED_ARGUMENTS;
  uint8_t buffer[16] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  uint8_t* to = buffer + 1;
  const uint8_t* from = buffer;
  uint64_t count = packet[0] & 3;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
  count = (packet[0] >> 2) & 3;
  to = buffer + 4;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(packet[0] >> 6) : "memory");
  to = buffer;
  count = 6;
  uint8_t found;
  __asm__ volatile("repne scasb\n\tsete %0" : "=r"(found), "+D"(to), "+c"(count) : "a"(2) : "cc", "memory");
  if (found) return (int)count;
  return buffer[3] == 7 ? -1 : 10;
}

__attribute__((noinline)) static int depth_of(uint32_t value) {
  if (value < 2) return (int)value;
  int depth = depth_of(value >> 1);
  HIDE(depth);
  return depth + (value & 1 ? 2 : 1);
}
ENTRY(recursion) {
  UNUSED_ARGUMENTS;
  int depth = depth_of(packet[0] & 31);
  return depth > 6 ? -1 : depth;
}

__attribute__((noinline)) static int send(uint32_t value) {
  return (int)(value & 1);
}
__attribute__((noinline)) static int drop(uint32_t value) {
  HIDE(value);
  return -1;
}
__attribute__((noinline)) static int flood(uint32_t value) {
  return value > 100 ? 65535 : 7;
}
static int (*handlers[4])(uint32_t) = {send, drop, flood, send};
ENTRY(function_pointers) {
  UNUSED_ARGUMENTS;
  return handlers[packet[0] & 3](packet[0]) + (packet[0] == 200 ? 1 : 0);
}

ENTRY(bits) {
  UNUSED_ARGUMENTS;
  uint32_t value = packet[0], by = value & 31;
  uint32_t moved = (1U << by) | (value >> (by & 7));
  uint32_t turned = (value * 0x01010101U << (by & 15)) | (value * 0x01010101U >> (32 - (by & 15)) % 32);
  if (__builtin_popcount(value) == 5) return 1;
  if (value != 0 && __builtin_ctz(value) == 4) return 2;
  if (value != 0 && __builtin_clz(value) == 26) return 3;
  if (moved > 0x100000) return 4;
  if ((int32_t)turned < 0) return 5;
  return __builtin_bswap32(moved) & 0x40000000 ? 6 : -1;
}

ENTRY(loop_over_length) {
  UNUSED_ARGUMENTS;
  uint32_t sum = 0;
  for (uint16_t i = 0; i < length; ++i) {
    sum += packet[0];
    HIDE(sum);
    if (sum > 600) return i;
  }
  return sum == 5U * length ? 65535 : -1;
}

ENTRY(many_at_once) {
  UNUSED_ARGUMENTS;
  uint16_t lanes[16];
  uint16_t first = packet[0];
  for (int i = 0; i < 16; ++i) lanes[i] = (uint16_t)(first * (i + 3));
  uint16_t sum = 0;
  for (int i = 0; i < 16; ++i) sum = (uint16_t)(sum + (lanes[i] > 700 ? 1 : lanes[i] >> 7));
  if (sum > 12) return 1;
  return sum == 3 ? 2 : -1;
}

ENTRY(compares_memory) {
  UNUSED_ARGUMENTS;
  uint8_t key[8] = {1, packet[0], 3, 4, (uint8_t)(packet[0] + 1), 6, 7, 8};
  if (memcmp(key, "\1\2\3\4\3\6\7\10", 8) == 0) return 1;
  if (memcmp(key, "\1\x80\3\4\x81\6\7", 7) < 0) return 2;
  return -1;
}

ENTRY(ports) {
  UNUSED_ARGUMENTS;
  if (port >= 3) return -1;
  if (packet[0] == port) return 65535;
  return (packet[0] & 1) ? port ^ 1 : packet[0];
}

// Ends in SIGSEGV for most bytes: the table is not that large.
ENTRY(out_of_bounds) {
  UNUSED_ARGUMENTS;
  const uint8_t* at = table;
  HIDE(at);
  if (packet[0] < 4) return at[packet[0]];
  return at[(uint64_t)packet[0] << 40] + 1;
}

// Of two places in memory that have nothing to do with each other.
ENTRY(chooses_memory) {
  UNUSED_ARGUMENTS;
  uint8_t local[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const uint8_t* from = packet[0] & 1 ? local : table;
  uint8_t* to = packet[0] & 2 ? local : packet;
  HIDE(from);
  HIDE(to);
  uint8_t first = packet[0];
  packet[2] = 0;
  to[2] = from[first >> 5];
  HIDE(to);
  if (local[2] == 3) return packet[2] & 2 ? 1 : 2;
  return local[2] > 5 ? -1 : 3;
}

ENTRY(signed_index) {
  UNUSED_ARGUMENTS;
  const uint8_t* middle = table + 128;
  HIDE(middle);
  int8_t index = (int8_t)packet[0];
  uint8_t value = middle[index];
  if (value > middle[-index / 2]) return value;
  return -1;
}

ENTRY(overlapping_widths) {
  UNUSED_ARGUMENTS;
  uint8_t cells[16] = {0};
  uint8_t* cell = cells;
  HIDE(cell);
  uint32_t wide = 0x04030201;
  uint16_t half;
  memcpy(cell + (packet[0] & 7), &wide, sizeof wide);
  memcpy(&half, cell + (packet[0] >> 4), sizeof half);
  if (half == 0x0302) return 1;
  if (half > 0x300) return 2;
  return half == 0 ? -1 : 3;
}

__attribute__((noinline)) static int sum_of(const uint8_t* bytes, uint32_t count) {
  int sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += bytes[i];
  return sum;
}
ENTRY(variable_array) {
  UNUSED_ARGUMENTS;
  uint32_t count = 1 + (packet[0] & 31);
  uint8_t cells[count];
  for (uint32_t i = 0; i < count; ++i) cells[i] = (uint8_t)(i + (packet[0] >> 7));
  int sum = sum_of(cells, count);
  return sum > 100 ? -1 : sum;
}

ENTRY(hashes) {
  UNUSED_ARGUMENTS;
  uint32_t hash = (uint32_t)__builtin_ia32_crc32qi(0x1234, packet[0]);
  uint64_t product = hash * 0x9e3779b97f4a7c15;
  if (table[hash & 255] == 4) return 1;
  if (table[product >> 56] > 6) return 2;
  return hash % 3 == 0 ? -1 : 3;
}

ENTRY(sparse_switch) {
  UNUSED_ARGUMENTS;
  switch (packet[0]) {
    case 1:
    case 5:
    case 9:
    case 23:
    case 50:
      return 1;
    case 2:
    case 33:
    case 49:
      return 2;
    case 200:
      return -1;
    case 131:
    case 140:
    case 163:
    case 188:
      return length & 1 ? 65535 : 4;
    default:
      return 5;
  }
}

// By the C library.
ENTRY(copies) {
  UNUSED_ARGUMENTS;
  uint8_t buffer[64];
  uint8_t* to = buffer;
  HIDE(to);
  memset(to, 0, sizeof buffer);
  memcpy(to, table, packet[0] & 31);
  uint8_t seven = to[7];
  const uint8_t* zero = memchr(to + 1, 0, 40);
  if (zero == NULL) return 65535;
  return seven == 5 ? (int)(zero - to) : -1;
}

ENTRY(wide_loads) {
  UNUSED_ARGUMENTS;
  uint64_t both[2];
  memcpy(both, table + (packet[0] & 63), sizeof both);
  if (both[0] > both[1]) return 1;
  return (both[0] ^ both[1]) & 0x100 ? 2 : -1;
}

uint8_t counter;
ENTRY(counts) {
  UNUSED_ARGUMENTS;
  ++counter;
  if (counter % 32 == 0) return 1;
  return counter > 250 ? -1 : 0;
}

int main(void) {
  static nf_function* const volatile functions[] = {
      byte_branches,      jump_table,     options,       look_up,          scattered_writes,
      writes_into_packet, signs,          division,      strings,          recursion,
      function_pointers,  bits,           ports,         loop_over_length, counts,
      compares_memory,    many_at_once,   out_of_bounds, chooses_memory,   signed_index,
      overlapping_widths, variable_array, hashes,        sparse_switch,    copies,
      wide_loads};
  for (int i = 0; i < 256; ++i) table[i] = (uint8_t)((i * 7 + i / 16) % 11);
  call_each(functions, sizeof functions / sizeof *functions);
  return 0;
}
