// The paths of a chain: each is a path of the first node, then one of the node to which its packet goes, and
// so on until the packet stays or leaves.
//
//   Combination combination(file.edges, nodes, options);
//   combination.run();
//   combination.paths(), combination.gaps()
//
// A path of the next node is taken over with the packet that the path before hands on in the place of its own
// packet (translation.h). Pairs that no packet can take are dropped by the solver. Time does not decrease
// along the chain: `now_ns` of a node is at or above that of the nodes before it. Bytes behind the end of
// what a P4 program hands on are zero; a native one hands on its packet where it is, with what lies behind
// it. Approach: chains of network functions (BOLT, NSDI'19, section 3.4). Tested by tests/chain.
#pragma once
#include "chain/node.h"
#include "chain/translation.h"
#include "smt/constraints.h"

namespace perfpact::chain {

struct CombineOptions {
  std::uint64_t paths = 1'000'000;
  int tries = 64;  // of addresses of loads, for one question
  smt::Options solver;
};

/// A load of a node at an address that depends on the packet: `value` must be what memory holds there.
struct Load {
  smt::Expr address, value;
  std::function<smt::Expr(std::uint64_t)> held;  // at an address
};

struct ChainStep {
  std::shared_ptr<Translation> translation;  // of what comes to the node
  std::size_t node = 0, path = 0;            // indices
};

struct ChainPath {
  program::PathHasher hasher;  // of the nodes' paths
  std::vector<ChainStep> steps;
  smt::Constraints condition;
  std::vector<Load> loads;
  std::vector<MetricCost> costs;  // PCVs have the node's name in front
  std::shared_ptr<const smt::Model> model;
};

struct ChainGap {
  std::string reason;
  std::string at;  // "router"
  smt::Constraints condition;
};

/// With the node's name before that of each PCV.
[[nodiscard]] formula::Formula with_node(const formula::Formula& cost, const std::string& node);

class Combination {
 public:
  /// `edges` and `nodes` as in ChainFile, which outlive it.
  Combination(const std::vector<Edge>& edges, const std::vector<std::unique_ptr<Node>>& nodes,
              const CombineOptions& options);

  /// To be called once.
  void run();

  [[nodiscard]] const std::vector<ChainPath>& paths() const { return paths_; }
  [[nodiscard]] const std::vector<ChainGap>& gaps() const { return gaps_; }
  /// Pairs of paths that no packet can take.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

  [[nodiscard]] smt::Context& context() { return context_; }
  /// What enters the chain.
  [[nodiscard]] const Input& input() const { return input_; }
  /// To take over expressions of the first node.
  [[nodiscard]] Translation& first() { return *first_; }
  /// Whether what enters can take the path, or come into the gap, and meet the condition.
  [[nodiscard]] smt::Answer judge(const ChainPath& path, smt::Expr condition);
  [[nodiscard]] smt::Answer judge(const ChainGap& gap, smt::Expr condition);

 private:
  using Way = ChainPath;  // so far
  class Branch;
  void extend(const Way& way, const std::shared_ptr<Translation>& translation, std::size_t node);
  void note_uncovered(const Way& way, Translation& translation);
  void take(Way way, const NodePath& path);
  void send(const Way& way, const NodePath& path);
  void hand_on(Way way, const Edge& edge);
  void finish(Way way);
  void note_gap(const Way& way, const std::string& reason);
  [[nodiscard]] bool is_taken(const Way& way);

  /// As Solver::check, but models are held to memory.
  [[nodiscard]] smt::Answer check(smt::Constraints constraints, const std::vector<Load>& loads, int& tries);
  [[nodiscard]] std::shared_ptr<smt::Model> mended(const smt::Constraints& constraints,
                                                   const std::vector<Load>& loads, const smt::Model& model);

  const std::vector<Edge>& edges_;
  const std::vector<std::unique_ptr<Node>>& nodes_;
  CombineOptions options_;
  smt::Context context_;
  smt::Solver solver_;
  Input input_;
  std::shared_ptr<Translation> first_;
  std::vector<ChainPath> paths_;
  std::vector<ChainGap> gaps_;
  std::uint64_t dropped_ = 0;
};

/// What the packet of a path is at each node, with the values of `model`.
[[nodiscard]] std::vector<Passage> passages(const Combination& combination, const ChainPath& path,
                                            const std::shared_ptr<const smt::Model>& model);

/// Runs that packet through every node in order (Node::run); what a run hands on must be what comes to the
/// next node. The cost as measured: the sum over the nodes, without calls that are cut out.
[[nodiscard]] std::vector<std::pair<Metric, Rational>> verify(const Combination& combination,
                                                              const ChainPath& path,
                                                              const std::shared_ptr<const smt::Model>& model);

}  // namespace perfpact::chain
