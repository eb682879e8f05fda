// From a file to a process that stands at its entry.
#pragma once
#include <memory>

#include "base/diagnostics.h"
#include "process/symbols.h"

namespace perfpact::process {

/// A process that was launched. Made, used and destroyed by the thread that traces it.
class Tracee {
 public:
  ~Tracee();  // ends it
  Tracee(const Tracee&) = delete;
  Tracee& operator=(const Tracee&) = delete;

  pid_t pid = 0;
  bool is_alive = true;
  pid_t thread = 0;  // the one that reached the entry
  std::uint64_t entry = 0;
  std::uint64_t syscall = 0;  // a `syscall` instruction
  std::vector<Mapping> mappings;
  Scratch scratch;
  Modules modules;
  std::string output;

 private:
  friend class Starter;
  explicit Tracee(pid_t of) : pid(of), thread(of) {}
};

[[nodiscard]] Result<std::unique_ptr<Tracee>> start_at_entry(const Launch& launch, Diagnostics& diagnostics);

}  // namespace perfpact::process
