// A set of flows: numbered, each with values that tell it from the others.
//
// A flow's values follow from its number and the seed, so that a set takes no memory, except where flows were
// searched for that have their places in hash tables. Tested by tests/traffic/flow_set_test.cpp.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "traffic/permutation.h"
#include "traffic/structures.h"

namespace perfpact::traffic {

class FlowSet {
 public:
  /// `{count: N, values: {NAME: VALUE, ...}, places: [...]}`.
  [[nodiscard]] static Result<FlowSet> read(const std::string& name, const Yaml& yaml,
                                            const RoutesByName& routes, std::uint64_t seed,
                                            Diagnostics& diagnostics);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] const NamedValues& values() const { return values_; }
  /// The values of a flow, by values(); `out` has as many elements.
  void get(std::uint64_t flow, std::span<Wide> out) const;

 private:
  FlowSet() = default;
  /// The values of flow number `flow` if it were candidate number `candidate`.
  void candidate(Wide candidate, std::uint64_t flow, std::span<Wide> out) const;
  friend class PlaceSearch;

  std::string name_;
  std::uint64_t count_ = 0;
  std::uint64_t seed_ = 0;
  NamedValues values_;
  std::vector<Wide> choices_;  // of each value
  std::shared_ptr<const Permutation> order_;
  std::vector<Wide> found_;  // the values of all flows, where they have places
};

}  // namespace perfpact::traffic
