#include "process/scratch.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "process/inject.h"

namespace perfpact::process {

Scratch map_scratch(pid_t thread, std::uint64_t syscall) {
  constexpr std::uint64_t kPage = 4096, kBytes = std::uint64_t{1} << 20;
  constexpr std::uint64_t kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const auto mapped =
      inject_syscall(thread, syscall, SYS_mmap, {0, kBytes + 2 * kPage, PROT_NONE, kFlags, ~0ULL, 0});
  if (!mapped || mapped->result <= 0) return {};
  const std::uint64_t begin = static_cast<std::uint64_t>(mapped->result) + kPage;
  const auto opened =
      inject_syscall(thread, syscall, SYS_mprotect, {begin, kBytes, PROT_READ | PROT_WRITE, 0, 0, 0});
  if (!opened || opened->result != 0) return {};
  return {begin, begin + kBytes};
}

}  // namespace perfpact::process
