#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "../packet/reported.h"
#include "started.h"

namespace perfpact::process {
namespace {

using test::Started;

Run replay(const Started& program, const std::vector<std::pair<x86::Gpr, std::uint64_t>>& arguments = {},
           ReplayOptions options = {}) {
  Input input{.registers = program->registers()};
  for (const auto& [gpr, value] : arguments) input.registers.gpr[gpr] = value;
  return program->replay(input, options);
}

void expect_counts(const Run& run, Counts counts) {
  EXPECT_EQ(run.ending, process::Run::Ending::Returned) << run.signal;
  EXPECT_EQ(run.counts.instructions, counts.instructions);
  EXPECT_EQ(run.counts.loads, counts.loads);
  EXPECT_EQ(run.counts.stores, counts.stores);
}

TEST(ReplayTest, CountsIterations) {
  const Started program("functions", "copy_bytes");
  const auto copied = [&](std::uint64_t count) { return replay(program, {{x86::Rdx, count}}); };
  expect_counts(copied(0), {4, 1, 0});
  expect_counts(copied(1), {4, 2, 1});
  expect_counts(copied(5), {8, 6, 5});
}

TEST(ReplayTest, CountsIterationsByTheLowHalf) {
  const Started program("functions", "copy_bytes_32");
  expect_counts(replay(program, {{x86::Rdx, 0}}), {4, 1, 0});
  expect_counts(replay(program, {{x86::Rdx, 3}}), {6, 4, 3});
}

TEST(ReplayTest, CountsIterationsUntilTheyDiffer) {
  const Started program("functions", "compare_bytes");
  // target holds source's first five bytes; the sixth differs.
  const process::Run same = replay(program, {{x86::Rsi, program.address("source")}});
  expect_counts(same, {10, 11, 0});
  EXPECT_EQ(same.registers.gpr[x86::Rax], 1U);
  const process::Run differs = replay(program, {{x86::Rsi, program.address("source")}, {x86::Rdx, 20}});
  expect_counts(differs, {11, 13, 0});
  EXPECT_EQ(differs.registers.gpr[x86::Rax], 0U);
}

TEST(ReplayTest, CountsTheStack) {
  const Started program("functions", "use_stack");
  const process::Run run = replay(program);
  expect_counts(run, {7, 3, 2});
  EXPECT_EQ(run.registers.gpr[x86::Rax], 4U);
  EXPECT_EQ(run.registers.gpr[x86::Rsp], program->registers().gpr[x86::Rsp] + 8);
}

TEST(ReplayTest, CountsReadModifyWrite) {
  const Started program("functions", "change_memory");
  const process::Run run = replay(program);
  expect_counts(run, {5, 3, 1});
  EXPECT_EQ(run.registers.gpr[x86::Rax], 42U);
  EXPECT_EQ(program.get<std::uint64_t>("cell"), 40U) << "the kept process is untouched";
}

TEST(ReplayTest, ForcesMemoryAndRegisters) {
  const Started router("router");
  Input input{.registers = router->registers()};
  for (const std::uint8_t key : {0, 1, 200}) {
    input.memory = {{router.argument(1) + 14, {key}}};
    input.registers.gpr[x86::Rcx] = 3;
    const process::Run run = router->replay(input, {});
    ASSERT_EQ(run.ending, process::Run::Ending::Returned);
    EXPECT_EQ(run.registers.gpr[x86::Rax], key * 3U + 1);
    EXPECT_GT(run.counts.loads, 0U);
  }
  input.registers.gpr[x86::Rdx] = 19;
  const process::Run refused = router->replay(input, {});
  EXPECT_EQ(static_cast<std::int32_t>(refused.registers.gpr[x86::Rax]), -1);
}

TEST(ReplayTest, ForcesCodeAndReadOnlyMemory) {
  const Started program("functions", "use_stack");
  const Input input{.registers = program->registers(),
                    .memory = {{program->entry(), {0xb8, 77, 0, 0, 0, 0xc3}}}};  // mov eax, 77; ret
  const process::Run run = program->replay(input, {});
  expect_counts(run, {2, 1, 0});
  EXPECT_EQ(run.registers.gpr[x86::Rax], 77U);
  expect_counts(replay(program), {7, 3, 2});
}

TEST(ReplayTest, ForcesVectorRegisters) {
  const Started program("functions", "use_stack");
  Input input{.registers = program->registers()};
  input.registers.xmm[15] = {1, ~0ULL};
  input.registers.xmm[0] = {0x1234, 5};
  EXPECT_EQ(program->replay(input, {}).registers.xmm, input.registers.xmm);
}

TEST(ReplayTest, MemoryThatIsNotMapped) {
  const Started program("functions", "use_stack");
  const process::Run run = program->replay({.registers = program->registers(), .memory = {{8, {1}}}}, {});
  EXPECT_EQ(run.ending, process::Run::Ending::Signal);
  EXPECT_EQ(run.signal, SIGSEGV);
}

TEST(ReplayTest, GivesAddresses) {
  const Started program("functions", "use_stack");
  const process::Run run = replay(program, {}, {.wants_addresses = true});
  ASSERT_EQ(run.addresses.size(), 7U);
  EXPECT_EQ(run.addresses.front(), program->entry());
  EXPECT_EQ(run.addresses[1], program->entry() + 1);
  EXPECT_TRUE(replay(program).addresses.empty());
}

TEST(ReplayTest, CutsFunctions) {
  const Started program("functions", "call_twice");
  expect_counts(replay(program), {8, 3, 2});
  std::vector<std::uint64_t> arguments;
  const auto result = [&](std::size_t call, const x86::Registers& at) {
    arguments.push_back(at.gpr[x86::Rdi]);
    Cut::Result forced;
    forced.gpr[x86::Rax] = 100 + call;
    forced.memory = {{program.address("cell"), {9, 0, 0, 0, 0, 0, 0, 0}}};
    return forced;
  };
  const process::Run run = replay(program, {}, {.cuts = {{program.address("add_seven"), result}}});
  expect_counts(run, {4, 1, 2});
  EXPECT_EQ(arguments, (std::vector<std::uint64_t>{4, 100}));
  EXPECT_EQ(run.registers.gpr[x86::Rax], 101U);
  EXPECT_EQ(program.get<std::uint64_t>("cell"), 42U);
}

TEST(ReplayTest, CutFunctionsWriteMemory) {
  const Started router("router");
  const auto result = [&](std::size_t, const x86::Registers&) {
    Cut::Result forced;
    forced.memory = {{router.address("table") + 14 * 4, {5, 1, 0, 0}}};
    forced.gpr[x86::Rax] = 0;
    return forced;
  };
  const process::Run run =
      replay(router, {{x86::Rcx, 0}}, {.cuts = {{router.address("count_packet"), result}}});
  EXPECT_EQ(run.registers.gpr[x86::Rax], 0x105U);
}

TEST(ReplayTest, ForcesTime) {
  const Started program("functions", "read_time");
  const auto time = [](std::size_t index) { return 0x123456789abcdef0 + index; };
  const process::Run run = replay(program, {}, {.time = time});
  expect_counts(run, {4, 1, 0});
  EXPECT_EQ(run.registers.gpr[x86::Rax], 0x123456789abcdef0U);
  EXPECT_GT(replay(program).registers.gpr[x86::Rax], 0U);

  const Started twice("functions", "read_time_twice");
  const process::Run both = replay(twice, {}, {.time = time});
  expect_counts(both, {6, 1, 0});
  EXPECT_EQ(both.registers.gpr[x86::Rax], 1U);
}

TEST(ReplayTest, HidesTheTrapFlag) {
  const Started program("functions", "push_flags");
  const process::Run run = replay(program);
  expect_counts(run, {3, 2, 1});
  EXPECT_EQ(run.registers.gpr[x86::Rax] & 0x100, 0U);
}

TEST(ReplayTest, EndsAtASystemCall) {
  const Started functions("functions", "use_stack");
  Input input{.registers = functions->registers()};
  input.registers.rip = functions.address("call_system");
  const process::Run run = functions->replay(input, {});
  EXPECT_EQ(run.ending, process::Run::Ending::Syscall);
  EXPECT_EQ(run.counts, (Counts{1, 0, 0}));
  EXPECT_EQ(run.registers.gpr[x86::Rax], 39U);
}

TEST(ReplayTest, EndsAtASignal) {
  const Started functions("functions", "divide");
  const process::Run by_zero = replay(functions, {{x86::Rsi, 0}});
  EXPECT_EQ(by_zero.ending, process::Run::Ending::Signal);
  EXPECT_EQ(by_zero.signal, SIGFPE);
  EXPECT_EQ(by_zero.counts.instructions, 2U);
  expect_counts(replay(functions), {4, 1, 0});

  Input input{.registers = functions->registers()};
  input.registers.rip = functions.address("break_point");
  EXPECT_EQ(functions->replay(input, {}).signal, SIGTRAP);
  input.registers.rip = functions.address("undefined");
  const process::Run undefined = functions->replay(input, {});
  EXPECT_EQ(undefined.signal, SIGILL);
  EXPECT_EQ(undefined.registers.rip, functions.address("undefined") + 1);
  input.registers.rip = 8;
  EXPECT_EQ(functions->replay(input, {}).signal, SIGSEGV);
}

TEST(ReplayTest, EndsAtTheLimit) {
  const Started functions("functions", "spin");
  expect_counts(replay(functions, {{x86::Rdi, 50}}), {101, 1, 0});
  const process::Run run = replay(functions, {{x86::Rdi, 50}}, {.instructions = 100});
  EXPECT_EQ(run.ending, process::Run::Ending::Limit);
  EXPECT_EQ(run.counts.instructions, 100U);
  expect_counts(replay(functions, {{x86::Rdi, 50}}, {.instructions = 101}), {101, 1, 0});
}

// The process that runs a program for this test, as the kernel shows it: not as Process remembers it.
class Kernel {
 public:
  explicit Kernel(const std::string& program) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::error_code error;
      const auto executable = std::filesystem::read_symlink(entry.path() / "exe", error);
      const bool is_ours =
          text(entry.path() / "status").find(fmt::format("\nPPid:\t{}\n", getpid())) != std::string::npos;
      if (!error && is_ours && executable == std::filesystem::canonical(program)) folder_ = entry.path();
    }
  }
  /// The content of all mappings, by where they begin.
  using Memory = std::map<std::uint64_t, std::vector<char>>;
  [[nodiscard]] Memory memory(const std::vector<Mapping>& mappings) const {
    std::ifstream file(folder_ / "mem", std::ios::binary);
    Memory memory;
    for (const Mapping& mapping : mappings) {
      if (!mapping.readable || mapping.file.starts_with("[v")) continue;
      std::vector<char>& part = memory[mapping.begin];
      part.resize(mapping.end - mapping.begin);
      EXPECT_TRUE(file.seekg(static_cast<std::streamoff>(mapping.begin)).read(part.data(), std::ssize(part)));
    }
    return memory;
  }
  /// System call, stack pointer and instruction pointer.
  [[nodiscard]] std::string place() const { return text(folder_ / "syscall"); }
  [[nodiscard]] std::string signals() const {
    const std::string status = text(folder_ / "status");
    return status.substr(status.find("SigPnd"), status.find("CapInh") - status.find("SigPnd"));
  }
  [[nodiscard]] std::string maps() const { return text(folder_ / "maps"); }

 private:
  static std::string text(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path folder_;
};

void expect_same(const Kernel::Memory& a, const Kernel::Memory& b, const Process& process) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [begin, bytes] : a) {
    const auto [ours, theirs] = std::ranges::mismatch(bytes, b.at(begin));
    EXPECT_EQ(ours, bytes.end()) << "differs at "
                                 << process.describe(begin +
                                                     static_cast<std::uint64_t>(ours - bytes.begin()));
  }
}

TEST(ReplayTest, LeavesTheProcessAsItWas) {
  const Started router("router");
  const Kernel kernel(test::program("router"));
  const process::Run first = replay(router, {}, {.wants_addresses = true});
  const auto memory = kernel.memory(router->mappings());
  const std::string place = kernel.place(), signals = kernel.signals(), maps = kernel.maps();
  EXPECT_GT(memory.size(), 10U);
  EXPECT_NE(place.find(fmt::format("{:#x}", router->entry())), std::string::npos) << place;
  for (int i = 0; i < 100; ++i) {
    const process::Run run = replay(router, {}, {.wants_addresses = true});
    ASSERT_EQ(run.counts, first.counts);
    ASSERT_EQ(run.addresses, first.addresses);
    ASSERT_EQ(run.registers.gpr, first.registers.gpr);
  }
  expect_same(memory, kernel.memory(router->mappings()), *router);
  EXPECT_EQ(kernel.place(), place);
  EXPECT_EQ(kernel.signals(), signals);
  EXPECT_EQ(kernel.maps(), maps);
}

TEST(ReplayTest, LeavesSharedMemoryAsItWas) {
  const perfpact::test::Folder folder;
  const std::string file = folder.write("shared", std::string(4096, 'a'));
  const Started program("shared", "nf_process", {file});
  EXPECT_TRUE(program.diagnostics.all().empty());
  const auto anonymous = program.get<std::uint64_t>("anonymous");
  const auto of_file = program.get<std::uint64_t>("of_file");
  EXPECT_EQ(program.get<std::uint64_t>(anonymous), 5U);
  EXPECT_EQ(program.get<std::uint64_t>(anonymous + 700 * 8), 7U);
  EXPECT_EQ(program.get<std::uint64_t>(of_file), 0x6161616161616161U);
  EXPECT_TRUE(program->mapping_of(of_file)->shared);

  const Kernel kernel(test::program("shared"));
  const auto before = kernel.memory(program->mappings());
  EXPECT_EQ(replay(program).registers.gpr[x86::Rax], 18U);
  expect_same(before, kernel.memory(program->mappings()), *program);
  std::ifstream content(file);
  EXPECT_EQ(content.get(), 'a');
}

}  // namespace
}  // namespace perfpact::process
