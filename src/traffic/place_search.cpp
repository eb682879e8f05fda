#include "traffic/place_search.h"

#include <algorithm>

#include "base/check.h"
#include "traffic/diagnostics.h"
#include "traffic/linear_system.h"

namespace perfpact::traffic {
namespace {

constexpr std::size_t kMostUnknowns = 128;
constexpr unsigned kMostEquations = 128;
constexpr std::uint64_t kMostTries = std::uint64_t{1} << 28;  // in a row, of a few nanoseconds each
constexpr std::uint64_t kFarApart = 0x9e3779b97f4a7c15;       // odd, so that all numbers come
constexpr std::uint64_t kMostSolutions = std::uint64_t{1} << 20;

bool is_same(const Placement& placement) {
  return placement.place != Place::OwnSlot;
}

bool is_linear(const Placement& placement) {
  return placement.structure == Structure::HashMap && is_same(placement);
}

// The bits that can differ among the values of a range, or that a mask leaves open; with the values' other
// bits.
std::optional<MaskedValue> open_bits(const Value& value) {
  if (const auto* masked = std::get_if<MaskedValue>(&value.kind)) return *masked;
  const auto* range = std::get_if<RangeValue>(&value.kind);
  if (range == nullptr) return std::nullopt;
  const unsigned bits = bits_of(range->first ^ range->last);
  const Wide open = bits >= 128 ? ~Wide{0} : (Wide{1} << bits) - 1;
  return MaskedValue{range->first & ~open, open};
}

bool contains(const Value& value, Wide number) {
  if (const auto* masked = std::get_if<MaskedValue>(&value.kind))
    return (number & ~masked->open) == masked->base;
  const auto* range = std::get_if<RangeValue>(&value.kind);
  return range != nullptr && number >= range->first && number <= range->last;
}

bool uses(const Placement& placement, std::size_t value) {
  return std::ranges::any_of(placement.key, [&](const KeyWord& word) {
    return std::ranges::any_of(word, [&](const KeyPart& part) { return part.value == value; });
  });
}

}  // namespace

// One flow after the other in the set's own order.
class PlaceSearch::Trying : public Source {
 public:
  explicit Trying(const PlaceSearch& search) : search_(search) {}
  bool next(std::uint64_t flow, std::span<Wide> out) override {
    if (candidate_ >= search_.flows_.order_->size()) return false;
    search_.flows_.candidate(candidate_++, flow, out);
    return true;
  }
  [[nodiscard]] std::uint64_t most_misses() const override {
    return candidate_ < search_.flows_.order_->size() ? kMostTries : 0;
  }

 private:
  const PlaceSearch& search_;
  Wide candidate_ = 0;
};

// The open bits of the values in the keys are the unknowns; what else is in the keys is drawn first and goes
// to the right side.
class PlaceSearch::Equations : public Source {
 public:
  explicit Equations(PlaceSearch& search) : search_(search) {
    const NamedValues& values = search.flows_.values();
    for (std::size_t v = 0; v < values.size(); ++v) {
      const auto open = open_bits(values[v].second);
      const bool is_used = std::ranges::any_of(
          search.placements_, [&](const Placement& p) { return is_linear(p) && uses(p, v); });
      if (!open || !is_used) continue;
      auto more = unknowns_;
      for (unsigned bit = 0; bit < 128; ++bit)
        if ((open->open >> bit & 1) != 0) more.emplace_back(v, Wide{1} << bit);
      if (more.size() > kMostUnknowns) continue;
      unknowns_ = std::move(more);
      bases_.emplace_back(v, open->base);
    }
    system_.emplace(columns(), equation_count());
  }

  bool next(std::uint64_t flow, std::span<Wide> out) override {
    search_.draw(flow, out);
    if (flow == 0) return true;
    for (const auto& [value, base] : bases_) out[value] = base;
    Wide right_sides = hashes(out);
    unsigned shift = 0;
    for (std::size_t p = 0; p < search_.placements_.size(); ++p) {
      const Placement& placement = search_.placements_[p];
      if (!is_linear(placement)) continue;
      right_sides ^= Wide{*search_.wanted_[p] & placement.fixed_bits()} << shift;
      shift += bits_of(placement.fixed_bits());
    }
    const auto solution = system_->solve(right_sides, search_.random_);
    if (!solution) return false;
    for (std::size_t u = 0; u < unknowns_.size(); ++u)
      if ((*solution >> u & 1) != 0) out[unknowns_[u].first] |= unknowns_[u].second;
    return std::ranges::all_of(bases_, [&](const auto& base) {
      return contains(search_.flows_.values()[base.first].second, out[base.first]);
    });
  }
  [[nodiscard]] std::uint64_t most_misses() const override { return kMostSolutions; }

 private:
  // What the equations fix of the hashes, one placement above the other.
  [[nodiscard]] Wide hashes(std::span<const Wide> values) const {
    Wide result = 0;
    unsigned shift = 0;
    for (const Placement& placement : search_.placements_) {
      if (!is_linear(placement)) continue;
      result |= Wide{placement.hash(values) & placement.fixed_bits()} << shift;
      shift += bits_of(placement.fixed_bits());
    }
    return result;
  }

  [[nodiscard]] unsigned equation_count() const {
    unsigned count = 0;
    for (const Placement& placement : search_.placements_)
      if (is_linear(placement)) count += bits_of(placement.fixed_bits());
    return count;
  }

  [[nodiscard]] std::vector<Wide> columns() const {
    std::vector<Wide> values(search_.flows_.values().size());
    const Wide zero = hashes(values);
    std::vector<Wide> result;
    for (const auto& [value, bit] : unknowns_) {
      values[value] = bit;
      result.push_back(hashes(values) ^ zero);
      values[value] = 0;
    }
    return result;
  }

  PlaceSearch& search_;
  std::vector<std::pair<std::size_t, Wide>> bases_;     // values with unknown bits, and their other bits
  std::vector<std::pair<std::size_t, Wide>> unknowns_;  // value and bit
  std::optional<LinearSystem> system_;
};

// From a hash to addresses.
class PlaceSearch::Backwards : public Source {
 public:
  Backwards(PlaceSearch& search, std::size_t placement, std::size_t value)
      : search_(search),
        placement_(placement),
        value_(value),
        macs_(search.placements_[placement].seed),
        open_(*open_bits(search.flows_.values()[value].second)) {}

  // How many tries an address takes.
  static double tries(const Value& value) { return 0x1p64 / static_cast<double>(value.choices()); }

  bool next(std::uint64_t flow, std::span<Wide> out) override {
    search_.draw(flow, out);
    if (flow == 0) return true;
    const Value& value = search_.flows_.values()[value_].second;
    const std::uint64_t fixed = std::uint64_t{search_.placements_[placement_].fixed_bits()} << 32;
    const std::uint64_t wanted = (std::uint64_t{*search_.wanted_[placement_]} << 32) & fixed;
    const std::uint64_t first = search_.random_();
    const auto closed = static_cast<std::uint64_t>(~open_.open);
    const auto base = static_cast<std::uint64_t>(open_.base);
    const auto most = static_cast<std::uint64_t>(tries(value)) * 64;
    for (std::uint64_t i = 0; i < most; ++i) {
      const std::uint64_t mac = macs_.at(((first + i * kFarApart) & ~fixed) | wanted);
      if ((mac & closed) != base || !contains(value, mac)) continue;
      out[value_] = mac;
      return true;
    }
    return false;
  }
  [[nodiscard]] std::uint64_t most_misses() const override { return 1000; }

 private:
  PlaceSearch& search_;
  std::size_t placement_;
  std::size_t value_;
  MacsOfHash macs_;
  MaskedValue open_;
};

PlaceSearch::PlaceSearch(const FlowSet& flows, std::vector<Placement> placements, const Span& span)
    : flows_(flows),
      placements_(std::move(placements)),
      span_(span),
      random_(derive_seed(flows.seed_, flows.values_.size())),
      wanted_(placements_.size()),
      taken_(placements_.size()) {
  for (std::size_t p = 0; p < placements_.size(); ++p)
    if (!is_same(placements_[p])) taken_[p].resize(placements_[p].slots);
}

std::unique_ptr<PlaceSearch::Source> PlaceSearch::make_source() {
  unsigned equations = 0;
  for (const Placement& placement : placements_)
    if (is_linear(placement)) equations += bits_of(placement.fixed_bits());
  if (equations > 0 && equations <= kMostEquations) return std::make_unique<Equations>(*this);
  for (std::size_t p = 0; p < placements_.size(); ++p) {
    const Placement& placement = placements_[p];
    if (placement.structure != Structure::MacTable || !is_same(placement) || placement.key[0].size() != 1)
      continue;
    const auto value = placement.key[0][0].value;
    if (!value || !open_bits(flows_.values_[*value].second)) continue;
    const double forwards = static_cast<double>(placement.fixed_bits()) + 1;
    if (Backwards::tries(flows_.values_[*value].second) < forwards)
      return std::make_unique<Backwards>(*this, p, *value);
  }
  return std::make_unique<Trying>(*this);
}

void PlaceSearch::draw(std::uint64_t flow, std::span<Wide> out) {
  for (std::size_t v = 0; v < flows_.values_.size(); ++v) {
    const Value& value = flows_.values_[v].second;
    const std::uint64_t drawn = random_();  // compilers differ in which of two arguments they evaluate first
    out[v] = value.at(below(random_, value.choices()), flow, drawn);
  }
}

bool PlaceSearch::fits(std::span<const Wide> values) const {
  for (std::size_t p = 0; p < placements_.size(); ++p) {
    const Placement& placement = placements_[p];
    if (!is_same(placement)) {
      if (taken_[p][placement.slot(values)]) return false;
    } else if (wanted_[p] && ((placement.hash(values) ^ *wanted_[p]) & placement.fixed_bits()) != 0) {
      return false;
    }
  }
  return true;
}

void PlaceSearch::take(std::span<const Wide> values) {
  for (std::size_t p = 0; p < placements_.size(); ++p) {
    if (is_same(placements_[p]))
      wanted_[p] = wanted_[p].value_or(placements_[p].hash(values));
    else
      taken_[p][placements_[p].slot(values)] = true;
  }
}

Result<std::vector<Wide>> PlaceSearch::run(Diagnostics& diagnostics) {
  const std::size_t width = flows_.values_.size();
  std::vector<Wide> found;
  found.reserve(width * flows_.count_);
  std::vector<Wide> values(width);
  const auto source = make_source();
  std::uint64_t misses = 0;
  for (std::uint64_t flow = 0; flow < flows_.count_;) {
    if (source->next(flow, values) && fits(values) && known_.insert(values).second) {
      take(values);
      found.insert(found.end(), values.begin(), values.end());
      misses = 0;
      ++flow;
    } else if (++misses > source->most_misses()) {
      return std::unexpected(
          diagnostics.report(diag::kImpossiblePlaces, span_, flows_.count_, flows_.name_, flow));
    }
  }
  return found;
}

}  // namespace perfpact::traffic
