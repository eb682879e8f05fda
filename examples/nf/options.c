#include "options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nf.h"

int nf_takes_no_options(int argc, char** argv) {
  if (argc == 1) return 0;
  fprintf(stderr, "%s: takes no argument '%s'\n", argv[0], argv[1]);
  return NF_BAD_USAGE;
}

int nf_no_memory(const char* program) {
  fprintf(stderr, "%s: not enough memory for the tables\n", program);
  return NF_BAD_INPUT;
}

bool read_number(const char* text, uint64_t least, uint64_t most, uint64_t* number) {
  if (*text < '0' || *text > '9') return false;
  char* end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (*end != '\0' || errno != 0 || value < least || value > most) return false;
  *number = value;
  return true;
}

bool read_address(const char* text, uint32_t* address) {
  struct in_addr parsed;
  if (inet_pton(AF_INET, text, &parsed) != 1) return false;
  *address = ntohl(parsed.s_addr);
  return true;
}

static void say_unknown(const char* program, const char* name, const struct nf_option* options,
                        size_t count) {
  fprintf(stderr, "%s: expected ", program);
  for (size_t i = 0; i < count; i++)
    fprintf(stderr, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", options[i].name);
  fprintf(stderr, ", not '%s'\n", name);
}

static bool take(const char* program, const struct nf_option* option, const char* value) {
  if (option->number != NULL) {
    if (read_number(value, option->least, option->most, option->number)) return true;
    fprintf(stderr, "%s: %s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'\n", program,
            option->name, option->least, option->most, value);
    return false;
  }
  if (option->read(value)) return true;
  fprintf(stderr, "%s: %s takes %s, not '%s'\n", program, option->name, option->takes, value);
  return false;
}

int nf_take_options(int argc, char** argv, const struct nf_option* options, size_t count) {
  for (int i = 1; i < argc; i += 2) {
    const struct nf_option* option = NULL;
    for (size_t k = 0; k < count; k++)
      if (strcmp(argv[i], options[k].name) == 0) option = &options[k];
    if (option == NULL) {
      say_unknown(argv[0], argv[i], options, count);
      return NF_BAD_USAGE;
    }
    if (i + 1 == argc) {
      fprintf(stderr, "%s: %s needs a value\n", argv[0], argv[i]);
      return NF_BAD_USAGE;
    }
    if (!take(argv[0], option, argv[i + 1])) return NF_BAD_USAGE;
  }
  return 0;
}
