// The tightest linear formula over PCVs that no way through a method exceeds.
//
// That is the dual of implicit path enumeration (Li and Malik, DAC 1995): instead of the most expensive flow
// for given counts of PCVs, prices for the PCVs and a constant so that each way costs at most what its counts
// come to. Most ways are never looked at: a linear program over the prices proposes a formula, a search for
// the longest way under these prices finds one that exceeds it, or a loop that costs more than its PCVs
// bring, and adds it, until there is none.
//
// Formulas that nobody exceeds are many. First come the loops, inner ones before those around them: what a
// round of a loop is priced at is no more than it has to be, since rounds can be many. Of the formulas that
// are left the one is taken that is least at the sum of a shortest way through every edge, which lies in the
// midst of the counts that ways can have: where costs are linear in the counts, the formula is exact. Then
// the formula that no way falls below gives the same there.
// Tested by tests/derive.
#pragma once
#include <variant>

#include "base/number.h"
#include "derive/graph.h"

namespace perfpact::derive {

/// Part of a graph: the nodes on ways to the returns that `ends` tells of.
class Ways {
 public:
  Ways(const Graph& graph, const std::vector<bool>& ends);

  struct Place {
    const Node* node = nullptr;
    std::vector<std::uint32_t> successors;
    bool is_end = false;
  };
  /// The entry first, then what is reached from it, so that edges back are few. Empty: no way leads there.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// Which PCVs are counted on them.
  [[nodiscard]] const std::vector<std::uint32_t>& pcvs() const { return pcvs_; }
  /// How often each of pcvs() is counted on a shortest way through every edge, added up, and the number of
  /// these ways.
  [[nodiscard]] std::pair<std::vector<std::int64_t>, std::int64_t> midst() const;
  /// A shortest loop through an edge back.
  struct Loop {
    std::int64_t height = 0;           // 0: there is no other one inside
    std::vector<std::int64_t> counts;  // how often each of pcvs() is counted
  };
  [[nodiscard]] const std::vector<Loop>& loops() const { return loops_; }

 private:
  using Counts = std::vector<std::int64_t>;
  using Neighbours = std::vector<std::vector<std::uint32_t>>;
  // Of each place.
  [[nodiscard]] std::vector<Counts> own_counts() const;
  [[nodiscard]] Neighbours successors() const;
  [[nodiscard]] Neighbours predecessors() const;
  void find_loops();

  std::vector<Place> places_;
  std::vector<std::uint32_t> pcvs_;
  std::vector<Loop> loops_;
};

struct Bound {
  std::vector<Rational> prices;  // of Ways::pcvs()
  Rational constant;
  Rational midst;  // its value at Ways::midst()
};

/// A loop without a mark that costs something: the address where it begins.
struct UnmarkedLoop {
  std::uint64_t address = 0;
};

/// Whether some way costs more of the metric than the formula of these prices, of Ways::pcvs(), and this
/// constant.
[[nodiscard]] bool is_exceeded(const Ways& ways, std::size_t metric, const std::vector<Rational>& prices,
                               const Rational& constant);

enum class Side : std::uint8_t { Above, Below };

/// Of the metric with this number (library::kMetrics). Loops without marks are found with Side::Above.
[[nodiscard]] std::variant<Bound, UnmarkedLoop> find_bound(const Ways& ways, std::size_t metric, Side side);

}  // namespace perfpact::derive
