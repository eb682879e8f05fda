// A program of a chain: its paths, found as if it stood alone, and what they do with the packet.
//
//   Result<std::unique_ptr<Node>> node = make_node(spec, limits, diagnostics);
//
// Expressions are those of the node's own context, over its own input (`packet[i]`, `length`, `port`,
// `now_ns`) and its own state; combine.h puts the nodes together. Tested by tests/chain.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chain/chain_file.h"
#include "contract/classes.h"
#include "explore/native/state.h"
#include "formula/formula.h"
#include "program/trace.h"
#include "smt/solver.h"

namespace perfpact::chain {

/// What is counted: costs of different metrics are never added.
struct Metric {
  std::string name;  // "instructions", "latency[worst]"
  std::string unit;
  friend auto operator<=>(const Metric&, const Metric&) = default;
};

struct MetricCost {
  Metric metric;
  formula::Formula cost;
};

/// One thing that a node can do with a packet.
struct NodePath {
  enum class Ending : std::uint8_t {
    Stays,  // dropped, or the program ends in an error
    Sent,   // by `port`
    Flood,
    Gap  // not explored from here on: `what` says why
  };
  program::PathId id{};
  Ending ending{};
  std::string what;  // "dropped", "flood", "error(...)"; of a gap the reason, and where
  std::vector<smt::Expr> condition;
  smt::Expr port;  // of Sent, 64 bits
  std::vector<MetricCost> costs;
};

/// What an input led to when it was really run.
struct Passage {
  std::uint64_t port = 0;  // by which the packet came
  std::optional<std::uint64_t> now_ns;
  std::vector<std::uint8_t> packet;
  std::string verdict;
};
struct Measured {
  std::vector<std::pair<Metric, Rational>> costs;  // without calls that are cut out, as own_costs
  std::optional<std::vector<std::uint8_t>> sent;   // where the run tells it
};

class Node {
 public:
  explicit Node(const NodeSpec& spec) : name_(spec.name) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Gaps last.
  [[nodiscard]] const std::vector<NodePath>& paths() const { return paths_; }
  [[nodiscard]] const std::vector<Metric>& metrics() const { return metrics_; }
  /// What PCVs can be, by name.
  [[nodiscard]] const std::map<std::string, contract::Range>& pcvs() const { return pcvs_; }

  [[nodiscard]] virtual smt::Context& context() = 0;
  [[nodiscard]] virtual smt::Expr byte(std::uint32_t i) = 0;
  [[nodiscard]] virtual smt::Expr length() = 0;
  [[nodiscard]] virtual smt::Expr port() = 0;
  [[nodiscard]] virtual smt::Expr now_ns() = 0;  // null: the program knows no time
  [[nodiscard]] virtual std::uint32_t longest() const = 0;

  // Of the path with this index.
  /// The packet as it leaves, and its length in bytes.
  [[nodiscard]] virtual smt::Expr byte_behind(std::size_t path, std::uint32_t i) = 0;
  [[nodiscard]] virtual smt::Expr length_behind(std::size_t path) = 0;
  /// Loads at addresses that depend on the input.
  [[nodiscard]] virtual const std::vector<explore::Read>& reads(std::size_t path) const = 0;
  /// Where `condition` of a class (contract/where.h) holds.
  [[nodiscard]] virtual Result<smt::Expr> where(std::size_t path, const formula::Formula& condition,
                                                Diagnostics& diagnostics) = 0;
  /// The input that the model is, a model of the path's condition.
  [[nodiscard]] virtual Passage passage(std::size_t path, const std::shared_ptr<const smt::Model>& model) = 0;
  /// Runs that input through the program itself. It ends in PERFPACT_CHECK where the program does not take
  /// the path, or it costs something else.
  [[nodiscard]] virtual Measured run(std::size_t path, const std::shared_ptr<const smt::Model>& model) = 0;

 protected:
  std::vector<NodePath> paths_;
  std::vector<Metric> metrics_;
  std::map<std::string, contract::Range> pcvs_;

 private:
  std::string name_;
};

struct ExploreLimits {
  std::uint64_t paths = 1'000'000;
  double seconds = 60;  // for each node
  smt::Options solver;
};

/// The nodes of a chain, in its order. Reports ports of edges that a node cannot have, too.
[[nodiscard]] Result<std::vector<std::unique_ptr<Node>>> make_nodes(const ChainFile& file,
                                                                    const ExploreLimits& limits,
                                                                    Diagnostics& diagnostics);
/// Starts or reads the program and finds its paths. Reports what is wrong with the spec.
[[nodiscard]] Result<std::unique_ptr<Node>> make_node(const NodeSpec& spec, const ExploreLimits& limits,
                                                      Diagnostics& diagnostics);

}  // namespace perfpact::chain
