// Calls that are cut out, as a contract pack says. What their results do to the rest of the program is
// stepped: Process::replay forces them.
#include <set>

#include "explore/diagnostics.h"
#include "explore/native/path_cost.h"
#include "explore/native/replay.h"
#include "native_oracle.h"
#include "native_program.h"

namespace perfpact::explore {
namespace {

using test::NativeOracle;
using Names = std::vector<std::string>;

class NativeCallsTest : public ::testing::TestWithParam<std::string_view> {
 protected:
  NativeOracle explored(std::string function,
                        std::vector<NamedStructure> structures_named = {{"flows", "*flows", {}},
                                                                        {"hosts", "&hosts_storage", {}}},
                        std::vector<Assumption> assumptions = {}) {
    NativeOptions options;
    options.entry.assumptions = std::move(assumptions);
    options.entry.shortest = options.entry.longest = 4;
    options.entry.structures = std::move(structures_named);
    auto pack = library::Pack::load(PACKS "methods.yaml", diagnostics_);
    EXPECT_TRUE(pack) << diagnostics_.render();
    options.packs.push_back(std::move(*pack));
    return NativeOracle({.program = test::program("methods", GetParam()), .entry = std::move(function)},
                        std::move(options));
  }
  /// What each path's calls end in, every combination once, sorted.
  static Names outcomes(const NativeOracle& oracle) {
    std::set<std::string> all;
    for (const NativePath& path : oracle.paths()) {
      verify(oracle.process(), oracle.explorer(), path);
      std::string one;
      for (const NativeCall& call : path.calls)
        one += (one.empty() ? "" : ", ") + call.label + " " + call.outcome->name;
      all.insert(one);
    }
    return {all.begin(), all.end()};
  }
  /// Results that the program shows when its methods are not what the pack says.
  static bool never_wrong(const NativeOracle& oracle) {
    return std::ranges::none_of(
        oracle.paths(), [](const NativePath& path) { return path.result == 98 || path.result == 99; });
  }

  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
};

TEST_P(NativeCallsTest, OutcomesAndWhatTheyWrite) {
  const NativeOracle oracle = explored("looks_up");
  EXPECT_EQ(oracle.gaps(), Names());
  EXPECT_EQ(outcomes(oracle), (Names{"flows.get hit", "flows.get miss"}));
  EXPECT_EQ(oracle.paths().size(), 4U) << "a value that is found is a port, -1 or 65535";
}

TEST_P(NativeCallsTest, TheSameKeyGivesTheSame) {
  const NativeOracle oracle = explored("looks_up_twice");
  EXPECT_EQ(oracle.gaps(), Names());
  EXPECT_EQ(outcomes(oracle), (Names{"flows.get hit, flows.get#2 hit", "flows.get hit, flows.get#2 miss",
                                     "flows.get miss, flows.get#2 hit", "flows.get miss, flows.get#2 miss"}));
  EXPECT_TRUE(never_wrong(oracle));
}

TEST_P(NativeCallsTest, StructuresAreApart) {
  const NativeOracle oracle = explored("looks_up_in_both");
  EXPECT_EQ(oracle.gaps(), Names());
  EXPECT_EQ(outcomes(oracle), (Names{"flows.get hit, hosts.get hit", "flows.get hit, hosts.get miss",
                                     "flows.get miss, hosts.get hit", "flows.get miss, hosts.get miss"}));
}

TEST_P(NativeCallsTest, WhatAnOutcomeLeaves) {
  const NativeOracle oracle = explored("learns");
  EXPECT_EQ(oracle.gaps(), Names());
  EXPECT_EQ(outcomes(oracle), (Names{"flows.get hit", "flows.get miss, flows.put done, flows.get#2 hit",
                                     "flows.get miss, flows.put full"}));
  EXPECT_TRUE(never_wrong(oracle));
}

TEST_P(NativeCallsTest, WhatAnOutcomeForgets) {
  const NativeOracle oracle = explored("forgets");
  EXPECT_EQ(oracle.gaps(), Names());
  EXPECT_EQ(outcomes(oracle).size(), 4U);
}

TEST_P(NativeCallsTest, ObjectsAreTheSameForTheSameArgument) {
  const NativeOracle oracle = explored("records");
  EXPECT_EQ(oracle.gaps(), Names());
  EXPECT_TRUE(never_wrong(oracle));
  std::set<std::uint32_t> results;
  for (const NativePath& path : oracle.paths()) {
    verify(oracle.process(), oracle.explorer(), path);
    results.insert(path.result);
  }
  EXPECT_EQ(results, (std::set<std::uint32_t>{1, 2, 0xffffffff}));
}

TEST_P(NativeCallsTest, PointersToObjectsAreWrittenToo) {
  const NativeOracle oracle = explored("fetches");
  EXPECT_EQ(oracle.gaps(), Names());
  std::set<std::uint32_t> results;
  for (const NativePath& path : oracle.paths()) {
    verify(oracle.process(), oracle.explorer(), path);
    results.insert(path.result);
  }
  EXPECT_EQ(results, (std::set<std::uint32_t>{1, 2}));
}

TEST_P(NativeCallsTest, AssumptionsOnWhatObjectsHold) {
  const auto verdicts = [this](const std::string& name) {
    const NativeOracle oracle = explored("sends_as_recorded", {{"flows", "*flows", {}}},
                                         {{name, Assumption::Comparison::Less, 3, {}}});
    EXPECT_EQ(oracle.gaps(), Names());
    for (const NativePath& path : oracle.paths()) verify(oracle.process(), oracle.explorer(), path);
    Diagnostics reported(sources_);
    oracle.explorer().report_assumptions(reported);
    return std::pair(oracle.paths().size(), reported.all().size());
  };
  EXPECT_EQ(verdicts("flows.slot+0x4:4"), std::pair(1UL, 0UL)) << "a port, and nothing else";
  EXPECT_EQ(verdicts("flows.slot"), std::pair(1UL, 0UL)) << "the number that its eight bytes are";
  EXPECT_EQ(verdicts("flows.slot+0x0:4"), std::pair(3UL, 0UL)) << "a port, -1 or 65535";
  for (const char* wrong : {"flows.slot+0x5:4", "flows.slot+4", "flows.slots", "flows.slot+0x4:0"})
    EXPECT_EQ(verdicts(wrong), std::pair(3UL, 1UL)) << wrong;
}

TEST_P(NativeCallsTest, NothingIsLeftInRegistersThatACallLoses) {
  const NativeOracle oracle = explored("keeps");
  EXPECT_EQ(oracle.gaps(), Names());
}

TEST_P(NativeCallsTest, CostsAreFormulas) {
  const NativeOracle oracle = explored("learns");
  std::set<std::string> costs;
  for (const NativePath& path : oracle.paths()) {
    costs.insert(cost_of(path, library::kStores).to_string());
    EXPECT_EQ(own_cost(path, library::kStores), path.counts.stores);
  }
  EXPECT_TRUE(std::ranges::any_of(costs, [](const std::string& cost) {
    return cost.contains("flows.put.stores");
  })) << "a method without a contract is a name";
  EXPECT_TRUE(
      std::ranges::any_of(costs, [](const std::string& cost) { return !cost.contains("flows.put"); }));
}

TEST_P(NativeCallsTest, ArgumentThatIsNoPointerThoughThePackSaysSo) {
  const NativeOracle oracle = explored("passes_no_pointer");
  EXPECT_EQ(oracle.paths().size(), 0U);
  ASSERT_EQ(oracle.gaps().size(), 1U);
  EXPECT_TRUE(
      oracle.gaps()[0].starts_with("the pack says that argument 2 of 'table_get' points to 4 bytes to write"))
      << oracle.gaps()[0];
}

TEST_P(NativeCallsTest, CaseThatNoOutcomeIsFor) {
  const NativeOracle oracle = explored("asks_partly");
  EXPECT_EQ(outcomes(oracle), Names{"flows.partial small"});
  EXPECT_EQ(oracle.gaps(), Names{"the pack has no outcome for this call of 'table_partial'"});
}

TEST_P(NativeCallsTest, MethodsThatAreNeverCalled) {
  const NativeOracle oracle = explored("looks_up");
  Diagnostics reported(sources_);
  oracle.explorer().report_methods(reported);
  ASSERT_EQ(reported.all().size(), 1U);
  EXPECT_EQ(reported.all()[0].kind->id, diag::kNeverCalled.id);
  EXPECT_TRUE(reported.all()[0].message.contains("table_never")) << reported.all()[0].message;
  EXPECT_FALSE(reported.all()[0].message.contains("table_get")) << reported.all()[0].message;
}

TEST_P(NativeCallsTest, NamesOfStructures) {
  const auto names = [this](std::vector<NamedStructure> named) {
    const NativeOracle oracle = explored("looks_up", std::move(named));
    Diagnostics reported(sources_);
    oracle.explorer().report_methods(reported);
    std::string all = oracle.paths()[0].calls[0].structure;
    for (const Diagnostic& one : reported.all())
      if (one.kind->id == diag::kEntryPlace.id) all += "; " + one.message;
    return all;
  };
  EXPECT_EQ(names({}), "flows_storage") << "the variable that the handle points to";
  EXPECT_EQ(names({{"mine", "*(flows+0)", {}}}), "mine");
  EXPECT_EQ(
      names({{"mine", "*flow", {}}}),
      "flows_storage; '*flow' is no place of a structure; expected &NAME, *NAME or *(NAME+0x10) of a global "
      "variable that is there");
}

INSTANTIATE_TEST_SUITE_P(Fast, NativeCallsTest, ::testing::ValuesIn(test::kFastBuilds), test::build_name);
INSTANTIATE_TEST_SUITE_P(Slow, NativeCallsTest, ::testing::ValuesIn(test::kFewSlowBuilds), test::build_name);

}  // namespace
}  // namespace perfpact::explore
