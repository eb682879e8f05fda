#include <dirent.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "started.h"
#include "x86/decode.h"

namespace perfpact::process {
namespace {

using test::Started;

// Built by several compilers, in several ways.
class EveryRouterTest : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryRouterTest, StandsAtTheFirstCall) {
  const Started router(GetParam(), "nf_process", {"-p", "x y"});
  EXPECT_EQ(router->registers().rip, router->entry());
  EXPECT_EQ(router->describe(router->entry()), "nf_process");
  EXPECT_EQ(router.argument(0), 3U);
  EXPECT_EQ(router.argument(2), 64U);
  EXPECT_EQ(router.argument(3), 1000U);
  EXPECT_EQ(router.get<std::uint8_t>(router.argument(1) + 14), 14);
  EXPECT_TRUE(
      router->describe(router.get<std::uint64_t>(router->registers().gpr[x86::Rsp])).starts_with("main+"));
  EXPECT_EQ(router->output(), "ready with 3 arguments, last x y\nand standard input is empty\n");
}

TEST_P(EveryRouterTest, ReadsWhatTheProgramHas) {
  const Started router(GetParam());
  EXPECT_EQ(router.get<int>("packets_seen"), 7);
  const std::uint64_t table = router.address("table");
  for (std::uint64_t i = 0; i < 256; ++i) EXPECT_EQ(router.get<std::uint32_t>(table + i * 4), i * 3);
  EXPECT_NE(router.get<std::uint8_t>(router->entry()), 0xcc) << "no breakpoint stays in the code";
  std::array<std::uint8_t, 16> bytes{};
  EXPECT_FALSE(router->read(8, bytes));
  EXPECT_FALSE(router->read(~0ULL - 4, bytes));
}

TEST_P(EveryRouterTest, IsTheSameFromRunToRun) {
  const Started a(GetParam()), b(GetParam());
  EXPECT_EQ(a->entry(), b->entry());
  EXPECT_EQ(a->registers().gpr, b->registers().gpr);
  EXPECT_EQ(a->registers().xmm, b->registers().xmm);
  EXPECT_EQ(a.get<std::uint64_t>(a->registers().fs_base + 0x28),
            b.get<std::uint64_t>(b->registers().fs_base + 0x28))
      << "the stack protector's value";
}

INSTANTIATE_TEST_SUITE_P(Programs, EveryRouterTest,
                         ::testing::Values("router", "router-fixed", "router-static", "router-static-pie"
#ifdef HAS_CLANG
                                           ,
                                           "router-clang"
#endif
                                           ),
                         [](const auto& program) {
                           std::string name = program.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(StartTest, BindsAllSymbolsAtLoadTime) {
  const Started router("router");
  const process::Run run = router->replay({.registers = router->registers()}, {.wants_addresses = true});
  ASSERT_EQ(run.ending, process::Run::Ending::Returned);
  for (const std::uint64_t address : run.addresses)
    EXPECT_FALSE(router->describe(address).starts_with("ld-linux")) << router->describe(address);
}

// The C library picks functions that any x86-64 processor has.
TEST(StartTest, UsesNoExtensionOfTheProcessor) {
  for (const char* name : {"strings", "strings-static"}) {
    const Started program(name);
    const process::Run run = program->replay({.registers = program->registers()}, {.wants_addresses = true});
    ASSERT_EQ(run.ending, process::Run::Ending::Returned);
    ASSERT_EQ(run.registers.gpr[x86::Rax], 300U + 'x');
    for (const std::uint64_t address : run.addresses) {
      std::array<std::uint8_t, x86::kLongestInstruction> bytes{};
      ASSERT_TRUE(program->read(address, bytes));
      const auto instruction = x86::decode(bytes, address);
      ASSERT_TRUE(instruction);
      const std::string text = x86::to_string(*instruction);
      EXPECT_EQ(instruction->decoded.encoding, ZYDIS_INSTRUCTION_ENCODING_LEGACY) << text;
      EXPECT_FALSE(instruction->repeats()) << text;
      const ZydisISAExt extension = instruction->decoded.meta.isa_ext;
      EXPECT_TRUE(extension == ZYDIS_ISA_EXT_BASE || extension == ZYDIS_ISA_EXT_SSE ||
                  extension == ZYDIS_ISA_EXT_SSE2 || extension == ZYDIS_ISA_EXT_LONGMODE ||
                  extension == ZYDIS_ISA_EXT_CET)
          << text;
    }
  }
}

TEST(StartTest, EntryInALibrary) {
  const Started router("router", "count_packet");
  EXPECT_EQ(router->describe(router->entry()), "libcounting.so!count_packet");
  EXPECT_EQ(router.argument(0), 3U);
  const Started by_module("router", "libcounting.so!count_packet");
  EXPECT_EQ(by_module->entry(), router->entry());
}

TEST(StartTest, EntryByOffset) {
  const Started router("router"), inside("router", "main+0x0");
  EXPECT_EQ(inside->describe(inside->entry()), "main");
  const Started later("router", "end_of_router");
  EXPECT_EQ(later.get<int>("packets_seen"), 10);
}

TEST(StartTest, StrippedByAddress) {
  const Started router("router");
  const auto [module, address] = router->relative(router->entry());
  EXPECT_EQ(module, 1U);
  const Started stripped("router-stripped", fmt::format("{:#x}", address));
  EXPECT_EQ(stripped.argument(2), 64U);
  EXPECT_EQ(stripped->describe(stripped->entry()), fmt::format("router-stripped+{:#x}", address));
  EXPECT_EQ(stripped->symbol_of(stripped->entry()), nullptr);
  EXPECT_FALSE(stripped->location(stripped->entry()));
  EXPECT_TRUE(stripped.diagnostics.all().empty());
}

TEST(StartTest, StrippedByExportedSymbol) {
  const Started stripped("router-exporting");
  EXPECT_EQ(stripped.argument(2), 64U);
  EXPECT_EQ(stripped->describe(stripped->entry()), "nf_process");
}

TEST(StartTest, StopsAllThreads) {
  const Started threads("threads");
  EXPECT_EQ(threads.argument(0), 5U);
  std::array<std::uint8_t, 8> seen{};
  const std::uint64_t address = threads.address("spinning");
  ASSERT_TRUE(threads->read(address, seen));
  for (int i = 0; i < 3; ++i) {
    const process::Run run = threads->replay({.registers = threads->registers()}, {});
    EXPECT_EQ(run.ending, process::Run::Ending::Returned);
    EXPECT_EQ(run.registers.gpr[x86::Rax], 5U);
  }
}

TEST(StartTest, CalledByAThreadWhenMainHasEnded) {
  const Started threads("threads", "nf_process", {"thread"});
  EXPECT_EQ(threads.argument(0), 5U);
  EXPECT_FALSE(threads->mappings().empty());
  const process::Run run = threads->replay({.registers = threads->registers()}, {});
  EXPECT_EQ(run.ending, process::Run::Ending::Returned);
}

TEST(StartTest, HelperProcessesRun) {
  const Started faulty("faulty", "nf_process", {"helper"});
  EXPECT_EQ(faulty.argument(0), 3U);
}

TEST(StartTest, NothingIsLeftBehind) {
  const auto files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = files();
  {
    const Started router("router");
  }
  {
    const Started threads("threads", "nf_process", {"thread"});
  }
  EXPECT_EQ(files(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG | __WALL), -1) << "no child process is left";
}

TEST(StartTest, MovesAndIsUsedByOtherThreads) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  Result<Process> process =
      Process::start({.program = test::program("router"), .entry = "nf_process"}, diagnostics);
  ASSERT_TRUE(process);
  std::thread([moved = std::move(*process)] {
    EXPECT_EQ(moved.replay({.registers = moved.registers()}, {}).ending, process::Run::Ending::Returned);
  }).join();
}

}  // namespace
}  // namespace perfpact::process
