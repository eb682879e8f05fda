// Packets at which a program fails, or the explorer gives up.
#include <set>

#include "explore/native/replay.h"
#include "native_oracle.h"
#include "native_program.h"

namespace perfpact::explore {
namespace {

using test::NativeOracle;
using Names = std::vector<std::string>;

class NativeFaultsTest : public ::testing::TestWithParam<std::string_view> {
 protected:
  NativeOracle explored(std::string function, NativeOptions options = {}) {
    options.entry.shortest = options.entry.longest = 14;
    return NativeOracle({.program = test::program("faults", GetParam()), .entry = std::move(function)},
                        std::move(options));
  }
  // Held to what the program does.
  void expect_paths(std::string function, const Names& verdicts) {
    const NativeOracle oracle = explored(std::move(function));
    EXPECT_EQ(oracle.verdicts(), verdicts);
    EXPECT_EQ(oracle.gaps(), Names());
    oracle.expect_all_true(30);
    for (const NativePath& path : oracle.paths()) verify(oracle.process(), oracle.explorer(), path);
  }
  void expect_gap(std::string function, const Names& verdicts, const std::string& gap) {
    const NativeOracle oracle = explored(std::move(function));
    EXPECT_EQ(oracle.verdicts(), verdicts);
    EXPECT_EQ(oracle.gaps(), Names{gap});
    for (const NativeGap& one : oracle.explorer().gaps()) {
      EXPECT_NE(one.at.find("faults.c:"), std::string::npos) << one.at;
      EXPECT_FALSE(one.condition.empty());
    }
    oracle.expect_all_true(10);
  }
};

TEST_P(NativeFaultsTest, ReadsOutside) {
  expect_paths("reads_outside", {"error: loads 1 byte where there is no memory", "sent(1)"});
}

TEST_P(NativeFaultsTest, ReadsAcrossMappings) {
  const NativeOracle oracle = explored("reads_across");
  const Names verdicts = oracle.verdicts();
  ASSERT_GE(verdicts.size(), 2U);
  EXPECT_EQ(verdicts.front(), "error: loads 4 bytes where there is no memory");
  EXPECT_EQ(std::ranges::count(verdicts, "sent(1)"), std::ssize(verdicts) - 1);
  EXPECT_EQ(oracle.gaps(), Names());
  oracle.expect_all_true(30);
  for (const NativePath& path : oracle.paths()) verify(oracle.process(), oracle.explorer(), path);
}

TEST_P(NativeFaultsTest, WritesOutside) {
  expect_paths("writes_outside", {"error: stores 1 byte where there is no memory", "sent(2)"});
}

TEST_P(NativeFaultsTest, WritesConstants) {
  const NativeOracle oracle = explored("writes_constants");
  ASSERT_EQ(oracle.paths().size(), 2U);
  EXPECT_TRUE(oracle.verdicts().front().starts_with("error: stores 1 byte")) << oracle.verdicts().front();
  oracle.expect_all_true(30);
}

TEST_P(NativeFaultsTest, DividesByZero) {
  expect_paths("divides", {"error: division by zero, or a quotient that does not fit", "sent(100)"});
}

TEST_P(NativeFaultsTest, JumpsToNowhere) {
  expect_paths("jumps_away", {"error: a jump to what is no code", "sent(1)"});
}

TEST_P(NativeFaultsTest, GivesUp) {
  expect_paths("gives_up", {"error: a breakpoint (int3)", "error: a privileged instruction",
                            "error: an invalid instruction (ud2)", "sent(1)"});
}

TEST_P(NativeFaultsTest, Misaligned) {
  expect_paths("misaligned", {"error: a misaligned vector access", "sent(1)"});
}

// It can grow to the limit that programs are started with.
TEST_P(NativeFaultsTest, UsesMuchStack) {
  const NativeOracle oracle = explored("uses_much_stack");
  const Names verdicts = oracle.verdicts();
  ASSERT_GE(verdicts.size(), 2U);
  EXPECT_TRUE(verdicts.front().starts_with("error: stores ")) << verdicts.front();
  EXPECT_EQ(std::ranges::count(verdicts, "sent(3)"), std::ssize(verdicts) - 1);
  EXPECT_EQ(oracle.gaps(), Names());
  oracle.expect_all_true(30);
}

// Faults of straight code are told apart.
TEST_P(NativeFaultsTest, PathsHaveIdsOfTheirOwn) {
  for (const char* function : {"divides_twice", "gives_up", "reads_outside"}) {
    const NativeOracle oracle = explored(function);
    std::set<program::PathId> ids;
    for (const NativePath& path : oracle.paths()) EXPECT_TRUE(ids.insert(path.id).second) << function;
    EXPECT_GT(ids.size(), 1U);
    oracle.expect_all_true(10);
  }
}

TEST_P(NativeFaultsTest, SystemCall) {
  expect_gap("calls_kernel", {"sent(0)"}, "a system call");
}

// The kernel's pages cannot be read, or, where the processor's clock is of no use, it is called.
TEST_P(NativeFaultsTest, AsksTheKernelForTheTime) {
  const NativeOracle oracle = explored("asks_time");
  EXPECT_EQ(oracle.verdicts(), Names{"sent(0)"});
  const std::set<std::string> expected{"a system call",
                                       "not supported yet: memory that only the program itself can read"};
  ASSERT_FALSE(oracle.gaps().empty());
  for (const std::string& gap : oracle.gaps()) EXPECT_TRUE(expected.contains(gap)) << gap;
}

TEST_P(NativeFaultsTest, InstructionThatIsNotLifted) {
  expect_gap("floats", {"sent(0)"}, "not supported yet: the instruction fldpi");
}

TEST_P(NativeFaultsTest, LoopWithoutEnd) {
  expect_gap("never_ends", {"sent(1)"}, "more than 20000 times around a loop");
}

TEST_P(NativeFaultsTest, PacketsThatDoNotFit) {
  NativeOptions options;
  const auto launch = [](std::string_view build) {
    return process::Launch{.program = test::program("faults", build), .entry = "has_little_room"};
  };
  options.entry.longest = 28;
  EXPECT_EQ(NativeOracle(launch(GetParam()), options).gaps(), Names());
  options.entry.longest = 29;
  const NativeOracle oracle(launch(GetParam()), options);
  EXPECT_EQ(oracle.verdicts(), Names());
  EXPECT_EQ(oracle.gaps(),
            Names{"packets of 29 bytes would overwrite other memory: there is room for 28 at small+0x4"});
}

TEST_P(NativeFaultsTest, Limits) {
  NativeOptions options;
  options.limits.instructions = 100;
  EXPECT_EQ(explored("never_ends", options).gaps(), Names{"more than 100 instructions"});
  options = {};
  options.limits.paths = 1;
  const Names gaps = explored("gives_up", options).gaps();
  EXPECT_FALSE(gaps.empty());
  EXPECT_EQ(std::ranges::count(gaps, "more than 1 paths"), std::ssize(gaps));
}

INSTANTIATE_TEST_SUITE_P(Fast, NativeFaultsTest, ::testing::ValuesIn(test::kFastBuilds), test::build_name);
INSTANTIATE_TEST_SUITE_P(Slow, NativeFaultsTest, ::testing::ValuesIn(test::kFewSlowBuilds), test::build_name);

class NativeMbufTest : public ::testing::TestWithParam<std::string_view> {};

TEST_P(NativeMbufTest, PacketInABuffer) {
  NativeOptions options;
  options.entry = Entry::mbuf("nf_process");
  options.entry.longest = 64;
  const NativeOracle oracle({.program = test::program("mbuf", GetParam()), .entry = "nf_process"}, options);
  EXPECT_EQ(oracle.gaps(), Names());
  const Names verdicts = oracle.verdicts();
  EXPECT_GE(std::ranges::count(verdicts, "dropped"), 1);
  EXPECT_GE(std::ranges::count(verdicts, "flood"), 2);
  EXPECT_GE(std::ranges::count(verdicts, "sent(4)"), 1);
  EXPECT_EQ(std::ranges::count(verdicts, "sent(7)"), 0) << "a packet is in one piece";
  EXPECT_GT(oracle.expect_all_true(40), 100U);
}

INSTANTIATE_TEST_SUITE_P(Fast, NativeMbufTest, ::testing::ValuesIn(test::kFastBuilds), test::build_name);
INSTANTIATE_TEST_SUITE_P(Slow, NativeMbufTest, ::testing::ValuesIn(test::kFewSlowBuilds), test::build_name);

}  // namespace
}  // namespace perfpact::explore
