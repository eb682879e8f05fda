#include "process/private_memory.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "process/inject.h"
#include "process/memory.h"

namespace perfpact::process {
namespace {

constexpr std::size_t kPage = 4096;

bool is_zero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

bool replace(pid_t thread, const Mapping& mapping, std::uint64_t syscall) {
  std::vector<std::uint8_t> content(mapping.end - mapping.begin);
  if (!read_memory(thread, mapping.begin, content)) return false;
  const std::uint64_t protection = PROT_READ | PROT_WRITE | (mapping.executable ? PROT_EXEC : 0);
  constexpr std::uint64_t kFlags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const auto mapped = inject_syscall(thread, syscall, SYS_mmap,
                                     {mapping.begin, content.size(), protection, kFlags, ~0ULL, 0});
  if (!mapped || mapped->result != static_cast<std::int64_t>(mapping.begin)) return false;
  const MemoryWriter memory(thread);
  for (std::size_t at = 0; at < content.size(); at += kPage) {
    const std::span page = std::span(content).subspan(at, kPage);
    if (!is_zero(page) && !memory.write(mapping.begin + at, page)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> make_memory_private(pid_t thread, const std::vector<Mapping>& mappings,
                                             std::uint64_t syscall) {
  std::vector<std::string> still_shared;
  for (const Mapping& mapping : mappings) {
    if (!mapping.shared || !mapping.readable || !mapping.writable) continue;
    if (!replace(thread, mapping, syscall)) still_shared.push_back(mapping.file);
  }
  return still_shared;
}

}  // namespace perfpact::process
