#include "x86/decode.h"

#include <gtest/gtest.h>

#include <vector>

namespace perfpact::x86 {
namespace {

struct Case {
  std::vector<std::uint8_t> bytes;
  const char* text;
  std::uint32_t loads, stores;
};

TEST(DecodeTest, CountsMemoryOperands) {
  const std::vector<Case> cases{
      {{0x48, 0x8b, 0x43, 0x10}, "mov rax, [rbx+0x10]", 1, 0},
      {{0x48, 0x01, 0x03}, "add [rbx], rax", 1, 1},
      {{0x48, 0x39, 0x03}, "cmp [rbx], rax", 1, 0},
      {{0x48, 0x8d, 0x43, 0x10}, "lea rax, [rbx+0x10]", 0, 0},
      {{0x53}, "push rbx", 0, 1},
      {{0xff, 0x33}, "push [rbx]", 1, 1},
      {{0x5b}, "pop rbx", 1, 0},
      {{0xe8, 0, 0, 0, 0}, "call 0x0000000000001005", 0, 1},
      {{0xff, 0x13}, "call [rbx]", 1, 1},
      {{0xc3}, "ret", 1, 0},
      {{0xc9}, "leave", 1, 0},
      {{0xa4}, "movsb", 1, 1},
      {{0xf3, 0x48, 0xa5}, "rep movsq", 1, 1},
      {{0xf3, 0xaa}, "rep stosb", 0, 1},
      {{0xf3, 0xa6}, "repe cmpsb", 2, 0},
      {{0xf2, 0xae}, "repne scasb", 1, 0},
      {{0x48, 0x87, 0x03}, "xchg [rbx], rax", 1, 1},
      {{0x48, 0x0f, 0x44, 0x03}, "cmovz rax, [rbx]", 1, 0},
      {{0xf0, 0x48, 0x0f, 0xb1, 0x0b}, "lock cmpxchg [rbx], rcx", 1, 1},
      {{0x0f, 0x18, 0x0b}, "prefetcht0 [rbx]", 0, 0},
      {{0x0f, 0x1f, 0x44, 0x00, 0x00}, "nop [rax+rax*1], eax", 0, 0},
      {{0xf3, 0x0f, 0x6f, 0x03}, "movdqu xmm0, [rbx]", 1, 0},
      {{0x66, 0x0f, 0xef, 0x03}, "pxor xmm0, [rbx]", 1, 0},
      {{0xf3, 0x0f, 0x1e, 0xfa}, "endbr64", 0, 0},
      {{0x0f, 0x94, 0x03}, "setz [rbx]", 0, 1},
  };
  for (const Case& c : cases) {
    const std::optional<Instruction> instruction = decode(c.bytes, 0x1000);
    ASSERT_TRUE(instruction) << c.text;
    SCOPED_TRACE(c.text);
    EXPECT_EQ(instruction->loads, c.loads);
    EXPECT_EQ(instruction->stores, c.stores);
    EXPECT_EQ(instruction->next(), 0x1000 + c.bytes.size());
    EXPECT_EQ(to_string(*instruction), c.text);
  }
}

TEST(DecodeTest, TellsRepetition) {
  const std::vector<std::uint8_t> rep{0xf3, 0xa4}, single{0xa4}, ret{0xf3, 0xc3};
  EXPECT_TRUE(decode(rep, 0)->repeats());
  EXPECT_EQ(mnemonic(*decode(rep, 0)), "rep movsb");
  EXPECT_FALSE(decode(single, 0)->repeats());
  EXPECT_FALSE(decode(ret, 0)->repeats());
}

TEST(DecodeTest, WhatIsNoInstruction) {
  const std::vector<std::uint8_t> invalid{0x06}, cut{0x48, 0x8b};
  EXPECT_FALSE(decode(invalid, 0));
  EXPECT_FALSE(decode(cut, 0));
  EXPECT_FALSE(decode({}, 0));
}

}  // namespace
}  // namespace perfpact::x86
