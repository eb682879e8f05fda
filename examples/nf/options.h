// Options of network functions, declared as a table.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nf_option {
  const char* name;  // `--capacity`
  // A number from LEAST to MOST goes to NUMBER ...
  uint64_t* number;
  uint64_t least;
  uint64_t most;
  // ... or, where NUMBER is NULL, READ is given the value's text and says whether it is one. TAKES tells the
  // user what it has to be.
  bool (*read)(const char* text);
  const char* takes;
};

// Reads all arguments by a table of COUNT options; one that is given twice has its last value. Returns 0, or
// NF_BAD_USAGE after saying on stderr what is wrong.
int nf_take_options(int argc, char** argv, const struct nf_option* options, size_t count);

// The whole of TEXT as a decimal number from LEAST to MOST.
bool read_number(const char* text, uint64_t least, uint64_t most, uint64_t* number);
// The whole of TEXT as an IPv4 address, in host byte order.
bool read_address(const char* text, uint32_t* address);

#endif
