#include "timing/trace.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfpact::timing {
namespace {

using Bytes = std::vector<std::uint8_t>;

const Bytes kMultiply{0x48, 0x0f, 0xaf, 0xc0};         // imul rax, rax
const Bytes kRead{0x48, 0x8b, 0x00};                   // mov rax, [rax]
const Bytes kPush{0x41, 0x54};                         // push r12
const Bytes kPop{0x41, 0x5c};                          // pop r12
const Bytes kCrc{0xf2, 0x48, 0x0f, 0x38, 0xf1, 0xd2};  // crc32 rdx, rdx
const Bytes kMovsb{0xf3, 0xa4};                        // rep movsb

x86::Executed executed(const Bytes& bytes, std::uint64_t address, std::vector<x86::Access> accesses = {}) {
  x86::Executed one{.address = address,
                    .length = static_cast<std::uint32_t>(bytes.size()),
                    .accesses = std::move(accesses)};
  std::ranges::copy(bytes, one.bytes.begin());
  return one;
}

Machine machine(std::string_view cpu) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  auto found = Cpu::find(cpu, diagnostics);
  return {.cpu = std::move(*found), .memory = Latencies::defaults()};
}

TEST(Trace, ChainsTakeTheSumOfTheirLatencies) {
  const Machine skylake = machine("skylake");
  TracePricer pricer(skylake);
  EXPECT_EQ(pricer.next(std::vector(20, executed(kMultiply, 0x1000))), 60U);
  EXPECT_EQ(pricer.next({}), 0U);
}

// The first packet finds nothing in the caches, the second one what the first has fetched.
TEST(Trace, CachesStayAsPacketsLeaveThem) {
  const Machine skylake = machine("skylake");
  TracePricer pricer(skylake);
  const std::vector packet(1, executed(kRead, 0x1000, {{.address = 0x7000, .bytes = 8}}));
  EXPECT_EQ(pricer.next(packet), skylake.memory.at(Level::Dram).cycles);
  EXPECT_EQ(pricer.next(packet), skylake.memory.at(Level::L1).cycles);
}

// A processor moves the stack pointer without waiting for what is popped.
TEST(Trace, PushAndPopDoNotWaitForEachOther) {
  const Machine skylake = machine("skylake");
  TracePricer pricer(skylake);
  std::vector<x86::Executed> packet(20, executed(kPush, 0x1000));
  packet.insert(packet.end(), 20, executed(kPop, 0x1002));
  EXPECT_LE(pricer.next(packet), 30U);  // a store a cycle, two loads a cycle
}

TEST(Trace, FurtherIterationsAreALoadAndAStore) {
  const Machine skylake = machine("skylake");
  TracePricer pricer(skylake);
  std::vector<x86::Executed> packet(101, executed(kMovsb, 0x1000));
  for (std::size_t i = 1; i < packet.size(); ++i) packet[i].is_further_iteration = true;
  const auto cycles = pricer.next(packet).value_or(0);
  EXPECT_GE(cycles, 100U);
  EXPECT_LE(cycles, 200U);
}

TEST(Trace, WhatTheModelDoesNotKnowIsSaid) {
  const Machine atom = machine("atom");
  TracePricer pricer(atom);
  EXPECT_FALSE(pricer.unknown());
  EXPECT_EQ(pricer.next(std::vector(1, executed(kCrc, 0x1000))), std::nullopt);
  ASSERT_TRUE(pricer.unknown());
  EXPECT_EQ(pricer.unknown()->address, 0x1000U);
  EXPECT_NE(pricer.next(std::vector(1, executed(kMultiply, 0x2000))), std::nullopt);
}

}  // namespace
}  // namespace perfpact::timing
