// The paths that `perfpact paths` found.
//
//   router.p4: 7 paths, 1 gap; any tables; packets of 0 to 1514 bytes
//
//   path 5a6a66a23f9d02a6: sent(ingress.fib#1.ingress.forward.port)
//     does: parser start, ipv4; ingress.fib hit, ingress.forward
//     when: length >= 34
//           packet[12] . packet[13] == 0x800
//     tables: ingress.fib {hdr.ipv4.dst: 0x0} -> ingress.forward(port: 1)
//     witness: port 0, 34 bytes, sent(1): 0200...
//   ...
//   gap: more than 4 passes, router.p4:12:5
//
// As JSON: `perfpact.paths/1` (docs/formats.md, section 10). Tested by tests/golden/paths.
#pragma once
#include <string>
#include <vector>

#include "explore/p4/explorer.h"
#include "report/counts.h"

namespace perfpact::report {

/// A path without its trace, of which there may be a million.
struct ExploredPath {
  struct Call {
    std::string structure, outcome, action;
  };
  program::PathId id{};
  std::size_t ways = 1;  // conditions under which it was found; what follows is of the first
  smt::Constraints condition;
  std::vector<std::string> installed;  // the rest of the condition: `ingress.fib(packet[30]) hits ...`
  explore::Witness witness;
  std::string verdict;  // `sent(ingress.t#1.ingress.forward.port)` where it depends
  std::string does;
  EventCounts events{};
  std::vector<Call> calls;  // of tables
};
/// `trace` is that of the path's witness. `with_ranks`: whether what its look-ups visited means anything.
[[nodiscard]] ExploredPath describe(const explore::Path& path, const program::Trace& trace,
                                    const p4::core::Program& program, bool with_ranks);

struct PathsView {
  const std::string& program;
  const p4::core::Program& core;
  const explore::Options& options;
  const std::vector<ExploredPath>& paths;
  const std::vector<explore::Gap>& gaps;
  const SourceManager& sources;
};

[[nodiscard]] std::string to_text(const PathsView& view);
[[nodiscard]] std::string to_json(const PathsView& view);
/// What exploring took: queries by the layer that answered them, the share that Z3 did not see.
[[nodiscard]] std::string to_text(const explore::Statistics& statistics);

}  // namespace perfpact::report
