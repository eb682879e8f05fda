// Where places in the code and data of a process are, by the words of contract packs.
#pragma once
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "process/process.h"

namespace perfpact::process {

/// What is asked of the process: all symbols of a name, the program's first; memory, false where part of it
/// is not readable.
struct Places {
  std::function<std::vector<const Symbol*>(std::string_view)> find_symbols;
  std::function<bool(std::uint64_t, std::span<std::uint8_t>)> read;

  /// Where `symbol` or `symbol+0x10` is.
  [[nodiscard]] std::optional<std::uint64_t> address_of(std::string_view place) const;
  /// The functions of a name: a symbol (all of that name), `symbol+0x10`, or `*symbol+0x10`, the one that a
  /// pointer there points to.
  [[nodiscard]] std::vector<std::uint64_t> addresses_of(std::string_view function) const;
};

}  // namespace perfpact::process
