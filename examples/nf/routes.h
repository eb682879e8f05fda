// Reads the routes of a router from a file.
#ifndef ROUTES_H
#define ROUTES_H

#include <stdbool.h>
#include <stdint.h>

// A line of nf_options for routers.
#define ROUTES_OPTION "  --routes FILE   a line `A.B.C.D/LENGTH PORT` for each route; `#` opens a comment\n"

// The FILE of `--routes FILE`, the only arguments; NULL after saying on stderr what is wrong.
const char* routes_file(int argc, char** argv);

// Takes a route; false if there is no room for it.
typedef bool take_route(uint32_t prefix, uint8_t length, uint16_t port);

// Gives all routes in the file at PATH to TAKE; their prefixes have no bit set beyond their length, which is
// LEAST_LENGTH to 32. Returns 0, or NF_BAD_INPUT after saying on stderr what is wrong.
int read_routes(const char* program, const char* path, unsigned least_length, take_route* take);

#endif
