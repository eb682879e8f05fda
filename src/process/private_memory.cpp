#include "process/private_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/inject.h"
#include "process/memory.h"

namespace perfpact::process {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;

// The file behind a mapping (proc(5), /proc/pid/map_files), where the kernel lets us open it.
class MappedFile {
 public:
  MappedFile(pid_t thread, const Mapping& mapping)
      : file_(open(fmt::format("/proc/{}/map_files/{:x}-{:x}", thread, mapping.begin, mapping.end).c_str(),
                   O_RDONLY | O_CLOEXEC)),
        offset_(mapping.offset) {}
  ~MappedFile() {
    if (file_ >= 0) close(file_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  // Where data begins, from this byte of the mapping on; what lies before is zeros. Nothing: no more.
  [[nodiscard]] std::optional<std::uint64_t> data_from(std::uint64_t at) const {
    const off_t found = lseek(file_, static_cast<off_t>(offset_ + at), SEEK_DATA);
    return found < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(found) - offset_);
  }
  [[nodiscard]] bool read(std::uint64_t at, std::span<std::uint8_t> bytes) const {
    return pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset_ + at)) ==
           static_cast<ssize_t>(bytes.size());
  }

 private:
  int file_;
  std::uint64_t offset_;
};

bool map_anonymous(pid_t thread, const Mapping& mapping, std::uint64_t syscall) {
  const std::uint64_t protection = PROT_READ | PROT_WRITE | (mapping.executable ? PROT_EXEC : 0);
  constexpr std::uint64_t kFlags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const auto mapped = inject_syscall(
      thread, syscall, SYS_mmap, {mapping.begin, mapping.end - mapping.begin, protection, kFlags, ~0ULL, 0});
  return mapped && mapped->result == static_cast<std::int64_t>(mapping.begin);
}

// Only what the file has data for is copied: a table that was allocated and never used takes no time.
bool replace_by_file(pid_t thread, const Mapping& mapping, const MappedFile& file, std::uint64_t syscall) {
  if (!map_anonymous(thread, mapping, syscall)) return false;
  const MemoryWriter memory(thread);
  const std::uint64_t size = mapping.end - mapping.begin;
  std::vector<std::uint8_t> chunk(kChunk);
  for (auto at = file.data_from(0); at && *at < size; at = file.data_from(*at)) {
    const std::span bytes = std::span(chunk).first(std::min(kChunk, size - *at));
    if (!file.read(*at, bytes) || !memory.write(mapping.begin + *at, bytes)) return false;
    *at += bytes.size();
  }
  return true;
}

bool replace_by_copy(pid_t thread, const Mapping& mapping, std::uint64_t syscall) {
  std::vector<std::uint8_t> content(mapping.end - mapping.begin);
  return read_memory(thread, mapping.begin, content) && map_anonymous(thread, mapping, syscall) &&
         MemoryWriter(thread).write(mapping.begin, content);
}

bool replace(pid_t thread, const Mapping& mapping, std::uint64_t syscall) {
  const MappedFile file(thread, mapping);
  return file.is_open() && file.data_from(0) ? replace_by_file(thread, mapping, file, syscall)
                                             : replace_by_copy(thread, mapping, syscall);
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
