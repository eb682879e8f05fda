#include "markov/solve.h"

#include <algorithm>
#include <functional>

namespace perfpact::markov {
namespace {

/// All values that one of several alternatives can have, from the least to the greatest.
class Hull {
 public:
  void add(const Interval& value) {
    if (!hull_) {
      hull_ = value;
      return;
    }
    hull_->low = std::min(hull_->low, value.low);
    hull_->high = std::max(hull_->high, value.high);
  }
  [[nodiscard]] const Interval& get() const { return hull_.value(); }

 private:
  std::optional<Interval> hull_;
};

/// What follows a state: the expectation within each choice, the hull over what is open.
Interval after(const State& state, const std::vector<Interval>& values, Branching branching) {
  Hull hull;
  for (const Choice& choice : state.choices) {
    Interval mean(Rational(0));
    for (const Branch& branch : choice.branches) {
      const Interval& value = values[static_cast<std::size_t>(branch.target)];
      if (branching == Branching::Free)
        hull.add(value);
      else
        mean = mean + Interval(value.low * branch.probability, value.high * branch.probability);
    }
    if (branching == Branching::Random) hull.add(mean);
  }
  return hull.get();
}

/// Solves value(state) = at_state(state, value of what follows), from the last state back to the first.
Interval solve_backwards(const Chain& chain, Branching branching,
                         const std::function<Interval(const State&, const Interval&)>& at_state) {
  std::vector<Interval> values(chain.states().size());
  for (std::size_t i = values.size(); i-- > 0;) {
    const State& state = chain.states()[i];
    const bool is_done = state.kind == StateKind::Done;
    values[i] = at_state(state, is_done ? Interval(Rational(0)) : after(state, values, branching));
  }
  return values.front();
}

}  // namespace

Interval expected_reward(const Chain& chain, RewardId reward, Branching branching) {
  return solve_backwards(chain, branching, [&](const State& state, const Interval& rest) {
    return rest + Interval(chain.reward(state, reward));
  });
}

Interval reach_probability(const Chain& chain, LabelId label, Branching branching) {
  return solve_backwards(chain, branching, [&](const State& state, const Interval& rest) {
    return chain.has_label(state, label) ? Interval(Rational(1)) : rest;
  });
}

}  // namespace perfpact::markov
