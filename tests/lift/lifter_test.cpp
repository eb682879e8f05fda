// How blocks begin and end, their sites and traps; what instructions do is in forms_test.cpp.
#include "lift/lifter.h"

#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>

#include "executor.h"
#include "program/ir/conventions.h"

namespace perfpact::lift {
namespace {

constexpr std::uint64_t kCode = 0x401000;

// Code at kCode, and memory that is zero until it is written.
class Guest {
 public:
  explicit Guest(std::vector<std::uint8_t> code, std::vector<std::uint64_t> begins = {})
      : code_(std::move(code)),
        begins_(std::move(begins)),
        lifter_(context_, source()),
        executor_(memory()) {}

  const Block& block(std::uint64_t address = kCode) { return lifter_.block(address); }
  const Lifter& lifter() const { return lifter_; }

  Executed run(x86::Registers& registers) { return executor_.run(block(registers.rip), registers); }

  std::map<std::uint64_t, std::uint8_t> bytes;

 private:
  CodeSource source() {
    return {
        .read =
            [this](std::uint64_t address, std::span<std::uint8_t> to) {
              const std::size_t begin = std::min<std::size_t>(address - kCode, code_.size());
              const std::size_t size = std::min(to.size(), code_.size() - begin);
              std::copy_n(code_.begin() + static_cast<std::ptrdiff_t>(begin), size, to.begin());
              return size;
            },
        .begins_block = [this](std::uint64_t address) { return std::ranges::count(begins_, address) != 0; }};
  }
  Memory memory() {
    return {.load =
                [this](std::uint64_t address, std::span<std::uint8_t> to) {
                  for (std::uint8_t& byte : to) byte = bytes[address++];
                },
            .store =
                [this](std::uint64_t address, std::span<const std::uint8_t> from) {
                  for (const std::uint8_t byte : from) bytes[address++] = byte;
                }};
  }

  std::vector<std::uint8_t> code_;
  std::vector<std::uint64_t> begins_;
  llvm::LLVMContext context_;
  Lifter lifter_;
  Executor executor_;
};

TEST(LifterTest, KeepsTheConventions) {
  // cmp rdi, rsi; jb +2
  Guest guest({0x48, 0x39, 0xf7, 0x72, 0x02});
  EXPECT_EQ(guest.block().function->getName(), "perfpact.block.401000");
  program::ir::verify(guest.lifter().module());
}

TEST(LifterTest, ComparesTheOperandsOfTheComparison) {
  Guest guest({0x48, 0x39, 0xf7, 0x72, 0x02});
  std::string text;
  llvm::raw_string_ostream(text) << *guest.block().function;
  EXPECT_NE(text.find("icmp ult i64"), std::string::npos) << text;
  x86::Registers registers;
  registers.gpr[x86::Rdi] = 1;
  registers.gpr[x86::Rsi] = 2;
  registers.rip = kCode;
  guest.run(registers);
  EXPECT_EQ(registers.rip, kCode + 7);
  registers.gpr[x86::Rdi] = 2;
  registers.rip = kCode;
  guest.run(registers);
  EXPECT_EQ(registers.rip, kCode + 5);
}

// cmp rdi, rsi; jmp +0; then the code given.
bool keeps_carry(std::vector<std::uint8_t> then) {
  std::vector<std::uint8_t> code{0x48, 0x39, 0xf7, 0xeb, 0x00};
  code.insert(code.end(), then.begin(), then.end());
  Guest guest(code);
  x86::Registers registers;
  registers.gpr[x86::Rsi] = 1;
  registers.rip = kCode;
  guest.run(registers);
  return (registers.rflags & x86::kCf) != 0;
}

TEST(LifterTest, KeepsFlagsThatMayBeRead) {
  EXPECT_FALSE(keeps_carry({0x48, 0x89, 0xf8, 0x48, 0x01, 0xd0}));  // mov rax, rdi; add rax, rdx
  EXPECT_FALSE(keeps_carry({0xeb, 0x00, 0x31, 0xc0}));              // jmp +0; xor eax, eax
  EXPECT_TRUE(keeps_carry({}));
  EXPECT_TRUE(keeps_carry({0xc3}));                                // ret
  EXPECT_TRUE(keeps_carry({0xff, 0xe0}));                          // jmp rax
  EXPECT_TRUE(keeps_carry({0x0f, 0xa2, 0x31, 0xc0}));              // cpuid, which is not lifted
  EXPECT_TRUE(keeps_carry({0x48, 0x11, 0xd0}));                    // adc rax, rdx
  EXPECT_TRUE(keeps_carry({0x72, 0x00, 0x31, 0xc0}));              // jb
  EXPECT_TRUE(keeps_carry({0x48, 0xff, 0xc0, 0x0f, 0x92, 0xc0}));  // inc rax; setb al
  EXPECT_TRUE(keeps_carry({0x48, 0xd3, 0xe0, 0x0f, 0x92, 0xc0}));  // shl rax, cl; setb al
  EXPECT_TRUE(keeps_carry({0x9c, 0x31, 0xc0}));                    // pushfq
  EXPECT_TRUE(keeps_carry({0x9f, 0x31, 0xc0}));                    // lahf
}

TEST(LifterTest, TellsHowBlocksEnd) {
  const auto flow = [](std::vector<std::uint8_t> code) { return Guest(std::move(code)).block().flow; };
  EXPECT_EQ(flow({0xeb, 0x10}), Flow::Jump);
  EXPECT_EQ(flow({0xff, 0xe0}), Flow::Jump);
  EXPECT_EQ(flow({0x74, 0x10}), Flow::Branch);
  EXPECT_EQ(flow({0xe8, 0, 0, 0, 0}), Flow::Call);
  EXPECT_EQ(flow({0xc3}), Flow::Return);
  EXPECT_EQ(flow({0x0f, 0x0b}), Flow::Trap);
  EXPECT_EQ(flow(std::vector<std::uint8_t>(200, 0x90)), Flow::Next);
}

TEST(LifterTest, EndsBlocks) {
  Guest nops(std::vector<std::uint8_t>(200, 0x90));
  EXPECT_EQ(nops.block().end, kCode + kLongestBlock);
  Guest begins(std::vector<std::uint8_t>(200, 0x90), {kCode, kCode + 3});
  EXPECT_EQ(begins.block().end, kCode + 3);
  Guest repeating({0x90, 0xf3, 0xa4, 0xc3});
  EXPECT_EQ(repeating.block().end, kCode + 1);
  EXPECT_EQ(repeating.block(kCode + 1).end, kCode + 3);
  Guest cut({0x90, 0x48});
  EXPECT_EQ(cut.block().end, kCode + 1);
  EXPECT_EQ(cut.block(kCode + 1).flow, Flow::Trap);
}

TEST(LifterTest, Traps) {
  const std::vector<std::pair<std::vector<std::uint8_t>, Trap>> cases{
      {{}, Trap::NoCode},
      {{0x48}, Trap::NoCode},
      {{0x06}, Trap::NoCode},
      {{0x0f, 0x0b}, Trap::InvalidOpcode},
      {{0xcc}, Trap::Breakpoint},
      {{0xf4}, Trap::Halt},
      {{0x0f, 0x05}, Trap::Syscall},
      {{0x0f, 0xa2}, Trap::NotLifted},                          // cpuid
      {{0x8c, 0xd8}, Trap::NotLifted},                          // mov eax, ds
      {{0x0f, 0x20, 0xc0}, Trap::NotLifted},                    // mov rax, cr0
      {{0xd9, 0xe8}, Trap::NotLifted},                          // fld1
      {{0x66, 0xc3}, Trap::NotLifted},                          // ret of 16 bits
      {{0x66, 0x74, 0x00}, Trap::NotLifted},                    // jz of 16 bits
      {{0xcb}, Trap::NotLifted},                                // ret far
      {{0xff, 0x2b}, Trap::NotLifted},                          // jmp far
      {{0x66, 0x0f, 0xc8}, Trap::NotLifted},                    // bswap ax
      {{0x67, 0xa4}, Trap::NotLifted},                          // movsb [edi], [esi]
      {{0x64, 0xa4}, Trap::NotLifted},                          // movsb [rdi], fs:[rsi]
      {{0xf3, 0x64, 0xa4}, Trap::NotLifted},                    // rep of it
      {{0xf3, 0x6c}, Trap::NotLifted},                          // rep insb
      {{0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc0}, Trap::NotLifted},  // vaddps zmm0, zmm0, zmm0
      {{0xc5, 0xf9, 0xef, 0xc0}, Trap::NotLifted},              // vpxor xmm0, xmm0, xmm0
      {{0xf3, 0x0f, 0x58, 0xc1}, Trap::NotLifted},              // addss xmm0, xmm1
      {{0xf2, 0x0f, 0xc2, 0xc1, 0x00}, Trap::NotLifted},        // cmpsd xmm0, xmm1, 0
      {{0x0f, 0xfc, 0xc1}, Trap::NotLifted},                    // paddb mm0, mm1
      {{0xf2, 0x0f, 0xd6, 0xc1}, Trap::NotLifted},              // movdq2q mm0, xmm1
      {{0x66, 0x0f, 0xf7, 0xc1}, Trap::NotLifted},              // maskmovdqu xmm0, xmm1
      // pcmpestri of lengths of 64 bits
      {{0x66, 0x48, 0x0f, 0x3a, 0x61, 0xc1, 0x00}, Trap::NotLifted},
  };
  for (const auto& [code, trap] : cases) {
    Guest guest(code);
    x86::Registers registers;
    registers.rip = kCode;
    const Executed executed = guest.run(registers);
    EXPECT_EQ(executed.trap, trap) << guest.lifter().site(0).mnemonic;
    EXPECT_EQ(registers.rip, kCode);
    EXPECT_EQ(executed.sites.size(), trap == Trap::NoCode ? 0 : 1);
    EXPECT_EQ(guest.block().flow, Flow::Trap);
    program::ir::verify(guest.lifter().module());
  }
}

TEST(LifterTest, AsksForAlignmentWhereItIsNotKnown) {
  Guest known({0x48, 0x83, 0xe4, 0xf0, 0x0f, 0x29, 0x04, 0x24});  // and rsp, -16; movaps [rsp], xmm0
  EXPECT_EQ(known.block().function->size(), 1);
  Guest unknown({0x0f, 0x29, 0x04, 0x24});
  EXPECT_EQ(unknown.block().function->size(), 3);
  x86::Registers registers;
  registers.gpr[x86::Rsp] = 0x1008;
  registers.rip = kCode;
  EXPECT_EQ(unknown.run(registers).trap, Trap::Misaligned);
  EXPECT_EQ(registers.rip, kCode);
}

TEST(LifterTest, FindsLanesAgain) {
  Guest guest({0x66, 0x0f, 0x74, 0xc1, 0x66, 0x0f, 0xd7, 0xc0});  // pcmpeqb xmm0, xmm1; pmovmskb eax, xmm0
  std::string text;
  llvm::raw_string_ostream(text) << *guest.block().function;
  EXPECT_EQ(text.find("icmp slt"), std::string::npos) << text;
  x86::Registers registers;
  registers.xmm[0] = {0x0807060504030201, 0x8000000000000000};
  registers.xmm[1] = {0x0800060004000201, 0x8000000000000001};
  registers.rip = kCode;
  guest.run(registers);
  EXPECT_EQ(registers.gpr[x86::Rax], 0b1111'1110'1010'1011);
}

TEST(LifterTest, RepeatsAnIterationABlock) {
  Guest guest({0xf3, 0xa4, 0xc3});  // rep movsb; ret
  guest.bytes = {{0x1000, 7}, {0x1001, 8}};
  x86::Registers registers;
  registers.gpr[x86::Rsi] = 0x1000;
  registers.gpr[x86::Rdi] = 0x2000;
  registers.gpr[x86::Rcx] = 2;
  for (const std::uint64_t next : {kCode, kCode + 2}) {
    registers.rip = kCode;
    const Executed executed = guest.run(registers);
    EXPECT_EQ(registers.rip, next);
    ASSERT_EQ(executed.sites.size(), 1);
    const Site& site = guest.lifter().site(executed.sites[0]);
    EXPECT_TRUE(site.repeats);
    EXPECT_EQ(site.loads, 1);
    EXPECT_EQ(site.stores, 1);
  }
  EXPECT_EQ(guest.bytes[0x2000], 7);
  EXPECT_EQ(guest.bytes[0x2001], 8);
  registers.rip = kCode;
  const Executed none = guest.run(registers);
  EXPECT_EQ(registers.rip, kCode + 2);
  ASSERT_EQ(none.sites.size(), 1);
  EXPECT_EQ(guest.lifter().site(none.sites[0]).loads, 0);
  EXPECT_EQ(guest.lifter().site(none.sites[0]).stores, 0);
}

TEST(LifterTest, AsksForTheTime) {
  llvm::LLVMContext context;
  const std::vector<std::uint8_t> code{0x0f, 0x01, 0xf9};  // rdtscp
  Lifter lifter(context, {.read =
                              [&](std::uint64_t address, std::span<std::uint8_t> to) {
                                if (address != kCode) return std::size_t{0};
                                std::ranges::copy(code, to.begin());
                                return code.size();
                              },
                          .begins_block = [](std::uint64_t) { return false; }});
  Executor executor({}, [] { return 0x123456789abcdef0; });
  x86::Registers registers;
  registers.gpr.fill(~std::uint64_t{0});
  executor.run(lifter.block(kCode), registers);
  EXPECT_EQ(registers.gpr[x86::Rax], 0x9abcdef0);
  EXPECT_EQ(registers.gpr[x86::Rdx], 0x12345678);
  EXPECT_EQ(registers.gpr[x86::Rcx], 0);
}

}  // namespace
}  // namespace perfpact::lift
