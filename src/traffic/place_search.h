// Finds flows that have the places in hash tables that a recipe wishes for.
//
// hash_map's hash is linear, so keys of the same hash or slot are the solutions of linear equations in the
// bits of the flow's values: any number of them is found at once. mac_table's hash can be computed backwards.
// What neither gives (places of their own, values of other forms) is tried. Tested by
// tests/traffic/flow_set_test.cpp.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "traffic/flow_set.h"

namespace perfpact::traffic {

class PlaceSearch {
 public:
  PlaceSearch(const FlowSet& flows, std::vector<Placement> placements, const Span& span);
  PlaceSearch(const PlaceSearch&) = delete;
  PlaceSearch& operator=(const PlaceSearch&) = delete;

  /// The values of all flows, one flow after the other. Reports traffic-impossible-places.
  [[nodiscard]] Result<std::vector<Wide>> run(Diagnostics& diagnostics);

 private:
  /// Where candidates come from.
  class Source {
   public:
    virtual ~Source() = default;
    /// The values of one that may be flow number `flow`. False for one that is none; its values say nothing.
    virtual bool next(std::uint64_t flow, std::span<Wide> out) = 0;
    /// How many in a row may not fit before the search gives up.
    [[nodiscard]] virtual std::uint64_t most_misses() const = 0;
  };
  class Trying;
  class Equations;
  class Backwards;

  [[nodiscard]] std::unique_ptr<Source> make_source();
  [[nodiscard]] bool fits(std::span<const Wide> values) const;
  void take(std::span<const Wide> values);
  void draw(std::uint64_t flow, std::span<Wide> out);

  const FlowSet& flows_;
  std::vector<Placement> placements_;
  Span span_;
  Random random_;
  std::vector<std::optional<std::uint32_t>> wanted_;  // by placement: the hash of the first flow
  std::vector<std::vector<bool>> taken_;              // by placement: slots, of OwnSlot
  std::set<std::vector<Wide>> known_;
};

}  // namespace perfpact::traffic
