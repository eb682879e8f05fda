// mac_table.c with a view of its inside for tests.
#include "../../nflib/src/mac_table.c"

#include "mac_table_inside.h"

uint64_t mac_table_key(const struct mac_table* table) {
  return table->key;
}
