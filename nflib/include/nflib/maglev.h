// Consistent hashing as in Maglev (Eisenbud et al., NSDI 2016, section 3.4): a table of a prime number of
// slots that is filled from a permutation for each backend, so that every live backend has nearly the same
// share and few slots change hands when one comes or goes. Tested by tests/nflib.
#ifndef NFLIB_MAGLEV_H
#define NFLIB_MAGLEV_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct maglev;

// SLOTS is a prime of at least 100 times BACKENDS, the number of backends there can be. All are dead at
// first. NULL where the numbers are wrong, or memory is short.
struct maglev* maglev_create(uint32_t backends, uint32_t slots);
void maglev_destroy(struct maglev* table);

// Brings a backend to life or lets it die, and fills the table anew if that changes something. Outcomes
// `changed` (true), `same` (false) and `invalid` (false: there is no such backend). PCVs of `changed`: b,
// backends; s, slots; f, slots filled, all, or none where no backend is alive; p, places of permutations
// looked at.
bool maglev_set_alive(struct maglev* table, uint32_t backend, bool alive);
// Outcomes `alive` (true), `dead` and `invalid`.
bool maglev_is_alive(const struct maglev* table, uint32_t backend);
// The backend for a flow's hash, by the exclusive-or of its halves modulo the number of slots. Outcomes `hit`
// (true; *backend is set) and `none` (no backend is alive).
bool maglev_lookup(const struct maglev* table, uint64_t hash, uint32_t* backend);

#ifdef __cplusplus
}
#endif

#endif
