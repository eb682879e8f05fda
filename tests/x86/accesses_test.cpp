#include "x86/accesses.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfpact::x86 {
namespace {

constexpr std::uint64_t kAddress = 0x400000;

Registers registers() {
  Registers registers;
  for (std::size_t i = 0; i < kGprs; ++i) registers.gpr[i] = 0x1000 * (i + 1);  // rax 0x1000, rcx 0x2000, ...
  registers.fs_base = 0x7000'0000;
  return registers;
}

/// "load 8 at 0x2000, store 4 at 0x5000".
std::string accesses_of(std::vector<std::uint8_t> bytes, const Registers& before = registers()) {
  const auto instruction = decode(bytes, kAddress);
  if (!instruction) return "no instruction";
  const std::vector<Access> all = accesses(*instruction, before);
  EXPECT_EQ(std::ranges::count(all, false, &Access::is_store), instruction->loads);
  EXPECT_EQ(std::ranges::count(all, true, &Access::is_store), instruction->stores);
  std::vector<std::string> texts;
  for (const Access& access : all)
    texts.push_back(
        fmt::format("{} {} at {:#x}", access.is_store ? "store" : "load", access.bytes, access.address));
  return fmt::format("{}", fmt::join(texts, ", "));
}

TEST(Accesses, Operands) {
  EXPECT_EQ(accesses_of({0x48, 0x8b, 0x44, 0x8b, 0x10}), "load 8 at 0xc010");  // mov rax, [rbx+rcx*4+0x10]
  EXPECT_EQ(accesses_of({0x48, 0x8b, 0x43, 0xf8}), "load 8 at 0x3ff8");        // mov rax, [rbx-8]
  EXPECT_EQ(accesses_of({0x88, 0x03}), "store 1 at 0x4000");                   // mov [rbx], al
  EXPECT_EQ(accesses_of({0x83, 0x03, 0x01}), "load 4 at 0x4000, store 4 at 0x4000");  // add dword [rbx], 1
  EXPECT_EQ(accesses_of({0x8b, 0x05, 0x10, 0, 0, 0}), "load 4 at 0x400016");          // mov eax, [rip+0x10]
  EXPECT_EQ(accesses_of({0x64, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0}),
            "load 4 at 0x70000028");                                 // mov eax, fs:0x28
  EXPECT_EQ(accesses_of({0x0f, 0x29, 0x03}), "store 16 at 0x4000");  // movaps [rbx], xmm0
  EXPECT_EQ(accesses_of({0x48, 0x8d, 0x03}), "");                    // lea rax, [rbx]
  EXPECT_EQ(accesses_of({0x0f, 0x18, 0x0b}), "");                    // prefetcht0 [rbx]
}

TEST(Accesses, AddressesOf32Bits) {
  Registers before = registers();
  before.gpr[Rbx] = 0x1'0000'0000 + 0xffff'fff8;
  EXPECT_EQ(accesses_of({0x67, 0x8b, 0x43, 0x10}, before), "load 4 at 0x8");  // mov eax, [ebx+0x10]
}

TEST(Accesses, Stack) {
  EXPECT_EQ(accesses_of({0x50}), "store 8 at 0x4ff8");                                      // push rax
  EXPECT_EQ(accesses_of({0x66, 0x50}), "store 2 at 0x4ffe");                                // push ax
  EXPECT_EQ(accesses_of({0x58}), "load 8 at 0x5000");                                       // pop rax
  EXPECT_EQ(accesses_of({0xff, 0x33}), "load 8 at 0x4000, store 8 at 0x4ff8");              // push [rbx]
  EXPECT_EQ(accesses_of({0xff, 0x74, 0x24, 0x08}), "load 8 at 0x5008, store 8 at 0x4ff8");  // push [rsp+8]
  EXPECT_EQ(accesses_of({0x8f, 0x44, 0x24, 0x08}), "load 8 at 0x5000, store 8 at 0x5010");  // pop [rsp+8]
  EXPECT_EQ(accesses_of({0xe8, 0, 0, 0, 0}), "store 8 at 0x4ff8");                          // call
  EXPECT_EQ(accesses_of({0xff, 0x13}), "load 8 at 0x4000, store 8 at 0x4ff8");              // call [rbx]
  EXPECT_EQ(accesses_of({0xc3}), "load 8 at 0x5000");                                       // ret
  EXPECT_EQ(accesses_of({0xc9}), "load 8 at 0x6000");                                       // leave
  EXPECT_EQ(accesses_of({0x9c}), "store 8 at 0x4ff8");                                      // pushfq
}

TEST(Accesses, Strings) {
  EXPECT_EQ(accesses_of({0xa4}), "load 1 at 0x7000, store 1 at 0x8000");              // movsb
  EXPECT_EQ(accesses_of({0xf3, 0x48, 0xa5}), "load 8 at 0x7000, store 8 at 0x8000");  // rep movsq
  EXPECT_EQ(accesses_of({0xf3, 0xaa}), "store 1 at 0x8000");                          // rep stosb
  EXPECT_EQ(accesses_of({0xf3, 0xa6}), "load 1 at 0x7000, load 1 at 0x8000");         // repe cmpsb
  EXPECT_EQ(accesses_of({0xd7}), "load 1 at 0x4000");                                 // xlatb
}

TEST(Accesses, BitsBesideTheOperand) {
  Registers before = registers();
  before.gpr[Rcx] = 130;
  EXPECT_EQ(accesses_of({0x48, 0x0f, 0xa3, 0x0b}, before), "load 8 at 0x4010");  // bt [rbx], rcx
  before.gpr[Rcx] = ~std::uint64_t{0};
  EXPECT_EQ(accesses_of({0x0f, 0xab, 0x0b}, before),
            "load 4 at 0x3ffc, store 4 at 0x3ffc");                              // bts [rbx], ecx
  EXPECT_EQ(accesses_of({0x0f, 0xba, 0x23, 0x05}, before), "load 4 at 0x4000");  // bt [rbx], 5
}

}  // namespace
}  // namespace perfpact::x86
