#include "count/count.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "count/diagnostics.h"
#include "process/diagnostics.h"
#include "process/process.h"

namespace perfpact::count {
namespace {

using Ending = PacketCount::Ending;
using Pcvs = std::map<std::string, std::uint64_t>;

struct Counted {
  bool failed = false;
  std::vector<PacketCount> packets;
  std::string diagnostics;
  Profile profile;
};

#ifdef VALGRIND_TOOL
constexpr std::array kEngines{Engine::Step, Engine::Valgrind};
#else
constexpr std::array kEngines{Engine::Step};
constexpr std::string_view VALGRIND_TOOL;
#endif

Options options_of(const std::string& program, const std::string& entry, std::vector<std::string> arguments) {
  return {.launch = {.program = PROGRAMS + program, .arguments = std::move(arguments), .entry = entry},
          .entry = explore::Entry::raw(entry),
          .tool_directory = std::string(VALGRIND_TOOL)};
}

Counted run(const Options& options) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  Counted counted;
  const auto profile =
      count(options, [&](const PacketCount& packet) { counted.packets.push_back(packet); }, diagnostics);
  counted.failed = !profile;
  if (profile) counted.profile = *profile;
  counted.diagnostics = diagnostics.render();
  return counted;
}

/// Every packet in one line.
std::vector<std::string> lines(const Counted& counted) {
  const auto counts = [](const process::Counts& c) {
    return fmt::format("{} {} {}", c.instructions, c.loads, c.stores);
  };
  const auto pcvs = [](const Pcvs& all) {
    std::string text;
    for (const auto& [name, value] : all) text += fmt::format(" {}={}", name, value);
    return text;
  };
  std::vector<std::string> result;
  for (const PacketCount& packet : counted.packets) {
    std::string text = fmt::format("{}{} {}: {}{}", static_cast<int>(packet.ending), packet.signal,
                                   packet.ending == Ending::Returned ? packet.result : 0, counts(packet.own),
                                   pcvs(packet.pcvs));
    for (const MethodCall& call : packet.calls)
      text += fmt::format("; {}.{} {}: {}{}", call.structure, call.method, call.outcome, counts(call.counts),
                          pcvs(call.pcvs));
    result.push_back(text);
  }
  return result;
}

process::Counts total(const PacketCount& packet) {
  process::Counts sum = packet.own;
  for (const MethodCall& call : packet.calls) {
    sum.instructions += call.counts.instructions;
    sum.loads += call.counts.loads;
    sum.stores += call.counts.stores;
  }
  return sum;
}

process::Counts sum(const std::vector<PacketCount>& packets) {
  process::Counts all;
  for (const PacketCount& packet : packets) {
    const process::Counts counts = total(packet);
    all = {all.instructions + counts.instructions, all.loads + counts.loads, all.stores + counts.stores};
  }
  return all;
}

process::Counts sum(const Profile& profile) {
  process::Counts all;
  for (const Spot& spot : profile)
    all = {all.instructions + spot.counts.instructions, all.loads + spot.counts.loads,
           all.stores + spot.counts.stores};
  return all;
}

class CountTest : public testing::TestWithParam<Engine> {
 protected:
  static Counted counted(const std::string& entry, std::vector<std::string> arguments = {},
                         const std::string& program = "calls") {
    if (arguments.empty()) arguments = {entry};
    Options options = options_of(program, entry, std::move(arguments));
    options.engine = GetParam();
    return run(options);
  }
  static void expect_own(const std::string& entry, const std::vector<process::Counts>& expected) {
    const Counted got = counted(entry);
    EXPECT_FALSE(got.failed) << got.diagnostics;
    ASSERT_EQ(got.packets.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(got.packets[i].ending, Ending::Returned);
      EXPECT_TRUE(got.packets[i].calls.empty());
      EXPECT_EQ(got.packets[i].own, expected[i]) << lines(got)[i];
    }
  }
};

// Lengths are 2, 3, 4.
TEST_P(CountTest, Iterations) {
  expect_own("copies", {{7, 3, 2}, {8, 4, 3}, {9, 5, 4}});
  expect_own("copies_none", {{5, 1, 0}, {5, 1, 0}, {5, 1, 0}});
  expect_own("compares", {{15, 6, 1}, {15, 6, 1}, {15, 6, 1}});
}
TEST_P(CountTest, ReadModifyWrite) {
  expect_own("changes_memory", {{8, 5, 3}, {8, 5, 3}, {8, 5, 3}});
}
TEST_P(CountTest, Stack) {
  expect_own("uses_stack", {{10, 5, 3}, {10, 5, 3}, {10, 5, 3}});
}
TEST_P(CountTest, SystemCalls) {
  expect_own("calls_system", {{3, 1, 0}, {3, 1, 0}, {3, 1, 0}});
}

TEST_P(CountTest, MarksOfRepeatedInstructions) {
  const Counted got = counted("marked_copy");
  ASSERT_EQ(got.packets.size(), 3U);
  for (const PacketCount& packet : got.packets) EXPECT_EQ(packet.pcvs, (Pcvs{{"copies", 2}}));
}

TEST_P(CountTest, Methods) {
  const Counted got = counted("calls_method");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const PacketCount& packet = got.packets[i];
    EXPECT_EQ(packet.result, 1U);
    ASSERT_EQ(packet.calls.size(), 2U);
    EXPECT_EQ(packet.calls[0].method, "table_erase");
    EXPECT_EQ(packet.calls[0].structure, "table");
    EXPECT_EQ(packet.calls[0].outcome, "many");
    EXPECT_EQ(packet.calls[0].pcvs, (Pcvs{{"t", i + 2}}));
    EXPECT_EQ(packet.calls[1].structure, "pointed");
    EXPECT_EQ(packet.calls[1].outcome, "few");
    EXPECT_EQ(packet.pcvs, i == 0 ? Pcvs{} : (Pcvs{{"rounds", i}}));
    ASSERT_TRUE(packet.packet);
    ASSERT_EQ(packet.packet->size(), i + 2);
    EXPECT_EQ(packet.packet->front(), i);
  }
  const process::Counts& one = got.packets[0].calls[0].counts;
  const process::Counts& other = got.packets[1].calls[0].counts;
  EXPECT_GT(other.instructions, one.instructions);
  EXPECT_EQ(other.loads, one.loads + 1);
  EXPECT_EQ(other.stores, one.stores + 1);
}

TEST_P(CountTest, NestedMethods) {
  const Counted got = counted("calls_nested");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const PacketCount& packet = got.packets[i];
    const std::uint64_t expired = 2 * i + 2;
    ASSERT_EQ(packet.calls.size(), 2U);
    EXPECT_EQ(packet.calls[0].method, "table_expire");
    EXPECT_EQ(packet.calls[0].structure, "state+0x8");
    EXPECT_EQ(packet.calls[0].outcome, "");
    EXPECT_EQ(packet.calls[0].pcvs, (Pcvs{{"e", expired}, {"table_erase.t", expired * (expired - 1) / 2}}));
    EXPECT_EQ(packet.calls[1].structure, "*(state+0x48)");
    EXPECT_EQ(packet.calls[1].pcvs, (Pcvs{{"e", 1}}));
  }
}

TEST_P(CountTest, MethodsThatCallThemselves) {
  const Counted got = counted("calls_recursive_method");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  ASSERT_EQ(got.packets[2].calls.size(), 2U);
  EXPECT_EQ(got.packets[2].calls[0].pcvs, (Pcvs{{"d", 5}, {"table_erase.t", 4}}));
  EXPECT_EQ(got.packets[2].calls[0].structure, "function->0x10");
  EXPECT_EQ(got.packets[2].calls[1].pcvs, (Pcvs{{"d", 3}, {"table_erase.t", 2}}));
  EXPECT_EQ(got.packets[2].calls[1].structure, "*(function->0x50)");
}

TEST_P(CountTest, StructuresWithoutGlobal) {
  const Counted got = counted("calls_unnamed");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  for (const PacketCount& packet : got.packets) {
    ASSERT_EQ(packet.calls.size(), 3U);
    EXPECT_EQ(packet.calls[0].structure, "unnamed#1");
    EXPECT_EQ(packet.calls[1].structure, "unnamed#2");
    EXPECT_EQ(packet.calls[2].structure, "unnamed#3");
  }
}

TEST_P(CountTest, TailCallsOfMethods) {
  const Counted got = counted("jumps_to_method");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  ASSERT_EQ(got.packets[0].calls.size(), 1U);
  EXPECT_EQ(got.packets[0].own, (process::Counts{3, 0, 0}));
  EXPECT_EQ(got.packets[0].calls[0].outcome, "many");
}

TEST_P(CountTest, LoopsAtTheBeginningOfMethods) {
  const Counted got = counted("loops_at_head");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  ASSERT_EQ(got.packets[2].calls.size(), 1U);
  EXPECT_EQ(got.packets[2].own, (process::Counts{3, 1, 1}));
  EXPECT_EQ(got.packets[2].calls[0].counts, (process::Counts{10, 1, 0}));
  EXPECT_EQ(got.packets[2].calls[0].pcvs, (Pcvs{{"n", 4}}));
}

TEST_P(CountTest, MethodsThatReturnByAJump) {
  const Counted got = counted("returns_by_jump");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  ASSERT_EQ(got.packets[0].calls.size(), 1U);
  EXPECT_EQ(got.packets[0].own, (process::Counts{3, 1, 1}));
  EXPECT_EQ(got.packets[0].calls[0].counts, (process::Counts{3, 1, 0}));
}

TEST_P(CountTest, EntriesThatCallThemselves) {
  const Counted got = counted("calls_itself");
  ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
  for (const PacketCount& packet : got.packets) EXPECT_EQ(packet.calls.size(), 1U);
}

TEST_P(CountTest, ExitInside) {
  const Counted got = counted("exits");
  EXPECT_TRUE(got.failed);
  ASSERT_EQ(got.packets.size(), 3U);
  EXPECT_EQ(got.packets[1].ending, Ending::Returned);
  EXPECT_EQ(got.packets[2].ending, Ending::Ended);
  EXPECT_NE(got.diagnostics.find("ended with exit status 4 after 3 calls of 'exits' [count-failed]"),
            std::string::npos)
      << got.diagnostics;
}

TEST_P(CountTest, CrashInside) {
  const Counted got = counted("crashes");
  EXPECT_TRUE(got.failed);
  ASSERT_EQ(got.packets.size(), 3U);
  EXPECT_EQ(got.packets[2].ending, Ending::Signal);
  EXPECT_EQ(got.packets[2].signal, "SIGSEGV");
  EXPECT_TRUE(got.packets[2].at.starts_with("table_erase+0x")) << got.packets[2].at;
  EXPECT_NE(got.diagnostics.find("was ended by SIGSEGV after 3 calls of 'crashes' [count-killed]"),
            std::string::npos)
      << got.diagnostics;
}

TEST_P(CountTest, LeftByAJump) {
  const Counted got = counted("leaves");
  EXPECT_FALSE(got.failed) << got.diagnostics;
  ASSERT_EQ(got.packets.size(), 3U);
  EXPECT_EQ(got.packets[0].ending, Ending::Returned);
  EXPECT_EQ(got.packets[1].ending, Ending::Left);
  EXPECT_EQ(got.packets[2].ending, Ending::Returned);
}

TEST_P(CountTest, SignalsMeanwhile) {
  const Counted got = counted("raises");
  EXPECT_FALSE(got.failed) << got.diagnostics;
  EXPECT_EQ(got.packets.size(), 3U);
}

TEST_P(CountTest, OtherBuilds) {
  for (const char* program : {"calls-fixed", "calls-clang"}) {
    if (!std::filesystem::exists(PROGRAMS + std::string(program))) continue;
    const Counted got = counted("calls_nested", {}, program);
    ASSERT_EQ(got.packets.size(), 3U) << got.diagnostics;
    EXPECT_EQ(got.packets[0].calls[0].pcvs, (Pcvs{{"e", 2}, {"table_erase.t", 1}}));
    EXPECT_EQ(got.packets[0].calls[1].structure, "*(state+0x48)");
  }
}

TEST_P(CountTest, WrongPrograms) {
  const auto fails_with = [](const Counted& got, const DiagnosticKind& kind) {
    EXPECT_TRUE(got.failed);
    EXPECT_TRUE(got.packets.empty());
    EXPECT_NE(got.diagnostics.find(fmt::format("[{}]", kind.id)), std::string::npos) << got.diagnostics;
  };
  fails_with(counted("never_called"), process::diag::kExited);
  fails_with(counted("never_cald"), process::diag::kUnknownEntry);
  fails_with(counted("f", {}, "CMakeCache.txt"), process::diag::kCannotStart);
  fails_with(counted("f", {}, "CTestTestfile.cmake"), process::diag::kNotElf);
}

TEST_P(CountTest, FailsWithTheProgram) {
  const Counted got = counted("main", {"fails"});
  EXPECT_TRUE(got.failed);
  ASSERT_EQ(got.packets.size(), 1U);
  EXPECT_NE(got.diagnostics.find("done"), std::string::npos) << "the end of its output";
}

INSTANTIATE_TEST_SUITE_P(Engines, CountTest, testing::ValuesIn(kEngines),
                         [](const auto& of) { return of.param == Engine::Step ? "step" : "valgrind"; });

// The first call as the kept process has it, replayed.
TEST(CountingTest, AgreesWithReplay) {
  for (const std::string entry : {"copies", "compares", "changes_memory", "uses_stack", "calls_method",
                                  "calls_nested", "calls_itself", "calls_library", "jumps_to_method"}) {
    const Options options = options_of("calls", entry, {entry});
    SourceManager sources;
    Diagnostics diagnostics(sources);
    const auto process = process::Process::start(options.launch, diagnostics);
    ASSERT_TRUE(process) << diagnostics.render();
    const process::Run replayed = process->replay({.registers = process->registers()}, {});
    const Counted got = run(options);
    ASSERT_FALSE(got.packets.empty());
    EXPECT_EQ(total(got.packets[0]), replayed.counts) << entry;
  }
}

TEST(CountingTest, SaysThatTheToolIsMissing) {
  Options options = options_of("calls", "copies", {"copies"});
  options.engine = Engine::Valgrind;
  options.tool_directory = PROGRAMS;
  const Counted got = run(options);
  EXPECT_TRUE(got.failed);
  EXPECT_NE(got.diagnostics.find("[count-no-tool]"), std::string::npos) << got.diagnostics;
}

TEST(CountingTest, SaysThatTheToolFails) {
  Options options = options_of("calls", "copies", {"copies"});
  options.engine = Engine::Valgrind;
  options.tool_directory = PROGRAMS + std::string("no-tool");
  std::filesystem::create_directories(options.tool_directory);
  std::filesystem::copy_file("/bin/true", options.tool_directory + "/perfpact-amd64-linux",
                             std::filesystem::copy_options::overwrite_existing);
  const Counted got = run(options);
  EXPECT_TRUE(got.failed);
  EXPECT_NE(got.diagnostics.find("[count-tool-failed]"), std::string::npos) << got.diagnostics;
}

std::vector<std::string> lines(const Profile& profile) {
  std::vector<std::string> result;
  for (const Spot& spot : profile)
    result.push_back(fmt::format("{} {}:{} {} {} {}", spot.function, spot.file, spot.line,
                                 spot.counts.instructions, spot.counts.loads, spot.counts.stores));
  return result;
}

// Both engines, all entries, every number.
TEST(CountingTest, EnginesAgree) {
  if (kEngines.size() == 1) GTEST_SKIP() << "valgrind is not installed";
  for (const std::string program : {"calls", "calls-clang"}) {
    if (!std::filesystem::exists(PROGRAMS + program)) continue;
    for (const std::string entry :
         {"copies",          "copies_none",   "compares",     "marked_copy",  "changes_memory",
          "uses_stack",      "loops_at_head", "calls_system", "calls_method", "calls_nested",
          "jumps_to_method", "calls_unnamed", "calls_itself", "leaves",       "returns_by_jump",
          "calls_library",   "exits",         "crashes",      "raises",       "calls_recursive_method"}) {
      Options options = options_of(program, entry, {entry, "6"});
      options.wants_profile = true;
      const Counted stepped = run(options);
      options.engine = Engine::Valgrind;
      const Counted other = run(options);
      EXPECT_FALSE(stepped.packets.empty());
      EXPECT_EQ(lines(stepped), lines(other)) << program << ", " << entry << other.diagnostics;
      EXPECT_EQ(stepped.diagnostics, other.diagnostics);
      EXPECT_EQ(lines(stepped.profile), lines(other.profile)) << entry;
      if (!stepped.failed) {
        EXPECT_EQ(sum(stepped.profile), sum(stepped.packets)) << entry;
      }
    }
  }
}

}  // namespace
}  // namespace perfpact::count
