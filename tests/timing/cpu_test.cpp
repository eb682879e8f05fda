// Latencies of single instructions, and cycles of sequences whose time is known from their dependences.
#include <gtest/gtest.h>

#include "timing/cpu.h"
#include "timing/diagnostics.h"
#include "timing/pipeline.h"

namespace perfpact::timing {
namespace {

using Bytes = std::vector<std::uint8_t>;

const Bytes kImul{0x48, 0x0f, 0xaf, 0xc0};  // imul rax, rax
const Bytes kAdd{0x48, 0x01, 0xd8};         // add rax, rbx
const Bytes kLoad{0x48, 0x8b, 0x00};        // mov rax, [rax]
const Bytes kLoadOther{0x48, 0x8b, 0x0b};   // mov rcx, [rbx]
const Bytes kStore{0x48, 0x89, 0x03};       // mov [rbx], rax
const Bytes kNop{0x90};
const Bytes kEndbr{0xf3, 0x0f, 0x1e, 0xfa};
const Bytes kRet{0xc3};
const Bytes kCall{0xe8, 0, 0, 0, 0};
const Bytes kCallRegister{0xff, 0xd0};  // call rax
const Bytes kNone{0x06};                // push es: no instruction of 64 bits

struct Found {
  SourceManager sources;
  Diagnostics diagnostics{sources};
  std::optional<Cpu> cpu;
  explicit Found(std::string_view name) {
    if (auto found = Cpu::find(name, diagnostics)) cpu.emplace(std::move(*found));
  }
};

TEST(Cpu, LatenciesAreThoseOfTheSchedulingModel) {
  const Found skylake("skylake");
  ASSERT_TRUE(skylake.cpu);
  const Cpu& cpu = *skylake.cpu;
  EXPECT_EQ(cpu.name(), "skylake");
  EXPECT_EQ(cpu.load_latency(), 5);
  EXPECT_EQ(cpu.latency(kImul, 0x1000), 3);
  EXPECT_EQ(cpu.latency(kAdd, 0x1000), 1);
  EXPECT_EQ(cpu.latency(kLoad, 0x1000), 5);
  EXPECT_EQ(cpu.latency(kStore, 0x1000), 1);
  EXPECT_EQ(cpu.latency(kRet, 0x1000), 7);
}

TEST(Cpu, WhatLoadsTakesAsLongAsALoad) {
  const Bytes leave{0xc9};
  for (const char* name : {"x86-64", "znver4", "skylake"}) {
    const Found found(name);
    for (const Bytes& bytes : {leave, kRet, kLoad})
      EXPECT_GE(found.cpu->latency(bytes, 0x1000), found.cpu->load_latency()) << name;
  }
}

TEST(Cpu, NothingIsFreeInASum) {
  const Found skylake("skylake");
  EXPECT_EQ(skylake.cpu->latency(kNop, 0x1000), 1);
  EXPECT_EQ(skylake.cpu->latency(kEndbr, 0x1000), 1);
}

TEST(Cpu, WhatTheProcessorDoesNotHaveHasNoLatency) {
  const Bytes wide{0x62, 0xf1, 0x75, 0x48, 0xfe, 0xd0};  // vpaddd zmm2, zmm1, zmm0
  const Found skylake("skylake"), znver4("znver4");
  EXPECT_FALSE(skylake.cpu->latency(wide, 0x1000));
  EXPECT_FALSE(Pipeline(*skylake.cpu).add(wide, 0x1000));
  EXPECT_EQ(znver4.cpu->latency(wide, 0x1000), 1);
  EXPECT_TRUE(Pipeline(*znver4.cpu).add(wide, 0x1000));
}

TEST(Cpu, WhatIsNoInstructionHasNoLatency) {
  const Found skylake("skylake");
  EXPECT_FALSE(skylake.cpu->latency(kNone, 0x1000));
  EXPECT_FALSE(skylake.cpu->latency({}, 0x1000));
  EXPECT_FALSE(Pipeline(*skylake.cpu).add(kNone, 0x1000));
}

TEST(Cpu, TheMachinesOwnIsTaken) {
  const Found own("");
  ASSERT_TRUE(own.cpu) << own.diagnostics.render();
  EXPECT_EQ(own.cpu->name(), host_cpu());
}

TEST(Cpu, AWrongNameIsReportedWithTheRightOne) {
  const Found wrong("skylke");
  EXPECT_FALSE(wrong.cpu);
  ASSERT_EQ(wrong.diagnostics.all().size(), 1);
  EXPECT_EQ(wrong.diagnostics.all().front().kind->id, diag::kUnknownCpu.id);
  EXPECT_NE(wrong.diagnostics.render().find("did you mean 'skylake'"), std::string::npos);
}

TEST(Cpu, ProcessorsWithoutAModelAreReported) {
  const Found without("i386");
  EXPECT_FALSE(without.cpu);
  ASSERT_EQ(without.diagnostics.all().size(), 1);
  EXPECT_EQ(without.diagnostics.all().front().kind->id, diag::kCpuWithoutModel.id);
}

// Cycles of one run of so many copies of an instruction.
std::uint64_t cycles(const Bytes& instruction, std::size_t copies, std::uint32_t wait = 0) {
  const Found skylake("skylake");
  Pipeline pipeline(*skylake.cpu);
  const auto number = pipeline.add(instruction, 0x1000);
  return pipeline.cycles(std::vector<Pipeline::Executed>(copies, {number.value(), wait}));
}

TEST(Pipeline, AChainTakesTheSumOfItsLatencies) {
  EXPECT_EQ(cycles(kImul, 100), 300);
  EXPECT_EQ(cycles(kAdd, 100), 100);
  EXPECT_EQ(cycles(kLoad, 100), 500);
}

TEST(Pipeline, IndependentInstructionsOverlap) {
  EXPECT_EQ(cycles(kLoadOther, 100), 50);  // two loads a cycle
  EXPECT_EQ(cycles(kNop, 100), 17);        // six instructions a cycle
}

TEST(Pipeline, LoadsWaitForTheirLines) {
  EXPECT_EQ(cycles(kLoad, 100, 65), 100 * (5 + 65));
  // Independent ones wait together: as many as the buffers hold.
  EXPECT_EQ(cycles(kLoadOther, 100, 65), 50);
  EXPECT_GT(cycles(kLoadOther, 400, 650), 650);
  EXPECT_LT(cycles(kLoadOther, 400, 650), 400 * 650 / 100);
  EXPECT_EQ(cycles(kAdd, 100, 65), 100);  // which loads nothing
}

TEST(Pipeline, CallsAndReturnsAreWhatTheyDo) {
  for (const Bytes& call : {kCall, kCallRegister}) {
    EXPECT_GE(cycles(call, 100), 100);
    EXPECT_LE(cycles(call, 100), 300);
  }
  EXPECT_LE(cycles(kRet, 100), 200);
}

TEST(Pipeline, NothingTakesNoTime) {
  const Found skylake("skylake");
  EXPECT_EQ(Pipeline(*skylake.cpu).cycles({}), 0);
}

}  // namespace
}  // namespace perfpact::timing
