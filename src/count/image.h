// The code of a process that is counted: its modules, the marks in them, and what contract packs say of its
// functions.
#pragma once
#include <sys/types.h>

#include <unordered_map>

#include "library/pack.h"
#include "process/marks.h"
#include "process/places.h"
#include "process/symbols.h"

namespace perfpact::count {

class Image {
 public:
  /// `packs` are to outlive it.
  Image(pid_t pid, const std::vector<library::Pack>& packs) : pid_(pid), packs_(packs) {}
  /// What it is of from now on; both are to outlive it.
  void read(const process::Modules& modules, const std::vector<process::Mapping>& mappings,
            std::uint64_t entry, Diagnostics& diagnostics);

  struct Mark {
    bool is_outcome = false;
    std::string name;
  };
  /// PCVs and outcomes that count at this address; null where none does.
  [[nodiscard]] const std::vector<Mark>* marks(std::uint64_t address) const;
  /// A marked function, or one that a pack lists.
  struct Method {
    std::string function;
    const library::Pack* pack = nullptr;
    const library::Method* listed = nullptr;  // in this pack
    /// Calls out of the entry's own code are counted apart. Where there are packs only those of methods that
    /// they list are.
    bool is_apart = true;
    std::optional<std::uint32_t> structure = 0;  // the argument that is the handle
  };
  /// The method that begins here; null where none does. The entry is none.
  [[nodiscard]] const Method* method(std::uint64_t address) const;

  /// Reports count-no-methods for a pack of which the process has no function, count-unknown-place for a
  /// loop that it does not have in a function that it has.
  [[nodiscard]] Result<void> check_packs(Diagnostics& diagnostics) const;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::uint64_t entry() const { return entry_; }
  [[nodiscard]] const process::Modules& modules() const { return *modules_; }
  [[nodiscard]] std::string describe(std::uint64_t address) const {
    return modules_->describe(address, *mappings_);
  }

 private:
  void add(const library::Pack& pack, const library::Method& method);
  [[nodiscard]] process::Places places() const;

  pid_t pid_;
  const std::vector<library::Pack>& packs_;
  const process::Modules* modules_ = nullptr;
  const std::vector<process::Mapping>* mappings_ = nullptr;
  std::uint64_t entry_ = 0;
  std::unordered_map<std::uint64_t, std::vector<Mark>> marks_;
  std::unordered_map<std::uint64_t, Method> methods_;
};

}  // namespace perfpact::count
