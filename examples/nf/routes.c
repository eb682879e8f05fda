#include "routes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nf.h"
#include "options.h"

enum { MAX_PORT = 65534, ADDRESS_TEXT = 16 };

const char* routes_file(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "--routes") == 0) return argv[2];
  fprintf(stderr, "%s: expected --routes FILE\n", argv[0]);
  return NULL;
}

struct route {
  uint32_t prefix;
  unsigned length;
  unsigned port;
};

// The route in LINE; false if there is none.
static bool parse_route(const char* line, unsigned least_length, struct route* route) {
  char address[ADDRESS_TEXT];
  int end = 0;
  if (sscanf(line, " %15[0-9.]/%2u %5u %n", address, &route->length, &route->port, &end) != 3) return false;
  if (line[end] != '\0' || route->length < least_length || route->length > 32 || route->port > MAX_PORT)
    return false;
  if (!read_address(address, &route->prefix)) return false;
  return route->length == 32 || (route->prefix & UINT32_MAX >> route->length) == 0;
}

int read_routes(const char* program, const char* path, unsigned least_length, take_route* take) {
  FILE* file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "%s: cannot read %s: %s\n", program, path, strerror(errno));
    return NF_BAD_INPUT;
  }
  char line[256];
  int failed = 0;
  for (int number = 1; !failed && fgets(line, sizeof line, file) != NULL; number++) {
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0') continue;
    struct route route;
    if (!parse_route(line, least_length, &route)) {
      fprintf(stderr,
              "%s:%d: expected A.B.C.D/LENGTH PORT with a length from %u to 32 and no bit set beyond it, "
              "not '%s'\n",
              path, number, least_length, line);
      failed = NF_BAD_INPUT;
    } else if (!take(route.prefix, (uint8_t)route.length, (uint16_t)route.port)) {
      fprintf(stderr, "%s:%d: no room for more routes\n", path, number);
      failed = NF_BAD_INPUT;
    }
  }
  if (!failed && ferror(file)) {
    fprintf(stderr, "%s: cannot read %s: %s\n", program, path, strerror(errno));
    failed = NF_BAD_INPUT;
  }
  fclose(file);
  return failed;
}
