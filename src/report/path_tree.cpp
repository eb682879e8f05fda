#include "report/path_tree.h"

#include <fmt/format.h>

#include "base/dot.h"
#include "report/doings.h"
#include "report/layout.h"

namespace perfpact::report {
std::size_t PathTree::child(std::size_t node, const std::string& text) {
  const auto [at, is_new] = nodes_[node].children.try_emplace(text, nodes_.size());
  const std::size_t found = at->second;
  if (is_new) nodes_.push_back({text, node, 0, {}});
  return found;
}

void PathTree::add(const program::Trace& trace, const std::string& verdict, bool with_ranks) {
  std::size_t node = 0;
  for (const Doing& doing : doings(trace, with_ranks))
    node = child(node, doing.is_parser_state ? "parser " + doing.text : doing.text);
  ++nodes_[child(node, verdict)].ends;
}

std::string PathTree::to_dot(std::string_view title) const {
  std::string out =
      "digraph paths {\n  rankdir=LR;\n  node [fontname=\"monospace\", fontsize=10, shape=box];\n";
  out += fmt::format("  n0 [label=\"{}\", shape=circle];\n", dot_text(title));
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const std::string count = node.ends > 1 ? fmt::format("\\n{}", count_of(node.ends, "path")) : "";
    out += fmt::format("  n{} [label=\"{}{}\"{}];\n  n{} -> n{};\n", i, dot_text(node.text), count,
                       node.ends > 0 ? ", shape=oval" : "", node.parent, i);
  }
  return out + "}\n";
}

}  // namespace perfpact::report
