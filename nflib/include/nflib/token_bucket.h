// Token buckets (RFC 2697 without the excess burst), one for each of a number of users.
// Tested by tests/nflib.
#ifndef NFLIB_TOKEN_BUCKET_H
#define NFLIB_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct token_buckets;

// COUNT buckets of BURST bytes, full at first, that fill at RATE bytes a second. NULL where one is 0, RATE is
// above 10^12 or BURST above 2^32 - 1, or memory is short.
struct token_buckets* token_buckets_create(uint32_t count, uint64_t rate, uint64_t burst);
void token_buckets_destroy(struct token_buckets* buckets);

// Takes BYTES out of a bucket. Time that goes back adds nothing. Outcomes `conforms` (true), `exceeds`
// (false; nothing is taken) and `invalid` (false: no such bucket).
bool token_buckets_take(struct token_buckets* buckets, uint32_t bucket, uint32_t bytes, uint64_t now_ns);

#ifdef __cplusplus
}
#endif

#endif
