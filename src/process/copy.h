// A forked copy of a kept process, stopped where the process stands, with all its signals blocked.
#pragma once
#include <sys/types.h>

#include <cstdint>

namespace perfpact::process {

class Copy {
 public:
  /// By the `syscall` instruction at this address.
  Copy(pid_t thread, std::uint64_t syscall);
  ~Copy();  // ends it
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  /// 0 where it could not be made.
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

}  // namespace perfpact::process
