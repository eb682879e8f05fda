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
  /// What the program has written so far.
  [[nodiscard]] std::string output() const;

 private:
  friend class Starter;
  Tracee(pid_t of, int output) : pid(of), thread(of), output_(output) {}
  int output_;
};

/// Keep: it will not run any more. Its other threads stand, and what it shared is its own. RunOn: it goes on
/// from there; nothing was changed.
enum class Purpose : std::uint8_t { Keep, RunOn };

[[nodiscard]] Result<std::unique_ptr<Tracee>> start_at_entry(const Launch& launch, Purpose purpose,
                                                             Diagnostics& diagnostics);

/// Whether the file is a program that can be run here; reports why not.
[[nodiscard]] bool is_program(const std::string& path, Diagnostics& diagnostics);
/// "SIGSEGV".
[[nodiscard]] std::string signal_name(int signal);
/// Notes the end of what a program wrote under the last diagnostic.
void note_output(const std::string& output, Diagnostics& diagnostics);

}  // namespace perfpact::process
