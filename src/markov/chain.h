// The Markov chain of a workload: weighted cases merged by common prefix (DESIGN: points 8 and 9).
//
// Comes in: the cases of a workload with their weights, and the same cases priced by one or more cost models.
// Goes out: a discrete-time Markov chain (DTMC). One event of a packet is one state; its cost in every
// scenario of every cost model is the state's reward. Cases share states as long as their events are equal
// (same site, same numbers); where they part, the state's transitions carry the exact conditional
// probabilities. Behind the last event comes a state for the case's verdict, then the one absorbing state,
// labelled `done`:
//
//   begin ─1─► start ─1─► parser.state ─0.33─► drop ─────────────────► dropped ─► done
//                                      └─0.67─► table.apply ─► ... ──► sent(1) ─► done
//
// Where a row of the workload has an unknown probability the model is a Markov decision process (MDP): from
// `begin` the known rows are entered with their probability, the rest goes to a state with one
// nondeterministic choice per unknown row.
//
// Invariants: state 0 is the start; every transition leads to a state with a larger number, except the loop
// of `done`, which is the last state; the probabilities of a choice are positive and sum to 1; a state has
// more than one choice only if it is the state of unknown rows. Cases of probability zero are left out. A
// case that ends in a gap ends in a state labelled `gap`: its rewards are those until it was cut off. Equal
// tails are not merged: the model without `done` is a tree.
//
// Method: Lukács, Pongrácz, Tejfel, "Model checking-based performance prediction for P4" (2022), section 3,
// which builds the chain from a program's control flow; ours is built from the cases that really occur.
// Tested by tests/markov/.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/number.h"
#include "cost/pricing.h"
#include "program/event.h"
#include "workload/weigh.h"
#include "workload/workload.h"

namespace perfpact::markov {

enum class StateId : std::uint32_t {};
enum class LabelId : std::uint32_t {};
enum class RewardId : std::uint32_t {};

struct Branch {
  StateId target;
  Rational probability;
};

struct Choice {
  std::string row;  // of the workload, for a choice between unknown rows; else empty
  std::vector<Branch> branches;
};

enum class StateKind : std::uint8_t { Begin, UnknownRows, Event, Verdict, Done };

struct State {
  StateKind kind;
  const program::Event* event = nullptr;  // of an Event state; points into the WeightedCases
  std::size_t case_index = 0;             // of a Verdict state: into WeightedCases::cases
  std::uint32_t step = 0;                 // events and verdicts from `begin` to here, this one included
  std::vector<LabelId> labels;            // ascending
  std::vector<Rational> rewards;          // one per reward structure; empty where all are zero
  std::vector<Choice> choices;            // never empty
};

/// A name that properties use for a set of states. `name` is an identifier, `meaning` what it stands for.
struct Label {
  std::string name;     // "hit_ingress_ipv4_fib"
  std::string meaning;  // "hit(ingress.ipv4_fib)"
};

/// What a visit to a state costs by one cost model in one scenario. `name` is an identifier.
struct RewardStructure {
  std::string name;  // "cost_per_size_average"
  std::string model;
  std::string scenario;
  std::string metric;
  std::string unit;
  std::size_t prediction;  // index of the model's prediction
};

class Chain {
 public:
  /// `predictions`: the same cases priced by different models (at least one).
  [[nodiscard]] static Chain build(const workload::WeightedCases& cases, const workload::Workload& workload,
                                   std::span<const cost::Prediction> predictions);

  [[nodiscard]] const std::vector<State>& states() const { return states_; }
  [[nodiscard]] const State& state(StateId id) const { return states_[static_cast<std::size_t>(id)]; }
  /// Labels of FORMATS' atoms: done; the verdicts sent, multicast, dropped, rejected, error, and sent_PORT,
  /// multicast_GROUP where they occur; path_ID; applied_TABLE, hit_TABLE, miss_TABLE; action_ACTION.
  [[nodiscard]] const std::vector<Label>& labels() const { return labels_; }
  [[nodiscard]] const std::vector<RewardStructure>& rewards() const { return rewards_; }
  /// Whether a choice is open: an MDP; else a DTMC.
  [[nodiscard]] bool is_mdp() const { return is_mdp_; }
  [[nodiscard]] StateId begin() const { return StateId{0}; }
  [[nodiscard]] StateId done() const { return static_cast<StateId>(states_.size() - 1); }

  [[nodiscard]] std::optional<LabelId> find_label(std::string_view name) const;
  [[nodiscard]] std::optional<RewardId> find_reward(std::string_view name) const;
  [[nodiscard]] bool has_label(const State& state, LabelId label) const;
  /// The reward of a visit to a state.
  [[nodiscard]] Rational reward(const State& state, RewardId reward) const;
  /// `table.apply(...)`, `sent(1)`, `done`, ...
  [[nodiscard]] std::string describe(const State& state) const;

 private:
  friend class ChainBuilder;
  std::vector<State> states_;
  std::vector<std::string> verdicts_;  // text per case
  std::vector<Label> labels_;
  std::vector<RewardStructure> rewards_;
  bool is_mdp_ = false;
};

}  // namespace perfpact::markov
