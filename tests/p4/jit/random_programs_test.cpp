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

TEST_P(RandomPrograms, EnginesAgree) {
  for (auto seed = static_cast<std::uint32_t>(GetParam()); seed < kPrograms; seed += kParts) {
    RandomProgram random(seed);
    verify(random.program());
    SourceManager sources;
    Diagnostics diagnostics(sources);
    tables::TableSet tables = random.tables();
    if (!tables.finish(diagnostics)) continue;  // entries that are the same by chance
    const ExecutionLimits limits{6, 50};
    Interpreter interpreter(random.program(), tables, limits);
    Jit jit(random.program(), sources, tables, limits);
    for (int i = 0; i < kPackets; ++i) {
      const program::InputPacket packet = random.packet();
      ASSERT_EQ(difference(interpreter.run(packet), jit.run(packet)), "")
          << "seed " << seed << ", packet " << i;
    }
    compare_state(random.program(), interpreter, jit);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, kParts));

}  // namespace
}  // namespace perfpact::p4::core
