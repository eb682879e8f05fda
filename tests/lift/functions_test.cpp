// Whole functions of functions/*.c, compiled by gcc and clang at every level: lifted code gives what calling
// them gives.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "executor.h"
#include "forms.h"
#include "program/ir/conventions.h"

namespace perfpact::lift {
namespace {

constexpr const char* kNames[] = {
#define F(name) #name,
#include "functions/functions.def"
#undef F
};
static_assert(std::size(kNames) >= 40);

constexpr std::size_t kRuns = 40;  // of each function
constexpr std::size_t kBuffer = 512, kLongest = 64;
constexpr std::size_t kBlocks = 1 << 20;  // of a run, at most
constexpr std::uint64_t kReturn = 0xfffffffffffff000;

using Buffer = std::array<std::uint8_t, kBuffer>;
using Function = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint8_t*, std::uint64_t);

struct Input {
  std::uint64_t a = 0, b = 0, n = 0;
  Buffer buffer{};
};

Input make_input(Random& random) {
  Input input{
      .a = interesting_number(random), .b = interesting_number(random), .n = random() % (kLongest + 1)};
  const bool is_text = random() % 2 == 0;
  for (std::uint8_t& byte : input.buffer)
    byte = static_cast<std::uint8_t>(is_text ? ' ' + random() % 95 : random());
  return input;
}

// The memory of this process is the guest's.
Memory own_memory() {
  return {.load =
              [](std::uint64_t address, std::span<std::uint8_t> bytes) {
                std::memcpy(bytes.data(), reinterpret_cast<const void*>(address), bytes.size());
              },
          .store =
              [](std::uint64_t address, std::span<const std::uint8_t> bytes) {
                std::memcpy(reinterpret_cast<void*>(address), bytes.data(), bytes.size());
              }};
}

std::size_t read_code(std::uint64_t address, std::span<std::uint8_t> bytes) {
  std::memcpy(bytes.data(), reinterpret_cast<const void*>(address), bytes.size());
  return bytes.size();
}

class FunctionsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string path = PERFPACT_FUNCTIONS;
    path += '/';
    path += GetParam();
    path += ".so";
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
  }

  Function find_function(const char* name) const { return reinterpret_cast<Function>(dlsym(library_, name)); }

  /// What the function returns; nothing where it does not run to its end.
  std::optional<std::uint64_t> run(Function function, Input& input) {
    x86::Registers registers;
    registers.gpr[x86::Rdi] = input.a;
    registers.gpr[x86::Rsi] = input.b;
    registers.gpr[x86::Rdx] = reinterpret_cast<std::uint64_t>(input.buffer.data());
    registers.gpr[x86::Rcx] = input.n;
    // System V x86-64 ABI, 3.2.2: at a function's entry rsp + 8 is a multiple of 16.
    const std::uint64_t top =
        (reinterpret_cast<std::uint64_t>(stack_.data() + stack_.size()) & ~std::uint64_t{15}) - 8;
    std::memcpy(reinterpret_cast<void*>(top), &kReturn, sizeof kReturn);
    registers.gpr[x86::Rsp] = top;
    registers.rip = reinterpret_cast<std::uint64_t>(function);
    for (std::size_t blocks = 0; registers.rip != kReturn; ++blocks) {
      if (blocks == kBlocks) {
        ADD_FAILURE() << "does not end";
        return std::nullopt;
      }
      const Executed executed = executor_.run(lifter_.block(registers.rip), registers);
      if (!executed.trap) continue;
      ADD_FAILURE() << "trap " << static_cast<int>(*executed.trap) << " at " << name_of(registers.rip);
      return std::nullopt;
    }
    EXPECT_EQ(registers.gpr[x86::Rsp], top + sizeof kReturn);
    return registers.gpr[x86::Rax];
  }

  std::string name_of(std::uint64_t address) const {
    for (std::size_t i = lifter_.sites(); i > 0; --i) {
      const Site& site = lifter_.site(static_cast<std::uint32_t>(i - 1));
      if (site.address == address) return site.mnemonic;
    }
    return "?";
  }

  const Lifter& lifter() const { return lifter_; }

 private:
  void* library_ = nullptr;
  llvm::LLVMContext context_;
  Lifter lifter_{context_, {.read = read_code, .begins_block = [](std::uint64_t) { return false; }}};
  Executor executor_{own_memory()};
  std::vector<std::uint8_t> stack_ = std::vector<std::uint8_t>(1 << 20);
};

TEST_P(FunctionsTest, GiveWhatCallingThemGives) {
  for (const char* name : kNames) {
    SCOPED_TRACE(name);
    Random random(std::hash<std::string>()(name));
    const Function native = find_function(name);
    ASSERT_NE(native, nullptr);
    for (std::size_t i = 0; i < kRuns; ++i) {
      const Input input = make_input(random);
      Input called = input, lifted = input;
      const std::optional<std::uint64_t> result = run(native, lifted);
      const std::uint64_t expected = native(called.a, called.b, called.buffer.data(), called.n);
      ASSERT_EQ(result, expected) << "run " << i;
      ASSERT_EQ(lifted.buffer, called.buffer) << "run " << i;
    }
  }
  program::ir::verify(lifter().module());
}

INSTANTIATE_TEST_SUITE_P(Compilers, FunctionsTest,
                         testing::Values("gcc-O0", "gcc-O1", "gcc-O2", "gcc-O3", "clang-O0", "clang-O1",
                                         "clang-O2", "clang-O3"),
                         [](const auto& library) {
                           std::string name = library.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace perfpact::lift
