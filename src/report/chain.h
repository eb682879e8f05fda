// Contracts of chains as text and JSON (perfpact.chain-contract/1).
//
//   chain.yaml: 2 nodes, 14 paths, 0 gaps; 12 ways that no packet can take
//
//   options: 1 path
//     metric        chain  nodes added up
//     instructions  34     310
//     ...
//     worst path: 41c8..., 34 instructions, 4 loads, 0 stores measured
//       firewall: dropped; port 0, at 0 ns, 34 bytes: 0000...
//
// "nodes added up" is the dearest way through the chain by the nodes' own contracts: the first node's for the
// class, the others' for any packet. Tested by tests/golden/native/chain.golden.
#pragma once
#include <string>
#include <vector>

#include "chain/contract.h"

namespace perfpact::report {

struct ChainView {
  /// Of a class, by metric, as its witness was run.
  using Measured = std::vector<std::pair<chain::Metric, Rational>>;

  std::string file;
  const chain::ChainFile& described;
  const chain::Combination& combination;
  const std::vector<chain::ClassContract>& classes;
  std::vector<Measured> measured;  // by class; empty where nothing was run
  std::size_t verified = 0;        // packets that were run through the chain
};

[[nodiscard]] std::string to_text(const ChainView& view);
[[nodiscard]] std::string to_json(const ChainView& view);

}  // namespace perfpact::report
