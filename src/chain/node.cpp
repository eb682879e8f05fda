#include "chain/node.h"

#include "chain/diagnostics.h"
#include "chain/native_node.h"
#include "chain/p4_node.h"

namespace perfpact::chain {

Result<std::unique_ptr<Node>> make_node(const NodeSpec& spec, const ExploreLimits& limits,
                                        Diagnostics& diagnostics) {
  const bool is_p4 = spec.program.ends_with(".p4");
  return is_p4 ? make_p4_node(spec, limits, diagnostics) : make_native_node(spec, limits, diagnostics);
}

Result<std::vector<std::unique_ptr<Node>>> make_nodes(const ChainFile& file, const ExploreLimits& limits,
                                                      Diagnostics& diagnostics) {
  std::vector<std::unique_ptr<Node>> nodes;
  for (const NodeSpec& spec : file.nodes) {
    auto node = make_node(spec, limits, diagnostics);
    if (!node) return std::unexpected(node.error());
    nodes.push_back(std::move(*node));
  }
  for (const Edge& edge : file.edges) {
    const std::uint32_t bits = nodes[edge.to]->port().width();
    if (bits < 64 && edge.to_port >> bits != 0)
      diagnostics.report(diag::kPort, edge.at, nodes[edge.to]->name(), edge.to_port, bits);
  }
  if (diagnostics.has_errors()) return std::unexpected(diagnostics.already_reported());
  return nodes;
}

}  // namespace perfpact::chain
