#include "function.h"

struct node {
  struct node* next;
  uint32_t key;
  int16_t weight;
  uint8_t flags;
};
FUNCTION(linked_list) {
  struct node nodes[8], *head = 0;
  for (unsigned i = 0; i < 8; ++i) {
    struct node* node = &nodes[i];
    node->key = p[i] ^ (uint32_t)a;
    node->weight = (int16_t)(b >> i);
    node->flags = (uint8_t)i;
    struct node** at = &head;
    while (*at && (*at)->key < node->key) at = &(*at)->next;
    node->next = *at;
    *at = node;
  }
  int64_t sum = 0;
  for (const struct node* node = head; node; node = node->next)
    sum = sum * 3 + node->weight * (node->flags + 1);
  return (uint64_t)sum + n;
}

struct slot {
  uint16_t key;
  uint8_t used;
  uint8_t value;
};
FUNCTION(hash_map) {
  struct slot* slots = (struct slot*)p;  // 64 of them
  for (int i = 0; i < 64; ++i) slots[i].used = 0;
  uint64_t x = a, found = 0;
  for (uint64_t i = 0; i < n; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    uint16_t key = (uint16_t)(x >> 57);
    unsigned at = (key * 40503u >> 4) & 63, tried = 0;
    while (slots[at].used && slots[at].key != key && tried < 64) at = (at + 1) & 63, ++tried;
    if (tried == 64) break;
    if (slots[at].used)
      ++found;
    else
      slots[at] = (struct slot){key, 1, (uint8_t)i};
  }
  return found + b;
}

struct ring {
  uint32_t head, tail, mask;
  uint8_t* data;
};
static int put(struct ring* ring, uint8_t byte) {
  if (ring->head - ring->tail > ring->mask) return 0;
  ring->data[ring->head++ & ring->mask] = byte;
  return 1;
}
static int get(struct ring* ring, uint8_t* byte) {
  if (ring->head == ring->tail) return 0;
  *byte = ring->data[ring->tail++ & ring->mask];
  return 1;
}
FUNCTION(ring_buffer) {
  struct ring ring = {(uint32_t)a, (uint32_t)a, 15, p + 256};
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; ++i) {
    uint8_t byte = 0;
    if (b >> (i & 63) & 1)
      sum += (uint64_t)put(&ring, p[i]);
    else
      sum += (uint64_t)(get(&ring, &byte) * 256 + byte);
  }
  return sum * 64 + (ring.head - ring.tail);
}

FUNCTION(trie_lookup) {
  unsigned node = 0;
  uint64_t best = 0;
  for (unsigned depth = 0; depth < 32; ++depth) {
    if (p[node] & 0x80) best = node + 1;
    unsigned child = node * 2 + 1 + (unsigned)(a >> (31 - depth) & 1);
    if (child >= 400 || (p[child] & 0x60) == 0) break;
    node = child;
  }
  return best * 100 + node + b + n;
}

FUNCTION(matrix_product) {
  int32_t c[4][4];
  int8_t(*x)[4] = (int8_t(*)[4])p, (*y)[4] = (int8_t(*)[4])(p + 16);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      c[i][j] = 0;
      for (int k = 0; k < 4; ++k) c[i][j] += x[i][k] * y[k][j];
    }
  uint64_t hash = a;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) hash = hash * 31 + (uint64_t)c[i][j];
  return hash + b + n;
}

enum state { START, NUMBER, WORD, STRING, ESCAPE };
FUNCTION(state_machine) {
  enum state state = START;
  unsigned tokens[5] = {0, 0, 0, 0, 0};
  for (uint64_t i = 0; i < n; ++i) {
    uint8_t c = p[i] & 127;
    ++tokens[state];
    switch (state) {
      case START:
        state = c >= '0' && c <= '9' ? NUMBER : c >= 'A' ? WORD : c == '"' ? STRING : START;
        break;
      case NUMBER:
        if (c < '0' || c > '9') state = START;
        break;
      case WORD:
        if (c < 'A') state = c > '@' ? NUMBER : START;
        break;
      case STRING:
        state = c > 96 ? ESCAPE : c < 16 ? START : STRING;
        break;
      case ESCAPE:
        state = STRING;
        break;
    }
  }
  uint64_t result = a + b;
  for (int i = 0; i < 5; ++i) result = result * 67 + tokens[i];
  return result;
}

FUNCTION(interpreter) {
  uint64_t stack[8] = {a, b, 1, 2, 3, 4, 5, 6};
  unsigned top = 1;
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t* s = &stack[top];
    switch (p[i] % 12) {
      case 0:
        s[0] += stack[(top + 7) & 7];
        break;
      case 1:
        s[0] -= stack[(top + 1) & 7];
        break;
      case 2:
        s[0] *= 3;
        break;
      case 3:
        s[0] ^= s[0] >> 5;
        break;
      case 4:
        s[0] = ~s[0];
        break;
      case 5:
        top = (top + 1) & 7;
        break;
      case 6:
        top = (top + 7) & 7;
        break;
      case 7:
        s[0] = (uint64_t)((int64_t)s[0] >> (p[i] & 31));
        break;
      case 8:
        s[0] = s[0] < stack[0];
        break;
      case 9:
        s[0] = (uint64_t)(int64_t)(int8_t)s[0];
        break;
      case 10:
        s[0] = p[i + 1];
        break;
      default:
        if (s[0] & 1) ++i;
    }
  }
  return stack[top] ^ top;
}

static uint64_t twice(uint64_t x) {
  return x * 2;
}
static uint64_t flip(uint64_t x) {
  return ~x;
}
static uint64_t half(uint64_t x) {
  return (uint64_t)((int64_t)x / 2);
}
static uint64_t mixed(uint64_t x) {
  return x ^ x << 11;
}
FUNCTION(function_table) {
  uint64_t (*const functions[4])(uint64_t) = {twice, flip, half, mixed};
  for (uint64_t i = 0; i < n; ++i) a = functions[p[i] & 3](a);
  return a + b;
}

__attribute__((noinline)) static uint64_t sum_of_ten(uint64_t a, int32_t b, int16_t c, int8_t d, uint64_t e,
                                                     uint32_t f, uint16_t g, uint8_t h, int32_t i,
                                                     uint64_t j) {
  return a + (uint64_t)b * 2 + (uint64_t)c * 3 + (uint64_t)d * 4 + e * 5 + f * 6 + g * 7u + h * 8u +
         (uint64_t)i * 9 + j;
}
FUNCTION(many_arguments) {
  return sum_of_ten(a, (int32_t)b, (int16_t)a, (int8_t)b, n, (uint32_t)a, (uint16_t)b, p[0],
                    (int32_t)p[1] - 128, b);
}

static unsigned ack(unsigned m, unsigned k) {
  if (m == 0) return k + 1;
  return k == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, k - 1));
}
FUNCTION(ackermann) {
  (void)p;
  return ack((unsigned)a & 1, (unsigned)n & 15) + ack(2, (unsigned)b & 3);
}

FUNCTION(parse_packet) {
  uint64_t offset = 14;
  uint16_t type = (uint16_t)(p[12] << 8 | p[13]);
  if (a & 1) type = 0x0800;
  if (n < offset) return 0;
  if (type != 0x0800) return type == 0x86dd ? 6 : 1;
  uint8_t* ip = p + offset;
  if (a & 2) ip[0] = (uint8_t)(0x45 | (b & 3));
  if (ip[0] >> 4 != 4) return 2;
  unsigned header = (ip[0] & 15) * 4u;
  if (header < 20 || offset + header > n) return 3;
  uint32_t sum = 0;
  for (unsigned i = 0; i < header; i += 2) sum += (uint32_t)(ip[i] << 8 | ip[i + 1]);
  sum = (sum & 0xffff) + (sum >> 16);
  if (ip[8] <= 1) return 4;
  --ip[8];
  uint32_t address = (uint32_t)ip[16] << 24 | (uint32_t)ip[17] << 16 | (uint32_t)ip[18] << 8 | ip[19];
  return (uint64_t)address << 16 | (uint16_t)(sum + (sum >> 16));
}

struct fields {
  unsigned a : 3;
  signed b : 5;
  unsigned long long c : 40;
  unsigned d : 13;
};
FUNCTION(bit_fields) {
  (void)p;
  struct fields f = {0, 0, 0, 0};
  for (uint64_t i = 0; i < n; ++i) {
    f.a += (unsigned)a & 7;
    f.b = (int)((b >> i) & 31) - 16;
    f.c = f.c * 5 + f.a + (uint64_t)f.b;
    f.d ^= (unsigned)f.c >> 3 & 0x1fff;
    a = a >> 1 | a << 63;
  }
  return f.c ^ f.d ^ (uint64_t)f.b << 50;
}
