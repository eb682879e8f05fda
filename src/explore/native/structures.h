// Names for structures, by their handles: as the entry file says, else the global variable that holds the
// handle, or that it points into.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/native/entry.h"
#include "process/process.h"

namespace perfpact::explore {

class Structures {
 public:
  Structures(const process::Process& process, const std::vector<NamedStructure>& named);

  /// `flows`, `state+0x10`; the address where nothing tells a name.
  [[nodiscard]] const std::string& name(std::uint64_t handle);
  /// Those that name no place.
  [[nodiscard]] const std::vector<NamedStructure>& wrong() const { return wrong_; }

 private:
  [[nodiscard]] std::optional<std::uint64_t> handle_at(std::string_view place) const;
  [[nodiscard]] std::string find(std::uint64_t handle) const;
  [[nodiscard]] std::optional<std::string> variable_at(std::uint64_t address) const;

  const process::Process& process_;
  std::map<std::uint64_t, std::string> names_;
  std::vector<NamedStructure> wrong_;
};

/// Where `symbol` or `symbol+0x10` is.
[[nodiscard]] std::optional<std::uint64_t> address_of(const process::Process& process,
                                                      std::string_view place);
/// The functions that a pack names so: a symbol (all of that name), `symbol+0x10`, or `*symbol+0x10`, the one
/// that a pointer there points to.
[[nodiscard]] std::vector<std::uint64_t> addresses_of(const process::Process& process,
                                                      std::string_view function);

}  // namespace perfpact::explore
