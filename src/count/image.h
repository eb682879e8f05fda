// The code of a process that is counted: its modules and the marks in them.
#pragma once
#include <sys/types.h>

#include <unordered_map>

#include "process/marks.h"
#include "process/symbols.h"

namespace perfpact::count {

class Image {
 public:
  explicit Image(pid_t pid) : pid_(pid) {}
  /// What it is of from now on; both are to outlive it.
  void read(const process::Modules& modules, const std::vector<process::Mapping>& mappings,
            std::uint64_t entry, Diagnostics& diagnostics);

  struct Mark {
    bool is_outcome = false;
    std::string name;
  };
  /// PCVs and outcomes that count at this address; null where none does.
  [[nodiscard]] const std::vector<Mark>* marks(std::uint64_t address) const;
  /// The name of the method that begins here; null where none does. The entry is none.
  [[nodiscard]] const std::string* method(std::uint64_t address) const;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::uint64_t entry() const { return entry_; }
  [[nodiscard]] const process::Modules& modules() const { return *modules_; }
  [[nodiscard]] std::string describe(std::uint64_t address) const {
    return modules_->describe(address, *mappings_);
  }

 private:
  pid_t pid_;
  const process::Modules* modules_ = nullptr;
  const std::vector<process::Mapping>* mappings_ = nullptr;
  std::uint64_t entry_ = 0;
  std::unordered_map<std::uint64_t, std::vector<Mark>> marks_;
  std::unordered_map<std::uint64_t, std::string> methods_;
};

}  // namespace perfpact::count
