// State that packets change.
#include "explore/diagnostics.h"
#include "native_oracle.h"
#include "native_program.h"

namespace perfpact::explore {
namespace {

using test::NativeOracle;
using Names = std::vector<std::string>;

class NativeStateTest : public ::testing::TestWithParam<std::string_view> {
 protected:
  NativeOracle explored(std::string function, NativeOptions options = {}) {
    options.entry.shortest = options.entry.longest = 4;
    return NativeOracle({.program = test::program("state", GetParam()), .entry = std::move(function)},
                        std::move(options));
  }
  static NativeOptions snapshot() {
    NativeOptions options;
    options.opens_state = false;
    return options;
  }
  static NativeOptions assuming(std::string name, Assumption::Comparison comparison, std::uint64_t bound) {
    NativeOptions options;
    options.entry.assumptions.push_back({std::move(name), comparison, bound, {}});
    return options;
  }
};

TEST_P(NativeStateTest, CounterThatDivertsPackets) {
  const NativeOracle counts = explored("counts");
  EXPECT_EQ(counts.verdicts(), (Names{"sent(0)", "sent(1)"}));
  EXPECT_EQ(counts.gaps(), Names());
  EXPECT_EQ(counts.explorer().state(), Names{"counter"});
  counts.expect_all_true(20);
}

TEST_P(NativeStateTest, CounterAsTheFirstPacketSeesIt) {
  const NativeOracle counts = explored("counts", snapshot());
  EXPECT_EQ(counts.verdicts(), Names{"sent(0)"});
  EXPECT_EQ(counts.gaps(), Names());
  EXPECT_EQ(counts.explorer().state(), Names{"counter"}) << "to be told, though not opened";
}

TEST_P(NativeStateTest, CounterByAnAssumption) {
  using enum Assumption::Comparison;
  EXPECT_EQ(explored("counts", assuming("counter", Less, 31)).verdicts(), Names{"sent(0)"});
  EXPECT_EQ(explored("counts", assuming("counter", NotEqual, 31)).verdicts(), Names{"sent(0)"});
  EXPECT_EQ(explored("counts", assuming("counter", Equal, 31)).verdicts(), Names{"sent(1)"});
  EXPECT_EQ(explored("counts", assuming("counter", GreaterOrEqual, 31)).verdicts(),
            (Names{"sent(0)", "sent(1)"}));
  EXPECT_EQ(explored("counts", assuming("counter", Greater, 31)).verdicts(), Names{"sent(0)"});
  EXPECT_EQ(explored("counts", assuming("counter", LessOrEqual, 31)).verdicts(),
            (Names{"sent(0)", "sent(1)"}));
}

TEST_P(NativeStateTest, TableThatIsFlushed) {
  const NativeOracle flushes = explored("flushes");
  const Names verdicts = flushes.verdicts();
  EXPECT_EQ(std::ranges::count(verdicts, "flood"), 1);
  EXPECT_EQ(std::ranges::count(verdicts, "sent(0)"), std::ssize(verdicts) - 1);
  EXPECT_EQ(flushes.gaps(), Names());
  flushes.expect_all_true(20);
  EXPECT_EQ(std::ranges::count(explored("flushes", snapshot()).verdicts(), "flood"), 0);
}

TEST_P(NativeStateTest, IndexThatTheProgramChecks) {
  const NativeOracle looks_up = explored("looks_up");
  EXPECT_EQ(looks_up.gaps(), Names());
  EXPECT_GT(looks_up.expect_all_true(50), 40U);
}

TEST_P(NativeStateTest, CellsThatPacketsChoose) {
  const NativeOracle counts = explored("counts_kinds");
  EXPECT_EQ(counts.gaps(), Names());
  EXPECT_EQ(counts.explorer().state().size(), 4U);
  EXPECT_EQ(std::ranges::count(counts.verdicts(), "dropped"), 1);
  EXPECT_GT(counts.expect_all_true(60), 60U);
}

TEST_P(NativeStateTest, WholeAndPart) {
  const NativeOracle writes = explored("writes_parts");
  EXPECT_EQ(writes.gaps(), Names());
  EXPECT_EQ(writes.explorer().state().size(), 4U) << "each byte is opened";
  for (const char* verdict : {"dropped", "sent(0)", "sent(1)"})
    EXPECT_GT(std::ranges::count(writes.verdicts(), verdict), 0) << verdict;
  EXPECT_GT(writes.expect_all_true(60), 100U);
}

TEST_P(NativeStateTest, IndexThatNothingLimits) {
  const NativeOracle looks_up = explored("looks_up_unchecked");
  EXPECT_EQ(looks_up.verdicts(), Names());
  EXPECT_EQ(looks_up.gaps(),
            Names{"an address made of 'next', which packets change and no assumption limits"});
}

TEST_P(NativeStateTest, IndexThatAnAssumptionLimits) {
  const NativeOracle looks_up =
      explored("looks_up_unchecked", assuming("next", Assumption::Comparison::Less, 4));
  EXPECT_EQ(looks_up.verdicts(), (Names{"dropped", "sent(0)", "sent(1)"}));
  EXPECT_EQ(looks_up.gaps(), Names());
  looks_up.expect_all_true(50);
}

TEST_P(NativeStateTest, PointerThatNothingLimits) {
  EXPECT_EQ(explored("follows").gaps(),
            Names{"an address made of 'cursor', which packets change and no assumption limits"});
  const NativeOracle snapshot_only = explored("follows", snapshot());
  EXPECT_EQ(snapshot_only.gaps(), Names());
  EXPECT_EQ(snapshot_only.expect_all_true(10), 10U);
}

TEST_P(NativeStateTest, PointerThatAnAssumptionLimits) {
  const NativeOracle at_first = explored("follows", snapshot());
  const auto cells = at_first.process().find_symbols("cells");
  ASSERT_EQ(cells.size(), 1U);
  using enum Assumption::Comparison;
  NativeOptions options = assuming("cursor", GreaterOrEqual, cells.front()->address);
  options.entry.assumptions.push_back({"cursor", LessOrEqual, cells.front()->address + 28, {}});
  const NativeOracle follows = explored("follows", options);
  EXPECT_EQ(follows.gaps(), Names());
  EXPECT_GT(follows.expect_all_true(100), 1U);
}

TEST_P(NativeStateTest, Clocks) {
  const NativeOracle clocks = explored("clocks");
  EXPECT_EQ(clocks.gaps(), Names());
  const Names verdicts = clocks.verdicts();
  EXPECT_EQ(std::ranges::count(verdicts, "dropped"), 1);
  EXPECT_GE(std::ranges::count(verdicts, "sent(1)") + std::ranges::count(verdicts, "sent(0)"), 1);
  clocks.expect_all_true(50);
}

TEST_P(NativeStateTest, AssumptionOnNothing) {
  const NativeOracle counts = explored("counts", assuming("conter", Assumption::Comparison::Less, 31));
  SourceManager sources;
  Diagnostics diagnostics(sources);
  counts.explorer().report_assumptions(diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all().front().kind, &diag::kEntryAssumedName);
  EXPECT_EQ(diagnostics.all().front().message,
            "the assumption on 'conter' is on nothing: it is no argument, no state that packets change and "
            "no object; "
            "did you mean 'counter'?");
  for (const char* name : {"counter", "port", "length", "now_ns"}) {
    Diagnostics none(sources);
    const NativeOracle named = explored("counts", assuming(name, Assumption::Comparison::Less, 31));
    named.explorer().report_assumptions(none);
    EXPECT_TRUE(none.all().empty()) << name;
  }
}

TEST_P(NativeStateTest, AssumptionsThatNothingMeets) {
  const NativeOracle counts = explored("counts", assuming("port", Assumption::Comparison::Less, 0));
  EXPECT_EQ(counts.verdicts(), Names());
  EXPECT_EQ(counts.gaps(), Names{"no packet meets the assumptions on the entry"});
}

INSTANTIATE_TEST_SUITE_P(Fast, NativeStateTest, ::testing::ValuesIn(test::kFastBuilds), test::build_name);
INSTANTIATE_TEST_SUITE_P(Slow, NativeStateTest, ::testing::ValuesIn(test::kFewSlowBuilds), test::build_name);

}  // namespace
}  // namespace perfpact::explore
