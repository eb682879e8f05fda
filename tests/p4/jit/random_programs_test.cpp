// Both engines on random programs and packets: same traces, same state.
#include <gtest/gtest.h>

#include "p4/core/verify.h"
#include "p4/jit/comparing.h"
#include "tests/p4/jit/random_program.h"

namespace perfpact::p4::core {
namespace {

constexpr std::uint32_t kPrograms = 500;
constexpr int kPackets = 12;
constexpr int kParts = 4;  // so that ctest shows where it is

class RandomPrograms : public testing::TestWithParam<int> {};

void compare_state(const Program& program, const Engine& interpreter, const Engine& jit) {
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const auto id = static_cast<ObjectId>(i);
    const Object& object = program.objects[i];
    for (std::uint64_t cell = 0; cell < std::min<std::uint64_t>(object.size, 8); ++cell) {
      if (object.kind == ObjectKind::Register) {
        EXPECT_EQ(interpreter.register_cell(id, cell), jit.register_cell(id, cell)) << object.name << cell;
      } else if (object.kind == ObjectKind::Counter) {
        EXPECT_EQ(interpreter.counter_cell(id, cell), jit.counter_cell(id, cell)) << object.name << cell;
      }
    }
  }
}

// What counting gives is what the traces have.
void expect_counts(const Program& program, const std::vector<program::Trace>& traces,
                   const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> expected(program.sites.size());
  for (const program::Trace& trace : traces)
    for (const program::Event& event : trace.events) ++expected[event.site - program.sites.data()];
  EXPECT_EQ(counts, expected);
}

TEST_P(RandomPrograms, EnginesAgree) {
  std::uint32_t done = 0;
  for (auto seed = static_cast<std::uint32_t>(GetParam()); done < kPrograms / kParts; seed += kParts) {
    RandomProgram random(seed);
    verify(random.program());
    SourceManager sources;
    Diagnostics diagnostics(sources);
    tables::TableSet tables = random.tables();
    if (!tables.finish(diagnostics)) continue;  // entries that are the same by chance
    const ExecutionLimits limits{6, 50};
    Interpreter interpreter(random.program(), tables, limits);
    Jit jit(random.program(), sources, tables, limits);
    std::vector<program::InputPacket> packets;
    std::vector<program::Trace> traces;
    for (int i = 0; i < kPackets; ++i) {
      packets.push_back(random.packet());
      traces.push_back(interpreter.run(packets.back()));
      ASSERT_EQ(difference(traces.back(), jit.run(packets.back())), "")
          << "seed " << seed << ", packet " << i;
    }
    compare_state(random.program(), interpreter, jit);
    jit.reset();
    std::vector<std::uint64_t> counts;
    jit.count(packets, counts);
    expect_counts(random.program(), traces, counts);
    ++done;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, kParts));

}  // namespace
}  // namespace perfpact::p4::core
