// Workloads with made-up cases for the tests of the stages behind weighing.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cost/pricing.h"
#include "program/event.h"
#include "workload/weigh.h"

namespace perfpact::made {

/// A cost model read from text.
inline cost::CostModel model(const std::string& name, const std::string& text, Diagnostics& diagnostics) {
  // Tests that run at the same time make models of the same name.
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("made_workload.{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string path = folder / (name + ".yaml");
  std::ofstream(path) << text;
  auto loaded = cost::CostModel::load(path, diagnostics);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(loaded.has_value()) << diagnostics.render();
  return std::move(loaded).value();
}

/// Costs that depend on the numbers of events, in three scenarios.
inline const char* const kPerSize = R"(
schema: perfpact.cost-model/1
target: none
origin: made for a test
metric: latency
unit: ms
scenarios: [best, average, worst]
constants:
  base:   {best: 0.114, average: 0.309394, worst: 0.438}
  lookup: {best: 2.031, average: 4.810818, worst: 6.13}
costs:
  - event: start
    cost: base
  - event: table.apply
    cost: visited * key_bits * (lookup - base) / (100000 * 48)
others: 0
)";

inline const char* const kCycles = R"(
schema: perfpact.cost-model/1
target: none
origin: made for a test
metric: cycles
unit: cycles
scenarios: [hot, cold]
constants:
  step: {hot: 1/3, cold: 7}
costs:
  - event: table.apply
    cost: step * visited + 5
  - event: action.run
    cost: step
others: step / 2
)";

class Workload {
 public:
  Workload() {
    std::string text;
    for (int line = 1; line <= 50; ++line) text += "  statement " + std::to_string(line) + ";\n";
    file_ = sources.add("made.p4", text);
  }

  /// A site at a line of made.p4.
  const program::EventSite* site(program::EventKind kind, std::uint32_t line, std::string text = "",
                                 std::string second = "") {
    sites_.push_back({kind, Span{file_, {line, 3}, {line, 9}}, {std::move(text), std::move(second)}});
    return &sites_.back();
  }

  std::size_t add_row(std::string name, std::optional<Rational> probability) {
    workload.rows.push_back({std::move(name), std::move(probability), {}, {}});
    return workload.rows.size() - 1;
  }

  /// A case that the given shares of rows fall into.
  void add_case(std::vector<program::Event> events, program::Verdict verdict,
                const std::map<std::size_t, Rational>& shares) {
    workload::WeightedCase made;
    program::PathHasher path;
    path.decide(static_cast<std::uint32_t>(cases.cases.size()), 1);
    made.trace.path = path.id();
    made.trace.events = std::move(events);
    made.trace.verdict = std::move(verdict);
    for (const auto& [row, share] : shares) {
      made.rows.push_back(row);
      if (const auto& probability = workload.rows[row].probability)
        made.known += *probability * share;
      else
        made.unknown[row] = share;
    }
    cases.cases.push_back(std::move(made));
    ++cases.packets;
    ++cases.executed;
  }

  /// To be called once all rows and cases are there.
  void finish() {
    workload.file = "made.yaml";
    workload.rest = 1;
    for (const auto& row : workload.rows)
      if (row.probability) workload.rest -= *row.probability;
  }

  cost::Prediction price(const cost::CostModel& model) {
    auto priced = cost::price(cases, workload, model, diagnostics);
    EXPECT_TRUE(priced.has_value()) << diagnostics.render();
    return std::move(priced).value();
  }

  SourceManager sources;
  Diagnostics diagnostics{sources};
  workload::Workload workload;
  workload::WeightedCases cases;

 private:
  FileId file_;
  std::deque<program::EventSite> sites_;
};

/// `count` positive fractions with the given sum.
inline std::vector<Rational> random_split(std::mt19937_64& random, std::size_t count, const Rational& sum) {
  std::vector<Rational> weights;
  Rational total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    weights.emplace_back(1 + static_cast<long>(random() % 97));
    total += weights.back();
  }
  for (Rational& weight : weights) weight *= sum / total;
  return weights;
}

/// Cases that share prefixes, drawn from a seed, over known rows and `unknown_rows` rows of unknown
/// probability.
inline void fill_randomly(Workload& made, std::uint64_t seed, std::size_t unknown_rows) {
  std::mt19937_64 random(seed);
  using program::EventKind;
  const auto* start = made.site(EventKind::Start, 1, "normal");
  const auto* parser = made.site(EventKind::ParserState, 2, "start");
  std::vector<const program::EventSite*> tables;
  std::vector<const program::EventSite*> actions;
  for (std::uint32_t i = 0; i < 3; ++i) {
    tables.push_back(made.site(EventKind::TableApply, 10 + i, "ingress.t" + std::to_string(i), "ternary"));
    actions.push_back(made.site(EventKind::ActionRun, 20 + i, "ingress.a" + std::to_string(i)));
  }
  const std::size_t known_rows = unknown_rows == 0 ? 1 + random() % 3 : random() % 3;
  const Rational known_sum =
      unknown_rows == 0 ? Rational(1) : Rational(1, 2 + static_cast<long>(random() % 9));
  for (const Rational& probability : random_split(random, known_rows, known_sum))
    made.add_row("known", probability);
  for (std::size_t i = 0; i < unknown_rows; ++i) made.add_row("unknown " + std::to_string(i), std::nullopt);

  // Walks in a tree of table applies; equal walks are one case.
  std::set<std::vector<std::uint64_t>> walks;
  const std::size_t wanted = 2 + random() % 6;
  while (walks.size() < wanted) {
    std::vector<std::uint64_t> walk(random() % 5);
    for (auto& step : walk) step = random() % 6;
    walk.push_back(100 + random() % 3);  // the verdict
    walks.insert(walk);
  }
  std::vector<std::vector<Rational>> shares;  // per row, per case
  for (std::size_t row = 0; row < made.workload.rows.size(); ++row) {
    // A row's packets fall into a part of the cases; the first row reaches all of them.
    const std::size_t reached = row == 0 ? wanted : 1 + random() % wanted;
    shares.push_back(random_split(random, reached, Rational(1)));
    shares.back().resize(wanted, Rational(0));
    std::shuffle(shares.back().begin(), shares.back().end(), random);
  }
  std::size_t index = 0;
  for (const auto& walk : walks) {
    std::vector<program::Event> events{{start, {}}, {parser, {}}};
    for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
      const std::size_t which = walk[i] % 3;
      const std::int64_t hit = walk[i] < 3 ? 1 : 0;
      events.push_back({tables[which], {1000, 44, hit, hit == 1 ? 17 : 1000, 0}});
      events.push_back({actions[which], {8}});
    }
    const program::Verdict verdicts[] = {program::Dropped{}, program::Sent{1}, program::Sent{2}};
    std::map<std::size_t, Rational> by_row;
    for (std::size_t row = 0; row < shares.size(); ++row)
      if (shares[row][index] != 0) by_row[row] = shares[row][index];
    made.add_case(std::move(events), verdicts[walk.back() - 100], by_row);
    ++index;
  }
  made.finish();
}

}  // namespace perfpact::made
