#pragma once
#include "nflib/mac_table.h"

#ifdef __cplusplus
extern "C" {
#endif

// The key in use.
uint64_t mac_table_key(const struct mac_table* table);

#ifdef __cplusplus
}
#endif
