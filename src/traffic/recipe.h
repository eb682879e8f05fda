// Traffic recipes: which packets come, in which order, when (docs/formats.md, "Traffic").
//
//   schema: perfpact.traffic/1
//   seed: 1
//   flows:
//     clients: {count: 1000, values: {src: 10.0.0.0/8, sport: 1024..65535}}
//   phases:
//     - name: uniform
//       packets: 100000
//       gap: 1us
//       flows: {clients: {order: uniform}}
//       headers: [ethernet, ipv4: {src: $clients.src, dst: 192.0.2.1}, udp: {sport: $clients.sport}]
//
// Tested by tests/traffic/recipe_test.cpp.
#pragma once
#include <string>
#include <vector>

#include "traffic/stream.h"

namespace perfpact::traffic {

inline constexpr std::uint64_t kNanoseconds = 1'000'000'000;  // of a second

struct Phase {
  std::string name;
  std::uint64_t packets = 0;
  std::uint64_t gap_ns = 1000;
  std::uint64_t wait_ns = 0;  // between the packet before and the first one
  bool measured = false;
  std::vector<Stream> streams;  // each packet is of one of them, by their weights
};

struct Recipe {
  std::uint64_t seed = 0;
  std::uint64_t start_seconds = 0;
  RoutesByName routes;
  FlowSets flows;
  std::vector<Phase> phases;
};

/// Reads a recipe and searches the flows it wishes for. Files in it are relative to its folder.
[[nodiscard]] Result<Recipe> load_recipe(const std::string& path, Diagnostics& diagnostics);

}  // namespace perfpact::traffic
