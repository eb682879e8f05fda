#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "markov/graphviz.h"
#include "markov/identifiers.h"
#include "markov/prism_explicit.h"
#include "markov/solve.h"

namespace perfpact::markov {
namespace {

enum class Numbers { Decimal, Fraction };

std::string number(const Rational& value, Numbers numbers) {
  return numbers == Numbers::Fraction ? to_fraction(value) : to_decimal(value, 25);
}

/// A transition as PRISM sees it.
struct Transition {
  std::size_t from;
  std::size_t choice;
  std::size_t to;
  Rational probability;
  std::string action;  // or empty
};

/// The transitions of one of the two models that are exported, in PRISM's order: by state, then by choice.
class Model {
 public:
  Model(const Chain& chain, Branching branching)
      : is_mdp_(branching == Branching::Free || chain.is_mdp()), states_(chain.states().size()) {
    Identifiers actions;
    for (std::size_t i = 0; i < states_; ++i) {
      std::size_t index = 0;
      for (const Choice& choice : chain.states()[i].choices) {
        const std::string action = choice.row.empty() || !is_mdp_ ? "" : actions.make("row_" + choice.row);
        for (const Branch& branch : choice.branches) {
          const bool is_free = branching == Branching::Free;
          transitions_.push_back({i, index, static_cast<std::size_t>(branch.target),
                                  is_free ? Rational(1) : branch.probability, action});
          if (is_free) ++index;
        }
        if (branching == Branching::Random) ++index;
      }
      choices_ += index;
    }
  }

  [[nodiscard]] const std::vector<Transition>& transitions() const { return transitions_; }
  [[nodiscard]] bool is_mdp() const { return is_mdp_; }

  /// `n m`, or `n choices m` for an MDP.
  [[nodiscard]] std::string header(std::size_t count) const {
    return is_mdp_ ? fmt::format("{} {} {}\n", states_, choices_, count)
                   : fmt::format("{} {}\n", states_, count);
  }
  /// `i j`, or `i choice j` for an MDP.
  [[nodiscard]] std::string place(const Transition& t) const {
    return is_mdp_ ? fmt::format("{} {} {}", t.from, t.choice, t.to) : fmt::format("{} {}", t.from, t.to);
  }

 private:
  bool is_mdp_;
  std::size_t states_;
  std::size_t choices_ = 0;
  std::vector<Transition> transitions_;
};

std::string transitions_file(const Model& model, Numbers numbers) {
  std::string out = model.header(model.transitions().size());
  for (const Transition& t : model.transitions()) {
    out += fmt::format("{} {}", model.place(t), number(t.probability, numbers));
    if (!t.action.empty()) out += " " + t.action;
    out += "\n";
  }
  return out;
}

std::string states_file(const Chain& chain) {
  std::string out = "(state,step)\n";
  for (std::size_t i = 0; i < chain.states().size(); ++i)
    out += fmt::format("{}:({},{})\n", i, i, chain.states()[i].step);
  return out;
}

std::string labels_file(const Chain& chain) {
  std::string out = "0=\"init\" 1=\"deadlock\"";
  constexpr std::size_t kBuiltIn = 2;
  for (std::size_t i = 0; i < chain.labels().size(); ++i)
    out += fmt::format(" {}=\"{}\"", i + kBuiltIn, chain.labels()[i].name);
  out += "\n0: 0\n";
  for (std::size_t i = 0; i < chain.states().size(); ++i) {
    const State& state = chain.states()[i];
    if (state.labels.empty()) continue;
    out += fmt::format("{}:", i);
    for (const LabelId label : state.labels)
      out += fmt::format(" {}", static_cast<std::size_t>(label) + kBuiltIn);
    out += "\n";
  }
  return out;
}

std::string state_rewards_file(const Chain& chain, std::size_t reward, Numbers numbers) {
  std::string lines;
  std::size_t count = 0;
  for (std::size_t i = 0; i < chain.states().size(); ++i) {
    const Rational value = chain.reward(chain.states()[i], static_cast<RewardId>(reward));
    if (value == 0) continue;
    lines += fmt::format("{} {}\n", i, number(value, numbers));
    ++count;
  }
  return fmt::format("# Reward structure \"{}\"\n# State rewards\n{} {}\n{}", chain.rewards()[reward].name,
                     chain.states().size(), count, lines);
}

std::string transition_rewards_file(const Chain& chain, const Model& model, std::size_t reward,
                                    Numbers numbers) {
  std::string lines;
  std::size_t count = 0;
  for (const Transition& t : model.transitions()) {
    const Rational value = chain.reward(chain.states()[t.from], static_cast<RewardId>(reward));
    if (value == 0) continue;
    lines += fmt::format("{} {}\n", model.place(t), number(value, numbers));
    ++count;
  }
  return fmt::format("# Reward structure \"{}_on_transitions\"\n# Transition rewards\n{}{}",
                     chain.rewards()[reward].name, model.header(count), lines);
}

/// `OPERATOR=? [ F ... ]` with its result, or the minimum and maximum in an MDP.
std::string property(const Model& model, const std::string& operation, const std::string& structure,
                     const std::string& target, const Interval& result, Numbers numbers) {
  const auto one = [&](const char* bound, const Rational& value) {
    return fmt::format("// RESULT: {}\n{}{}{}=? [ F \"{}\" ];\n\n", number(value, numbers), operation,
                       structure, bound, target);
  };
  return model.is_mdp() ? one("min", result.low) + one("max", result.high) : one("", result.low);
}

/// The labels as definitions over the variable `state`, in ranges of neighbours.
std::string label_definitions(const Chain& chain) {
  std::vector<std::string> conditions(chain.labels().size());
  const auto count = chain.states().size();
  for (std::size_t label = 0; label < conditions.size(); ++label) {
    const auto has = [&](std::size_t i) {
      return chain.has_label(chain.states()[i], static_cast<LabelId>(label));
    };
    for (std::size_t first = 0; first < count; ++first) {
      if (!has(first)) continue;
      std::size_t last = first;
      while (last + 1 < count && has(last + 1)) ++last;
      if (!conditions[label].empty()) conditions[label] += " | ";
      conditions[label] += first == last ? fmt::format("state={}", first)
                                         : fmt::format("(state>={} & state<={})", first, last);
      first = last;
    }
  }
  std::string out;
  for (std::size_t label = 0; label < conditions.size(); ++label)
    out += fmt::format("label \"{}\" = {};\n", chain.labels()[label].name,
                       conditions[label].empty() ? "false" : conditions[label]);
  return out + "\n";
}

std::string properties_file(const Chain& chain, const Model& model, Branching branching, Numbers numbers) {
  std::string out = "// The result above a property is what perfpact computes, exactly.\n\n";
  if (numbers == Numbers::Fraction) out += label_definitions(chain);
  for (std::size_t i = 0; i < chain.rewards().size(); ++i) {
    const RewardStructure& reward = chain.rewards()[i];
    out += fmt::format("// {} in {} by {}, scenario {}\n", reward.metric, reward.unit, reward.model,
                       reward.scenario);
    out += property(model, "R", fmt::format("{{\"{}\"}}", reward.name), "done",
                    expected_reward(chain, static_cast<RewardId>(i), branching), numbers);
  }
  for (std::size_t i = 0; i < chain.labels().size(); ++i) {
    const Label& label = chain.labels()[i];
    out += fmt::format("// probability of {}\n", label.meaning);
    out += property(model, "P", "", label.name, reach_probability(chain, static_cast<LabelId>(i), branching),
                    numbers);
  }
  return out;
}

std::string legend_file(const Chain& chain, const SourceManager& sources) {
  std::string out = "# state  step  what it stands for  place in the program\n";
  for (std::size_t i = 0; i < chain.states().size(); ++i) {
    const State& state = chain.states()[i];
    out += fmt::format("{}\t{}\t{}", i, state.step, chain.describe(state));
    if (state.event != nullptr) out += "\t" + sources.describe(state.event->site->at);
    out += "\n";
  }
  return out;
}

std::string readme(const Chain& chain, std::string_view title) {
  std::string out = fmt::format(
      "{}\n\n"
      "A packet's way through the program as {} for the PRISM model checker (4.8 or later): {} states.\n"
      "Run in this directory:\n\n"
      "  prism model.all properties.pctl -explicit -epsilon 1e-15              means over the packet mix, "
      "probabilities\n"
      "  prism envelope.all envelope.pctl -explicit -epsilon 1e-15             least and greatest cost over "
      "all inputs\n"
      "  prism exact/model.all exact/properties.pctl -exact                    as fractions\n"
      "  prism exact/envelope.all exact/envelope.pctl -exact\n\n"
      "With -test PRISM compares its answers with the results that stand above the properties.\n"
      "With the costs on transitions in place of states (the same numbers; never load both):\n\n"
      "  prism -importmodel model.tra,sta,lab -importtransrewards model_on_transitions1.trew \\\n"
      "        -pf 'R{}=? [ F \"done\" ]' -explicit -epsilon 1e-15\n\n"
      "In model.* the branches have the workload's probabilities. In envelope.* they are forgotten: every "
      "branch\n"
      "is a choice, so that min and max range over all inputs of the workload. states.txt says what each "
      "state\n"
      "stands for, model.dot draws the chain.\n\n"
      "Reward structures (files model<n>.srew, envelope<n>.srew, and <model>_on_transitions<n>.trew)\n",
      title, chain.is_mdp() ? "an MDP" : "a DTMC", chain.states().size(), chain.is_mdp() ? "max" : "");
  for (std::size_t i = 0; i < chain.rewards().size(); ++i) {
    const RewardStructure& reward = chain.rewards()[i];
    out += fmt::format("  {:>2}  {}: {} in {}, cost model {}, scenario {}\n", i + 1, reward.name,
                       reward.metric, reward.unit, reward.model, reward.scenario);
  }
  out += "\nLabels\n";
  for (const Label& label : chain.labels()) out += fmt::format("  {}: {}\n", label.name, label.meaning);
  return out;
}

/// All files of one model with one way to write numbers.
void add_model(std::vector<ExportedFile>& files, const Chain& chain, Branching branching, Numbers numbers) {
  const Model model(chain, branching);
  const bool is_free = branching == Branching::Free;
  const std::string name =
      std::string(numbers == Numbers::Fraction ? "exact/" : "") + (is_free ? "envelope" : "model");
  const std::string properties = std::string(numbers == Numbers::Fraction ? "exact/" : "") +
                                 (is_free ? "envelope.pctl" : "properties.pctl");
  files.push_back({name + ".tra", transitions_file(model, numbers)});
  files.push_back({name + ".sta", states_file(chain)});
  // PRISM's exact engine does not see imported labels; there the properties file defines them.
  if (numbers == Numbers::Decimal) files.push_back({name + ".lab", labels_file(chain)});
  for (std::size_t i = 0; i < chain.rewards().size(); ++i) {
    files.push_back({fmt::format("{}{}.srew", name, i + 1), state_rewards_file(chain, i, numbers)});
    files.push_back({fmt::format("{}_on_transitions{}.trew", name, i + 1),
                     transition_rewards_file(chain, model, i, numbers)});
  }
  files.push_back({properties, properties_file(chain, model, branching, numbers)});
}

}  // namespace

std::vector<ExportedFile> prism_files(const Chain& chain, const SourceManager& sources,
                                      std::string_view title) {
  std::vector<ExportedFile> files;
  files.push_back({"README.txt", readme(chain, title)});
  for (const Numbers numbers : {Numbers::Decimal, Numbers::Fraction})
    for (const Branching branching : {Branching::Random, Branching::Free})
      add_model(files, chain, branching, numbers);
  files.push_back({"states.txt", legend_file(chain, sources)});
  files.push_back({"model.dot", to_dot(chain, sources, title)});
  return files;
}

}  // namespace perfpact::markov
