#include "derive/bound.h"

#include <algorithm>
#include <deque>
#include <map>
#include <ranges>

#include "base/check.h"
#include "linear/linear_program.h"

namespace perfpact::derive {
namespace {

constexpr std::uint32_t kNowhere = ~0U;
constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::min();

// ---- Which nodes are on ways

std::vector<bool> leads_to_end(const Graph& graph, const std::vector<bool>& ends) {
  std::vector<std::vector<std::uint32_t>> predecessors(graph.nodes.size());
  std::vector<bool> leads(ends);
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::uint32_t next : graph.nodes[i].successors) predecessors[next].push_back(i);
    if (ends[i]) open.push_back(i);
  }
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for (const std::uint32_t before : predecessors[node])
      if (!leads[before]) {
        leads[before] = true;
        open.push_back(before);
      }
  }
  return leads;
}

// Depth first, each node behind all it leads to but for edges back.
std::vector<std::uint32_t> postorder(const Graph& graph, const std::vector<bool>& wanted) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(graph.nodes.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  if (wanted[0]) stack.emplace_back(0, 0);
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    seen[node] = true;
    const std::vector<std::uint32_t>& successors = graph.nodes[node].successors;
    while (next < successors.size() && (seen[successors[next]] || !wanted[successors[next]])) ++next;
    if (next == successors.size()) {
      order.push_back(node);
      stack.pop_back();
    } else {
      stack.emplace_back(successors[next++], 0);
    }
  }
  return order;
}

}  // namespace

Ways::Ways(const Graph& graph, const std::vector<bool>& ends) {
  std::vector<std::uint32_t> order = postorder(graph, leads_to_end(graph, ends));
  std::ranges::reverse(order);
  std::vector<std::uint32_t> place(graph.nodes.size(), kNowhere);
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (const std::uint32_t number : order) {
    const Node& node = graph.nodes[number];
    places_.push_back({.node = &node, .is_end = ends[number]});
    for (const std::uint32_t next : node.successors)
      if (place[next] != kNowhere) places_.back().successors.push_back(place[next]);
    for (const auto& [pcv, times] : node.pcvs)
      if (std::ranges::find(pcvs_, pcv) == std::end(pcvs_)) pcvs_.push_back(pcv);
  }
  std::ranges::sort(pcvs_);
  find_loops();
}

std::vector<Ways::Counts> Ways::own_counts() const {
  std::vector<Counts> own(places_.size(), Counts(pcvs_.size()));
  for (std::size_t i = 0; i < places_.size(); ++i)
    for (const auto& [pcv, times] : places_[i].node->pcvs)
      own[i][static_cast<std::size_t>(std::ranges::lower_bound(pcvs_, pcv) - pcvs_.begin())] += times;
  return own;
}

Ways::Neighbours Ways::successors() const {
  Neighbours successors;
  for (const Place& place : places_) successors.push_back(place.successors);
  return successors;
}

Ways::Neighbours Ways::predecessors() const {
  Neighbours predecessors(places_.size());
  for (std::uint32_t i = 0; i < places_.size(); ++i)
    for (const std::uint32_t next : places_[i].successors) predecessors[next].push_back(i);
  return predecessors;
}

namespace {

using Counts = std::vector<std::int64_t>;

Counts sum_of(const Counts& a, const Counts& b) {
  Counts sum(a);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
  return sum;
}

// Of a shortest way from one of the places `from` to each place, both with it, by no place before `first`;
// nothing where none leads.
std::vector<std::optional<Counts>> shortest(const std::vector<std::uint32_t>& from,
                                            const std::vector<std::vector<std::uint32_t>>& neighbours,
                                            const std::vector<Counts>& own, std::uint32_t first = 0) {
  std::vector<std::optional<Counts>> counts(own.size());
  std::deque<std::uint32_t> open(from.begin(), from.end());
  for (const std::uint32_t place : from) counts[place] = own[place];
  for (; !open.empty(); open.pop_front())
    for (const std::uint32_t next : neighbours[open.front()])
      if (next >= first && !counts[next]) {
        counts[next] = sum_of(*counts[open.front()], own[next]);
        open.push_back(next);
      }
  return counts;
}

}  // namespace

void Ways::find_loops() {
  const std::vector<Counts> own = own_counts();
  const Neighbours successors = this->successors();
  std::map<std::uint32_t, std::vector<std::uint32_t>> back;  // by where they lead
  for (std::uint32_t i = 0; i < places_.size(); ++i)
    for (const std::uint32_t next : places_[i].successors)
      if (next <= i) back[next].push_back(i);
  const Neighbours predecessors = this->predecessors();
  std::map<std::uint32_t, std::int64_t> heights;  // by where edges back lead
  for (const auto& [head, ends] : std::views::reverse(back)) {
    // What leads to the edges back without being in front of the loop is in it.
    std::vector<bool> is_inside(places_.size());
    std::vector<std::uint32_t> open(ends);
    std::int64_t height = 0;
    while (!open.empty()) {
      const std::uint32_t place = open.back();
      open.pop_back();
      if (place <= head || is_inside[place]) continue;
      is_inside[place] = true;
      if (const auto inner = heights.find(place); inner != heights.end())
        height = std::max(height, inner->second + 1);
      open.insert(open.end(), predecessors[place].begin(), predecessors[place].end());
    }
    heights[head] = height;
    const auto to = shortest({head}, successors, own, head);
    for (const std::uint32_t end : ends)
      if (to[end]) loops_.push_back({height, *to[end]});
  }
}

std::pair<std::vector<std::int64_t>, std::int64_t> Ways::midst() const {
  const std::size_t size = places_.size();
  const std::vector<Counts> own = own_counts();
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 0; i < size; ++i)
    if (places_[i].is_end) ends.push_back(i);
  const auto to = shortest({0}, successors(), own);
  const auto on = shortest(ends, predecessors(), own);
  Counts sum(pcvs_.size());
  std::int64_t ways = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    for (const std::uint32_t next : places_[i].successors) {
      sum = sum_of(sum, sum_of(*to[i], *on[next]));
      ++ways;
    }
    if (places_[i].is_end) {
      sum = sum_of(sum, *to[i]);
      ++ways;
    }
  }
  return {sum, ways};
}

namespace {

// What a way or a loop costs, and how often each PCV is counted on it.
struct Way {
  std::int64_t cost = 0;
  std::vector<std::int64_t> counts;
  bool is_loop = false;
  std::uint64_t address = 0;  // the lowest of a loop's nodes
};

// Looks for what exceeds a formula.
class Search {
 public:
  Search(const Ways& ways, std::size_t metric, Side side) : places_(ways.places()), pcvs_(ways.pcvs()) {
    for (const Ways::Place& place : places_)
      costs_.push_back(side == Side::Above ? place.node->cost[metric] : -place.node->cost[metric]);
  }

  // The way that exceeds it most, or a loop that does; nothing where none does.
  std::optional<Way> exceeding(const std::vector<Rational>& prices, const Rational& constant) {
    weigh(prices);
    reached_.assign(places_.size(), kUnreached);
    before_.assign(places_.size(), kNowhere);
    reached_[0] = weights_[0];
    while (relax())
      if (const std::optional<std::uint32_t> in_loop = loop()) return loop_through(*in_loop);
    std::uint32_t longest = kNowhere;
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      if (places_[i].is_end && (longest == kNowhere || reached_[i] > reached_[longest])) longest = i;
    if (Rational(reached_[longest]) <= constant * Rational(scale_)) return std::nullopt;
    return way_to(longest);
  }

 private:
  // What a place costs less what its PCVs bring, in integers.
  void weigh(const std::vector<Rational>& prices) {
    Integer scale = 1;
    for (const Rational& price : prices) scale = lcm(scale, Integer(denominator(price)));
    scale_ = to_int64(scale);
    std::vector<std::int64_t> scaled;
    for (const Rational& price : prices) scaled.push_back(to_int64(floor(price * Rational(scale_))));
    weights_.resize(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      weights_[i] = multiply(costs_[i], scale_);
      for (const auto& [pcv, times] : places_[i].node->pcvs)
        weights_[i] = add(weights_[i], -multiply(scaled[index(pcv)], times));
    }
  }
  static std::int64_t to_int64(const Integer& value) {
    PERFPACT_CHECK(abs(value) < (Integer(1) << 62), "a number of {} bits in a bound",
                   msb(Integer(abs(value))));
    return static_cast<std::int64_t>(value);
  }
  static std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    PERFPACT_CHECK(!__builtin_mul_overflow(a, b, &product), "{} * {} in a bound", a, b);
    return product;
  }
  static std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    PERFPACT_CHECK(!__builtin_add_overflow(a, b, &sum), "{} + {} in a bound", a, b);
    return sum;
  }
  std::size_t index(std::uint32_t pcv) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(pcvs_, pcv) - pcvs_.begin());
  }

  // One round of Bellman and Ford's longest ways, in an order in which edges back alone need another.
  bool relax() {
    bool is_changed = false;
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      for (const std::uint32_t next : places_[i].successors) {
        const std::int64_t length = add(reached_[i], weights_[next]);
        if (length <= reached_[next]) continue;
        reached_[next] = length;
        before_[next] = i;
        is_changed = true;
      }
    return is_changed;
  }

  // A place from which going back never ends.
  std::optional<std::uint32_t> loop() const {
    std::vector<std::uint32_t> seen(places_.size(), kNowhere);
    for (std::uint32_t from = 0; from < places_.size(); ++from)
      for (std::uint32_t i = from; i != kNowhere && seen[i] != from; i = before_[i]) {
        if (seen[i] != kNowhere) break;
        seen[i] = from;
        if (before_[i] != kNowhere && seen[before_[i]] == from) return i;
      }
    return std::nullopt;
  }

  Way loop_through(std::uint32_t place) const {
    Way loop{.counts = std::vector<std::int64_t>(pcvs_.size()),
             .is_loop = true,
             .address = places_[place].node->address};
    std::uint32_t i = place;
    do {
      pass(i, loop);
      loop.address = std::min(loop.address, places_[i].node->address);
      i = before_[i];
    } while (i != place);
    return loop;
  }
  Way way_to(std::uint32_t end) const {
    Way way{.counts = std::vector<std::int64_t>(pcvs_.size())};
    for (std::uint32_t i = end; i != kNowhere; i = before_[i]) pass(i, way);
    return way;
  }
  void pass(std::uint32_t place, Way& way) const {
    way.cost += costs_[place];
    for (const auto& [pcv, times] : places_[place].node->pcvs) way.counts[index(pcv)] += times;
  }

  const std::vector<Ways::Place>& places_;
  const std::vector<std::uint32_t>& pcvs_;
  std::vector<std::int64_t> costs_, weights_, reached_;
  std::vector<std::uint32_t> before_;
  std::int64_t scale_ = 1;
};

// The linear program over prices and constant. Its variables: the prices, the constant, and what each price
// is at most in magnitude.
class Prices {
 public:
  Prices(const Ways& ways, Search& search, const Rational& limit)
      : search_(search), pcvs_(ways.pcvs().size()), limit_(limit), program_(2 * pcvs_ + 1, limit) {
    for (std::size_t i = 0; i < pcvs_; ++i)
      for (const int sign : {1, -1}) {
        linear::LinearProgram::Row row = zeros();
        row[i] = sign;
        row[pcvs_ + 1 + i] = 1;
        program_.require_at_least(row, 0);
      }
  }

  linear::LinearProgram::Row zeros() const { return linear::LinearProgram::Row(2 * pcvs_ + 1); }

  // Within the limit there is none.
  struct BeyondLimit {};
  // Of all formulas that nothing exceeds one that makes the objective least.
  std::variant<std::vector<Rational>, UnmarkedLoop, BeyondLimit> minimise(
      const linear::LinearProgram::Row& objective) {
    while (true) {
      const std::optional<std::vector<Rational>> found = program_.minimise(objective);
      if (!found) return BeyondLimit{};
      const std::vector<Rational>& values = *found;
      const std::vector<Rational> prices(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(pcvs_));
      const std::optional<Way> way = search_.exceeding(prices, values[pcvs_]);
      if (!way) return values;
      if (way->is_loop && std::ranges::all_of(way->counts, [](std::int64_t times) { return times == 0; }))
        return UnmarkedLoop{way->address};
      linear::LinearProgram::Row row = zeros();
      for (std::size_t i = 0; i < pcvs_; ++i) row[i] = way->counts[i];
      row[pcvs_] = way->is_loop ? 0 : 1;
      program_.require_at_least(row, way->cost);
    }
  }

  void hold(const linear::LinearProgram::Row& objective, const Rational& value) {
    linear::LinearProgram::Row row(objective);
    for (Rational& coefficient : row) coefficient = -coefficient;
    program_.require_at_least(row, -value);
  }

  [[nodiscard]] bool is_at_limit(const std::vector<Rational>& values) const {
    return std::ranges::any_of(values,
                               [this](const Rational& value) { return value == limit_ || value == -limit_; });
  }

 private:
  Search& search_;
  std::size_t pcvs_;
  Rational limit_;
  linear::LinearProgram program_;
};

// What loops come to that have no others inside, those around these, and so on.
std::vector<linear::LinearProgram::Row> rounds(const Ways& ways, const Prices& prices) {
  std::map<std::int64_t, linear::LinearProgram::Row> sums;
  for (const Ways::Loop& loop : ways.loops()) {
    linear::LinearProgram::Row& sum = sums.try_emplace(loop.height, prices.zeros()).first->second;
    for (std::size_t i = 0; i < loop.counts.size(); ++i) sum[i] += loop.counts[i];
  }
  std::vector<linear::LinearProgram::Row> rows;
  for (auto& [height, sum] : sums) rows.push_back(std::move(sum));
  return rows;
}

Rational times(const linear::LinearProgram::Row& row, const std::vector<Rational>& values) {
  Rational sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) sum += row[i] * values[i];
  return sum;
}

}  // namespace

bool is_exceeded(const Ways& ways, std::size_t metric, const std::vector<Rational>& prices,
                 const Rational& constant) {
  return Search(ways, metric, Side::Above).exceeding(prices, constant).has_value();
}

std::variant<Bound, UnmarkedLoop> find_bound(const Ways& ways, std::size_t metric, Side side) {
  constexpr std::int64_t kFirstLimit = 1 << 20, kLastLimit = std::int64_t{1} << 40;
  PERFPACT_CHECK(!ways.places().empty(), "a bound of no way");
  const std::size_t pcvs = ways.pcvs().size();
  const auto [counts, number] = ways.midst();
  Search search(ways, metric, side);
  for (std::int64_t limit = kFirstLimit; limit <= kLastLimit; limit <<= 10) {
    Prices prices(ways, search, limit);
    linear::LinearProgram::Row midst = prices.zeros(), magnitudes = prices.zeros();
    for (std::size_t i = 0; i < pcvs; ++i) {
      midst[i] = Rational(counts[i]) / number;
      magnitudes[pcvs + 1 + i] = 1;
    }
    midst[pcvs] = 1;
    std::vector<linear::LinearProgram::Row> objectives = rounds(ways, prices);
    objectives.push_back(midst);
    objectives.push_back(magnitudes);
    std::vector<Rational> values;
    for (const linear::LinearProgram::Row& objective : objectives) {
      auto best = prices.minimise(objective);
      if (auto* loop = std::get_if<UnmarkedLoop>(&best)) return *loop;
      values.clear();
      if (std::holds_alternative<Prices::BeyondLimit>(best)) break;
      values = std::get<std::vector<Rational>>(std::move(best));
      prices.hold(objective, times(objective, values));
    }
    if (values.empty() || prices.is_at_limit(values)) continue;
    const Rational sign = side == Side::Above ? 1 : -1;
    Bound bound{.constant = sign * values[pcvs], .midst = sign * times(midst, values)};
    for (std::size_t i = 0; i < pcvs; ++i) bound.prices.push_back(sign * values[i]);
    return bound;
  }
  PERFPACT_CHECK(false, "a bound beyond {}", kLastLimit);
  return UnmarkedLoop{};
}

}  // namespace perfpact::derive
