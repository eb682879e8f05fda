// Keys of nflib's tables: 16 bytes, compared as a whole. Shorter keys are padded with zeros.
#ifndef NFLIB_KEY_H
#define NFLIB_KEY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nf_key {
  uint64_t words[2];
};

#ifdef __cplusplus
}
#endif

#endif
