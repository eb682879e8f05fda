// Counting by the marks of perfpact.h: with -DPERFPACT_COUNT they count into a buffer. Sources stay as they
// are; the whole program is compiled with it and linked with count.c.
//
// Between the begin and the end of a packet - the call and the return of the entry function - each call of a
// method gives a record of its own, with its handle (the first argument), its outcome and its PCVs. A PCV
// counts for the innermost method that runs. The writer gives a line of JSON for each packet:
//
//   {"packet":3,"verdict":1,"pcvs":{},"calls":[
//     {"method":"expire","structure":"flow_table@1","outcome":null,"pcvs":{"e":1}},
//     {"method":"erase","structure":"hash_map@2","outcome":"erased","pcvs":{"t":1,"s":0},"parent":0}]}
//
// (on one line). The verdict is the number that the entry function returns, `pcvs` are those outside methods,
// `parent` is the place in `calls` of the call that contains this one. PCVs that a call does not reach are
// left out. A structure is its type and a number in the order of first use. The type is what the function's
// name shares with the file's, in whole words; if that is nothing, all but the last word: hash_map_get, of
// hash_map.c, or of any file, is the method `get` of a hash_map. At the end of a file a line {"lost":n} says
// that n packets had more calls, PCVs or nested calls than there was room for; they are left out as a whole.
//
// How: methods and entries begin with five bytes of `nop` (patchable_function_entry), which
// perfpact_count_start replaces by a call, in memory; that call puts another return address in the place of
// the method's own, so that its end is seen too. For this code has to be made writable for a moment.
//
// Limits: x86-64, one thread, no method that is left by an exception or longjmp, handles in an integer
// register. Tested by tests/nflib.
#ifndef NFLIB_COUNT_H
#define NFLIB_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// Counts into MEMORY, aligned to 8 bytes, from now on; nothing else is allocated. False, with errno, if code
// cannot be made writable.
//
// A program need not call it: if the environment has PERFPACT_COUNT_FILE, the name of a file, counting starts
// with the program, and packets are written there in time and at the end.
bool perfpact_count_start(void* memory, size_t bytes);

// A packet of a program without an entry function.
void perfpact_count_begin(void);
void perfpact_count_end(int64_t verdict);

// Writes all packets that have ended since the last time, and forgets them. Not within a packet. False if the
// file cannot take them.
bool perfpact_count_write(FILE* file);
// Packets that did not fit, since the start.
uint64_t perfpact_count_lost(void);

#ifdef __cplusplus
}
#endif

#endif
