#include "markov/chain.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "base/check.h"
#include "markov/identifiers.h"

namespace perfpact::markov {
namespace {

/// Orders events by all that makes them equal, so that siblings are found without walking them.
struct EventLess {
  bool operator()(const program::Event* a, const program::Event* b) const {
    const auto key = [](const program::Event& e) {
      return std::tie(e.site->kind, e.site->at, e.site->texts, e.numbers);
    };
    return key(*a) < key(*b);
  }
};

/// The label of a verdict's kind, and the one of its port or group.
struct VerdictLabels {
  std::string kind;
  std::string exact;
};
VerdictLabels labels_of(const program::Verdict& verdict) {
  struct Visitor {
    VerdictLabels operator()(const program::Sent& v) const {
      return {"sent", fmt::format("sent({})", v.port)};
    }
    VerdictLabels operator()(const program::Multicast& v) const {
      return {"multicast", fmt::format("multicast({})", v.group)};
    }
    VerdictLabels operator()(const program::Dropped&) const { return {"dropped", ""}; }
    VerdictLabels operator()(const program::Rejected&) const { return {"rejected", ""}; }
    VerdictLabels operator()(const program::Error&) const { return {"error", ""}; }
    VerdictLabels operator()(const program::Gap&) const { return {"gap", ""}; }
  };
  return std::visit(Visitor{}, verdict);
}

/// `sent(1)` -> `sent_1`: the atoms of FORMATS, section 8, without their parentheses.
std::string flatten(std::string_view atom) {
  std::string out(atom.substr(0, atom.find_last_not_of(')') + 1));
  std::replace(out.begin(), out.end(), '(', '_');
  return out;
}

}  // namespace

class ChainBuilder {
 public:
  ChainBuilder(const workload::WeightedCases& cases, const workload::Workload& workload,
               std::span<const cost::Prediction> predictions)
      : cases_(cases), workload_(workload), predictions_(predictions) {}

  Chain build() {
    PERFPACT_CHECK(!predictions_.empty(), "a chain needs at least one priced model");
    add_reward_structures();
    index_prices();
    for (const std::string_view name : {"done", "sent", "multicast", "dropped", "rejected", "error"})
      label(name);
    add_state(StateKind::Begin, 0);
    add_known_rows();
    add_unknown_rows();
    finish();
    return std::move(chain_);
  }

 private:
  // A node of a prefix tree; the state with the same number belongs to it.
  struct Node {
    Rational weight;
    std::map<const program::Event*, StateId, EventLess> children;
    std::vector<StateId> order;  // children and verdicts in order of creation
  };

  void add_reward_structures() {
    Identifiers identifiers;
    for (std::size_t index = 0; index < predictions_.size(); ++index) {
      const cost::CostModel& model = *predictions_[index].model;
      for (const std::string& scenario : model.scenarios())
        chain_.rewards_.push_back({identifiers.make(model.name() + "_" + scenario), model.name(), scenario,
                                   model.metric(), model.unit(), index});
    }
  }

  /// prices_[model][case] -> the priced case.
  void index_prices() {
    for (const cost::Prediction& prediction : predictions_) {
      auto& by_case = prices_.emplace_back(cases_.cases.size(), nullptr);
      for (const cost::PricedCase& priced : prediction.cases) by_case.at(priced.index) = &priced;
    }
  }

  StateId add_state(StateKind kind, std::uint32_t step) {
    const auto id = static_cast<StateId>(chain_.states_.size());
    State& state = chain_.states_.emplace_back();
    state.kind = kind;
    state.step = step;
    nodes_.emplace_back();
    return id;
  }
  State& state(StateId id) { return chain_.states_[static_cast<std::size_t>(id)]; }
  Node& node(StateId id) { return nodes_[static_cast<std::size_t>(id)]; }

  LabelId label(std::string_view meaning) {
    const auto [position, is_new] =
        label_ids_.try_emplace(std::string(meaning), static_cast<LabelId>(chain_.labels_.size()));
    if (is_new) chain_.labels_.push_back({label_names_.make(flatten(meaning)), std::string(meaning)});
    return position->second;
  }
  void set_label(StateId id, std::string_view meaning) { state(id).labels.push_back(label(meaning)); }

  /// The tree of all rows with a known probability hangs on `begin` itself.
  void add_known_rows() {
    for (std::size_t index = 0; index < cases_.cases.size(); ++index)
      add_case(chain_.begin(), index, cases_.cases[index].known);
  }

  /// One tree per unknown row, each behind a choice of its own.
  void add_unknown_rows() {
    if (workload_.rest == 0) return;
    const StateId open = add_state(StateKind::UnknownRows, 0);
    node(open).weight = workload_.rest;
    node(chain_.begin()).weight += workload_.rest;
    node(chain_.begin()).order.push_back(open);
    for (std::size_t row = 0; row < workload_.rows.size(); ++row) {
      if (workload_.rows[row].probability.has_value()) continue;
      // The states of an unknown row are its own: rows are not merged at their first event.
      node(open).children.clear();
      node(open).order.clear();
      for (std::size_t index = 0; index < cases_.cases.size(); ++index) {
        const auto& shares = cases_.cases[index].unknown;
        if (const auto share = shares.find(row); share != shares.end()) add_case(open, index, share->second);
      }
      Choice choice{workload_.rows[row].name, {}};
      for (const StateId child : node(open).order) choice.branches.push_back({child, node(child).weight});
      check_sum(choice, Rational(1));
      state(open).choices.push_back(std::move(choice));
    }
    chain_.is_mdp_ = state(open).choices.size() > 1;
  }

  /// Adds a case's events below `root`, with its weight. `root` keeps its own weight of all its cases.
  void add_case(StateId root, std::size_t index, const Rational& weight) {
    if (weight == 0) return;
    const program::Trace& trace = cases_.cases[index].trace;
    check_steps(index);
    StateId at = root;
    if (state(root).kind == StateKind::Begin) node(root).weight += weight;
    for (std::size_t step = 0; step < trace.events.size(); ++step) {
      const program::Event* event = &trace.events[step];
      auto child = node(at).children.find(event);
      if (child == node(at).children.end()) {
        const StateId created = add_event(event, index, step);
        node(at).order.push_back(created);
        child = node(at).children.emplace(event, created).first;
      }
      at = child->second;
      node(at).weight += weight;
    }
    const StateId end = add_verdict(index, trace);
    node(end).weight = weight;
    node(at).order.push_back(end);
  }

  StateId add_event(const program::Event* event, std::size_t index, std::size_t step) {
    const StateId id = add_state(StateKind::Event, static_cast<std::uint32_t>(step) + 1);
    state(id).event = event;
    for (const auto& by_case : prices_)
      for (const Rational& cost : by_case[index]->steps[step].price->costs) state(id).rewards.push_back(cost);
    if (std::ranges::all_of(state(id).rewards, [](const Rational& r) { return r == 0; }))
      state(id).rewards.clear();
    if (event->kind() == program::EventKind::TableApply) {
      const std::string_view table = event->text("table").value();
      const bool hit = event->number("hit").value() != 0;
      set_label(id, fmt::format("applied({})", table));
      const LabelId hit_label = label(fmt::format("hit({})", table));
      const LabelId miss_label = label(fmt::format("miss({})", table));
      state(id).labels.push_back(hit ? hit_label : miss_label);
    } else if (event->kind() == program::EventKind::ActionRun) {
      set_label(id, fmt::format("action({})", event->text("action").value()));
    }
    return id;
  }

  StateId add_verdict(std::size_t index, const program::Trace& trace) {
    const StateId id = add_state(StateKind::Verdict, static_cast<std::uint32_t>(trace.events.size()) + 1);
    state(id).case_index = index;
    const VerdictLabels verdict = labels_of(trace.verdict);
    set_label(id, verdict.kind);
    if (!verdict.exact.empty()) set_label(id, verdict.exact);
    set_label(id, fmt::format("path({})", program::to_string(trace.path)));
    return id;
  }

  void check_steps(std::size_t index) const {
    for (const auto& by_case : prices_)
      PERFPACT_CHECK(by_case[index] != nullptr &&
                         by_case[index]->steps.size() == cases_.cases[index].trace.events.size(),
                     "case {} is not priced step by step", index);
  }
  static void check_sum(const Choice& choice, const Rational& expected) {
    Rational sum = 0;
    for (const Branch& branch : choice.branches) sum += branch.probability;
    PERFPACT_CHECK(sum == expected, "probabilities sum to {}, not {}", to_fraction(sum),
                   to_fraction(expected));
  }

  /// Turns weights into conditional probabilities and adds the absorbing state.
  void finish() {
    check_total();
    const StateId done = add_state(StateKind::Done, 0);
    set_label(done, "done");
    for (std::size_t i = 0; i < chain_.states_.size(); ++i) {
      const auto id = static_cast<StateId>(i);
      State& current = chain_.states_[i];
      std::ranges::sort(current.labels);
      if (current.kind == StateKind::UnknownRows) continue;
      Choice choice;
      if (current.kind == StateKind::Verdict || current.kind == StateKind::Done) {
        choice.branches.push_back({done, Rational(1)});
      } else {
        for (const StateId child : node(id).order)
          choice.branches.push_back({child, Rational(node(child).weight / node(id).weight)});
      }
      check_sum(choice, Rational(1));
      current.choices.push_back(std::move(choice));
    }
    for (const workload::WeightedCase& weighted : cases_.cases)
      chain_.verdicts_.push_back(program::to_string(weighted.trace.verdict));
  }
  void check_total() {
    PERFPACT_CHECK(node(chain_.begin()).weight == 1, "the cases' probabilities sum to {}, not 1",
                   to_fraction(node(chain_.begin()).weight));
  }

  const workload::WeightedCases& cases_;
  const workload::Workload& workload_;
  std::span<const cost::Prediction> predictions_;
  Chain chain_;
  std::vector<Node> nodes_;
  std::vector<std::vector<const cost::PricedCase*>> prices_;
  std::map<std::string, LabelId, std::less<>> label_ids_;
  Identifiers label_names_;
};

Chain Chain::build(const workload::WeightedCases& cases, const workload::Workload& workload,
                   std::span<const cost::Prediction> predictions) {
  return ChainBuilder(cases, workload, predictions).build();
}

std::optional<LabelId> Chain::find_label(std::string_view name) const {
  const auto found = std::ranges::find(labels_, name, &Label::name);
  if (found == labels_.end()) return std::nullopt;
  return static_cast<LabelId>(found - labels_.begin());
}

std::optional<RewardId> Chain::find_reward(std::string_view name) const {
  const auto found = std::ranges::find(rewards_, name, &RewardStructure::name);
  if (found == rewards_.end()) return std::nullopt;
  return static_cast<RewardId>(found - rewards_.begin());
}

bool Chain::has_label(const State& state, LabelId label) const {
  return std::ranges::binary_search(state.labels, label);
}

Rational Chain::reward(const State& state, RewardId reward) const {
  return state.rewards.empty() ? Rational(0) : state.rewards[static_cast<std::size_t>(reward)];
}

std::string Chain::describe(const State& state) const {
  switch (state.kind) {
    case StateKind::Begin:
      return "begin";
    case StateKind::UnknownRows:
      return "rows of unknown probability";
    case StateKind::Event:
      return program::describe(*state.event);
    case StateKind::Verdict:
      return verdicts_[state.case_index];
    case StateKind::Done:
      return "done";
  }
  return {};
}

}  // namespace perfpact::markov
