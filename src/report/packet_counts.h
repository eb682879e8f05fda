// What the packets of a native program cost (`perfpact count`).
//
//   nat: 3 packets; entry nf_process
//
//                      times    instructions             loads          stores
//   nf_process             3  120/130.3/141      31/33.0/35       9/9.3/10
//   with its methods       3  201/256.7/298  ...
//   flows.get hit          2  ...
//
//   cycles.expected 61/71.0/83
//
// least/mean/most of each call; a row for the entry function without its methods, one with them, and one for
// each structure, method and outcome. As JSON: a line per packet, perfpact.count/1 (docs/formats.md, section
// 10). Tested by tests/golden/native/count*.golden.
#pragma once
#include <map>
#include <string>
#include <tuple>

#include "count/count.h"

namespace perfpact::report {

/// What a packet is expected to take.
struct ExpectedCycles {
  std::optional<std::uint64_t> cycles;  // nothing: it is not known
};

/// A line of JSON, with cycles where they are asked for.
[[nodiscard]] std::string to_json_line(const count::PacketCount& packet, const explore::Entry& entry,
                                       std::optional<ExpectedCycles> cycles);

/// What functions and source lines cost, of all packets together, the dearest first:
///
///   by function   instructions  share  loads  stores
///   nf_process            1048  62.1%    506     204
struct ProfileView {
  const count::Profile& profile;
  bool by_function = false;
  bool by_line = false;
};
[[nodiscard]] std::string to_text(const ProfileView& view);
/// A line of JSON, perfpact.count-profile/1.
[[nodiscard]] std::string to_json_line(const ProfileView& view);

/// Every access to memory of a packet, in order:
///
///   load   8  packet+0xc          nf_process+0x1c
///   store  8  stack-0x8           nf_process+0x30
///   load   4  flows->0x40         flow_table_get+0x12   flows.get
struct AccessesView {
  const count::PacketCount& packet;
};
[[nodiscard]] std::string to_text(const AccessesView& view);

/// Takes packets in, and tells about all of them.
class CountSummary {
 public:
  void add(const count::PacketCount& packet, std::optional<ExpectedCycles> cycles);
  [[nodiscard]] std::uint64_t packets() const { return own_.times; }
  [[nodiscard]] std::string to_text(const std::string& program, const explore::Entry& entry) const;

 private:
  struct Range {
    std::uint64_t least = ~0ULL, most = 0, sum = 0;
    void add(std::uint64_t value);
    [[nodiscard]] std::string to_text(std::uint64_t times) const;
  };
  struct Row {
    std::uint64_t times = 0;
    Range instructions, loads, stores;
    void add(const process::Counts& counts);
    [[nodiscard]] std::vector<std::string> cells(const std::string& name) const;
  };
  Row own_, total_;
  Range cycles_;
  std::uint64_t with_cycles_ = 0, without_cycles_ = 0;  // packets, where cycles are asked for
  std::map<std::tuple<std::string, std::string, std::string>, Row> calls_;  // structure, method, outcome
  std::map<std::string, std::uint64_t> unfinished_;                         // by how they ended
};

}  // namespace perfpact::report
