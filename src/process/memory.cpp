#include "process/memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

namespace perfpact::process {

bool read_memory(pid_t pid, std::uint64_t address, std::span<std::uint8_t> bytes) {
  const iovec local{bytes.data(), bytes.size()};
  const iovec remote{reinterpret_cast<void*>(address), bytes.size()};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes.size());
}

MemoryWriter::MemoryWriter(pid_t pid)
    : file_(open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR | O_CLOEXEC)) {}

MemoryWriter::~MemoryWriter() {
  if (file_ >= 0) close(file_);
}

bool MemoryWriter::write(std::uint64_t address, std::span<const std::uint8_t> bytes) const {
  return pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(address)) ==
         static_cast<ssize_t>(bytes.size());
}

bool PageCache::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  const std::lock_guard lock(mutex_);
  while (!bytes.empty()) {
    const std::uint64_t offset = address % kPage;
    const std::size_t here = std::min<std::size_t>(bytes.size(), kPage - offset);
    const Page* source = page(address / kPage);
    if (source == nullptr) return false;
    std::copy_n(source->begin() + offset, here, bytes.begin());
    bytes = bytes.subspan(here);
    address += here;
  }
  return true;
}

const PageCache::Page* PageCache::page(std::uint64_t number) const {
  const auto [at, is_new] = pages_.try_emplace(number);
  if (is_new) {
    auto page = std::make_unique<Page>();
    if (read_memory(pid_, number * kPage, *page)) at->second = std::move(page);
  }
  return at->second.get();
}

}  // namespace perfpact::process
