#include "markov/graphviz.h"

#include <fmt/format.h>

#include "base/dot.h"

namespace perfpact::markov {
namespace {

/// One line per cost model: its rewards in all scenarios.
std::string reward_lines(const Chain& chain, const State& state) {
  std::string out;
  if (state.rewards.empty()) return out;
  const auto& structures = chain.rewards();
  for (std::size_t i = 0; i < structures.size(); ++i) {
    const bool starts_model = i == 0 || structures[i].prediction != structures[i - 1].prediction;
    out += starts_model
               ? fmt::format("\\n{} ({}): ", dot_text(structures[i].model), dot_text(structures[i].unit))
               : " / ";
    out += to_decimal(state.rewards[i]);
  }
  return out;
}

std::string_view shape(StateKind kind) {
  switch (kind) {
    case StateKind::Begin:
      return "circle";
    case StateKind::UnknownRows:
      return "diamond";
    case StateKind::Event:
      return "box";
    case StateKind::Verdict:
      return "oval";
    case StateKind::Done:
      return "doublecircle";
  }
  return "box";
}

}  // namespace

std::string to_dot(const Chain& chain, const SourceManager& sources, std::string_view title) {
  std::string out = "digraph chain {\n  rankdir=TB;\n  node [fontname=\"monospace\", fontsize=10];\n";
  out += fmt::format("  label=\"{}\";\n", dot_text(title));
  for (std::size_t i = 0; i < chain.states().size(); ++i) {
    const State& state = chain.states()[i];
    std::string text = dot_text(chain.describe(state));
    if (state.kind == StateKind::Event && state.event->site->at.is_known())
      text += "\\n" + dot_text(sources.describe(state.event->site->at));
    text += reward_lines(chain, state);
    out += fmt::format("  s{} [label=\"{}\", shape={}];\n", i, text, shape(state.kind));
  }
  for (std::size_t i = 0; i < chain.states().size(); ++i) {
    const State& state = chain.states()[i];
    if (state.kind == StateKind::Done) continue;
    for (const Choice& choice : state.choices) {
      const std::string row = choice.row.empty() ? "" : dot_text(choice.row) + ": ";
      for (const Branch& branch : choice.branches)
        out += fmt::format("  s{} -> s{} [label=\"{}{}\"{}];\n", i, static_cast<std::uint32_t>(branch.target),
                           row, to_fraction(branch.probability), choice.row.empty() ? "" : ", style=dashed");
    }
  }
  return out + "}\n";
}

}  // namespace perfpact::markov
