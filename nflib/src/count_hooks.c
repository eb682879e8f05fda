#define _DEFAULT_SOURCE
#include "count_hooks.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The linker's names for the section in which perfpact.h puts the functions; weak, since there may be none.
extern const struct count_function __start_perfpact_count[] __attribute__((weak, visibility("hidden")));
extern const struct count_function __stop_perfpact_count[] __attribute__((weak, visibility("hidden")));

extern char perfpact_count_leave[] __attribute__((visibility("hidden")));

// perfpact_count_enter: a stub comes here, r11 being the function's record. Above on the stack are the place
// in the function to go on at, and the function's return address. All registers that arguments may be in are
// kept. perfpact_count_leave: the function "returns" here.
__asm__(
    ".text\n"
    ".globl perfpact_count_enter\n"
    ".hidden perfpact_count_enter\n"
    ".type perfpact_count_enter, @function\n"
    "perfpact_count_enter:\n"
    "  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n  push %rax\n  push %r10\n"
    "  sub $128, %rsp\n"
    "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
    "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, "
    "112(%rsp)\n"
    "  mov %rdi, %rsi\n"
    "  mov %r11, %rdi\n"
    "  lea 200(%rsp), %rdx\n"
    "  call perfpact_count_entered\n"
    "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
    "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), "
    "%xmm7\n"
    "  add $128, %rsp\n"
    "  pop %r10\n  pop %rax\n  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n"
    "  ret\n"
    ".size perfpact_count_enter, . - perfpact_count_enter\n"
    ".globl perfpact_count_leave\n"
    ".hidden perfpact_count_leave\n"
    ".type perfpact_count_leave, @function\n"
    "perfpact_count_leave:\n"
    "  sub $8, %rsp\n"
    "  push %rax\n  push %rdx\n"
    "  sub $40, %rsp\n"
    "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n"
    "  mov %rax, %rdi\n"
    "  call count_left\n"
    "  mov %rax, 56(%rsp)\n"
    "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n"
    "  add $40, %rsp\n"
    "  pop %rdx\n  pop %rax\n"
    "  ret\n"
    ".size perfpact_count_leave, . - perfpact_count_leave\n");

__attribute__((used, visibility("hidden"))) void perfpact_count_entered(const struct count_function* function,
                                                                        uintptr_t handle,
                                                                        void** return_address) {
  if (count_entered(function, handle, *return_address)) *return_address = perfpact_count_leave;
}

enum { CALL = 0xe8, CALL_BYTES = 5 };

// Where the room for the call is; NULL if it is not there. GNU as writes five nops, clang one of five bytes.
static uint8_t* room(uint8_t* code) {
  static const uint8_t landing_pad[] = {0xf3, 0x0f, 0x1e, 0xfa};
  static const uint8_t nops[CALL_BYTES] = {0x90, 0x90, 0x90, 0x90, 0x90};
  static const uint8_t long_nop[CALL_BYTES - 1] = {0x0f, 0x1f, 0x44, 0x00};
  if (memcmp(code, landing_pad, sizeof landing_pad) == 0) code += sizeof landing_pad;
  bool there = memcmp(code, nops, sizeof nops) == 0 || memcmp(code, long_nop, sizeof long_nop) == 0;
  return there ? code : NULL;
}

static bool write_call(uint8_t* place, const uint8_t* target) {
  int64_t distance = target - (place + CALL_BYTES);
  if (distance != (int32_t)distance) {
    errno = ERANGE;
    return false;
  }
  uint8_t call[CALL_BYTES] = {CALL};
  int32_t short_distance = (int32_t)distance;
  memcpy(call + 1, &short_distance, sizeof short_distance);

  uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t first = (uintptr_t)place & ~(page_bytes - 1);
  size_t bytes = (uintptr_t)place + CALL_BYTES - first;
  if (mprotect((void*)first, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  memcpy(place, call, CALL_BYTES);
  return mprotect((void*)first, bytes, PROT_READ | PROT_EXEC) == 0;
}

bool count_install_hooks(void) {
  static bool installed;
  if (installed) return true;
  for (const struct count_function* function = __start_perfpact_count; function != __stop_perfpact_count;
       function++) {
    uint8_t* place = room(function->code);
    if (place == NULL) {
      errno = ENOEXEC;
      return false;
    }
    if (!write_call(place, function->stub)) return false;
  }
  installed = true;
  return true;
}
