#include "count_writer.h"

#include <inttypes.h>
#include <string.h>

// Where the type ends in the name of a method: as nflib/count.h says.
static size_t type_length(const struct count_function* function) {
  const char* slash = strrchr(function->file, '/');
  const char* file = slash == NULL ? function->file : slash + 1;
  const char* name = function->name;
  size_t shared = 0;
  for (size_t i = 0; name[i] != '\0'; i++) {
    if (name[i] == '_' && (file[i] == '_' || file[i] == '.')) shared = i;
    if (name[i] != file[i]) break;
  }
  if (shared != 0) return shared;
  const char* last = strrchr(name, '_');
  return last == NULL ? strlen(name) : (size_t)(last - name);
}

struct structure {
  const char* type;
  size_t type_length;
  uintptr_t handle;
  unsigned number;
};

static bool same_type(const struct structure* left, const struct structure* right) {
  return left->type_length == right->type_length && strncmp(left->type, right->type, left->type_length) == 0;
}

// The structure's number among those of its type; 0 if there are more than the table can hold.
static unsigned number_of(struct structure structure) {
  static struct structure known[1024];
  static size_t count;
  structure.number = 1;
  for (size_t i = 0; i < count; i++) {
    if (!same_type(&known[i], &structure)) continue;
    if (known[i].handle == structure.handle) return known[i].number;
    structure.number++;
  }
  if (count == sizeof known / sizeof known[0]) return 0;
  known[count++] = structure;
  return structure.number;
}

static void write_pcvs(FILE* file, const struct count_call* call) {
  fputs("\"pcvs\":{", file);
  for (uint32_t i = 0; i < call->pcvs; i++) {
    fprintf(file, "%s\"%s\":%" PRIu64, i == 0 ? "" : ",", call->pcv[i].name, call->pcv[i].count);
  }
  fputs("}", file);
}

static void write_outcome(FILE* file, const struct count_call* call) {
  if (call->outcome == NULL) {
    fputs("\"outcome\":null,", file);
  } else {
    fprintf(file, "\"outcome\":\"%s\",", call->outcome);
  }
}

static void write_call(FILE* file, const struct count_call* packet, const struct count_call* call) {
  const char* name = call->function->name;
  size_t length = type_length(call->function);
  const char* method = name[length] == '_' ? name + length + 1 : name;
  unsigned number = number_of((struct structure){name, length, call->handle, 0});
  fprintf(file, "{\"method\":\"%s\",\"structure\":\"%.*s@%u\",", method, (int)length, name, number);
  write_outcome(file, call);
  write_pcvs(file, call);
  const struct count_call* parent = call - call->parent;
  if (parent != packet) fprintf(file, ",\"parent\":%td", parent - packet - 1);
  fputs("}", file);
}

void count_write_packet(FILE* file, const struct count_call* packet) {
  fprintf(file, "{\"packet\":%" PRIu64 ",\"verdict\":%" PRId64 ",", packet->packet, packet->verdict);
  write_outcome(file, packet);
  write_pcvs(file, packet);
  fputs(",\"calls\":[", file);
  for (uint64_t i = 1; i <= packet->calls; i++) {
    if (i > 1) fputs(",", file);
    write_call(file, packet, packet + i);
  }
  fputs("]}\n", file);
}

void count_write_lost(FILE* file, uint64_t lost) {
  fprintf(file, "{\"lost\":%" PRIu64 "}\n", lost);
}
