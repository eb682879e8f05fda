#include "traffic/generator.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace perfpact::traffic {
namespace {

class PhaseRun {
 public:
  explicit PhaseRun(Phase& phase) {
    for (Stream& stream : phase.streams) {
      runs_.emplace_back(stream);
      ports_.push_back(stream.port);
      weights_.push_back(stream.weight + (weights_.empty() ? 0 : weights_.back()));
    }
  }

  MadePacket next(Random& random) {
    std::size_t chosen = 0;
    if (runs_.size() > 1) {
      const std::uint64_t point = scale(random(), weights_.back());
      chosen = static_cast<std::size_t>(std::ranges::upper_bound(weights_, point) - weights_.begin());
    }
    return {runs_[chosen].next(random), {}, ports_[chosen]};
  }

 private:
  std::vector<StreamRun> runs_;
  std::vector<std::uint32_t> ports_;
  std::vector<std::uint64_t> weights_;  // sums up to each stream
};

}  // namespace

void generate(Recipe& recipe, const std::function<void(const MadePacket&)>& sink) {
  const std::vector<PhaseRange> ranges = phase_ranges(recipe);
  for (std::size_t p = 0; p < recipe.phases.size(); ++p) {
    Phase& phase = recipe.phases[p];
    Random random(derive_seed(~recipe.seed, p));
    PhaseRun run(phase);
    std::uint64_t now = ranges[p].first_ns;
    for (std::uint64_t i = 0; i < phase.packets; ++i, now += phase.gap_ns) {
      MadePacket packet = run.next(random);
      packet.time = {static_cast<std::int64_t>(now / kNanoseconds),
                     static_cast<std::int32_t>(now % kNanoseconds)};
      sink(packet);
    }
  }
}

std::vector<PhaseRange> phase_ranges(const Recipe& recipe) {
  std::vector<PhaseRange> ranges;
  std::uint64_t first = 0;
  std::uint64_t now = recipe.start_seconds * kNanoseconds;
  for (const Phase& phase : recipe.phases) {
    // The first packet of all comes at the start.
    if (first > 0) now += phase.wait_ns;
    ranges.push_back({phase.name, first, phase.packets, phase.measured, now});
    if (phase.packets > 0) now += (phase.packets - 1) * phase.gap_ns;
    first += phase.packets;
  }
  return ranges;
}

std::string to_json(const std::vector<PhaseRange>& ranges) {
  nlohmann::ordered_json phases = nlohmann::ordered_json::array();
  for (const PhaseRange& range : ranges)
    phases.push_back({{"name", range.name},
                      {"first", range.first},
                      {"packets", range.packets},
                      {"measured", range.measured},
                      {"first_ns", range.first_ns}});
  const nlohmann::ordered_json all{{"schema", "perfpact.traffic-phases/1"}, {"phases", phases}};
  return all.dump(2) + "\n";
}

}  // namespace perfpact::traffic
