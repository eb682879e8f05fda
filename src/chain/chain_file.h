// A chain as its file describes it (perfpact.chain/1; docs/formats.md, "Chains"): programs, and which output
// port of one leads to which port of another. Tested by tests/chain.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace perfpact::chain {

struct NodeSpec {
  std::string name;
  std::string program;  // paths are as they can be opened, no longer relative to the file
  Span at, program_at;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> packet_length;
  // Native programs.
  std::string entry, entry_file;
  std::vector<std::string> arguments, packs;
  // P4 programs.
  std::vector<std::string> tables;
  std::string cost_model;
  std::vector<std::pair<std::string, Span>> native_keys, p4_keys;  // that were given, and where
};

struct Edge {
  std::size_t from = 0, to = 0;  // indices of nodes
  std::uint64_t port = 0;        // by which packets leave `from`
  std::uint64_t to_port = 0;     // by which they come to `to`
  Span at;
};

struct ChainFile {
  std::vector<NodeSpec> nodes;  // every node behind all that lead to it; packets enter at the first
  std::vector<Edge> edges;

  /// Reads the file. Reports all that is wrong with it: unknown nodes, ports that are joined twice, cycles,
  /// nodes to which no packet comes.
  [[nodiscard]] static Result<ChainFile> load(const std::string& path, Diagnostics& diagnostics);
};

}  // namespace perfpact::chain
