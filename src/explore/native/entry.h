// How the per-packet function of a native program is called, and what its results mean (docs/formats.md,
// "Native programs").
// Tested by tests/explore/entry_test.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace perfpact::explore {

/// Names a value that an assumption speaks of: an argument (`port`, `length`, `now_ns`) or a global variable
/// that packets change.
struct Assumption {
  enum class Comparison : std::uint8_t { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
  std::string name;
  Comparison comparison{};
  std::uint64_t bound = 0;
  Span at;
};

/// A name for a structure, by where its handle is: `&macs` is the address of a global variable, `*flows` and
/// `*(state+0x10)` what such a place holds.
struct NamedStructure {
  std::string name;
  std::string place;
  Span at;
};

struct Entry {
  enum class Preset : std::uint8_t {
    Raw,   // (port, packet, length, now_ns)
    Mbuf,  // (struct rte_mbuf *), DPDK 22.11
  };
  enum class Meaning : std::uint8_t { Dropped, Flood, Sent };
  struct Returned {
    std::int64_t value;
    Meaning meaning;
  };

  Preset preset = Preset::Raw;
  std::string function;  // as process::Launch::entry
  // Positions of arguments, from 0. Of an mbuf only `packet` counts.
  std::uint32_t packet = 1;
  std::optional<std::uint32_t> length = 2, port = 0, now_ns = 3;
  std::uint32_t shortest = 14, longest = 1514;  // bytes of a packet
  std::vector<Returned> results = {{-1, Meaning::Dropped}, {65535, Meaning::Flood}};
  Meaning other = Meaning::Sent;  // what any other value means
  std::vector<Assumption> assumptions;
  std::vector<NamedStructure> structures;

  [[nodiscard]] static Entry raw(std::string function);
  [[nodiscard]] static Entry mbuf(std::string function);
  /// Reads a file of schema perfpact.entry/1.
  [[nodiscard]] static Result<Entry> load(const std::string& path, Diagnostics& diagnostics);
};

}  // namespace perfpact::explore
