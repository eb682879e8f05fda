// Functions whose whole input space is stepped: the paths found are exactly those that there are.
#include <map>

#include "native_oracle.h"
#include "native_program.h"

namespace perfpact::explore {
namespace {

using test::NativeInput;
using test::NativeOracle;

struct Enumerated {
  std::string_view function;
  std::uint32_t shortest = 4, longest = 4;
  std::uint64_t ports = 1;
  bool reads_packet = true;
};

void PrintTo(const Enumerated& one, std::ostream* out) {
  *out << one.function;
}

using EnumeratedBuild = std::tuple<std::string_view, Enumerated>;

class NativeEnumerationTest : public ::testing::TestWithParam<EnumeratedBuild> {
 protected:
  static NativeOptions options(const Enumerated& one) {
    NativeOptions options;
    options.entry.shortest = one.shortest;
    options.entry.longest = one.longest;
    options.entry.assumptions.push_back({"port", Assumption::Comparison::Less, one.ports, {}});
    return options;
  }

  // Of many inputs of a path, where time is short, some are stepped.
  void add_input(const NativeInput& input) {
    const std::optional<std::size_t> path = oracle.only_path(input);
    if (!path) return;
    if (inputs_of[*path]++ % stride == 0)
      oracle.expect_same(oracle.paths()[*path], input, oracle.step(input));
  }
  // State is a byte.
  void add_inputs_of_state(NativeInput input) {
    if (oracle.explorer().state().empty()) return add_input(input);
    ASSERT_EQ(oracle.explorer().state(), std::vector<std::string>{"counter"});
    const auto symbols = oracle.process().find_symbols("counter");
    ASSERT_EQ(symbols.size(), 1U);
    for (unsigned value = 0; value < 256; ++value) {
      input.state = {{"counter", symbols.front()->address, {static_cast<std::uint8_t>(value)}}};
      add_input(input);
    }
  }

  const bool is_slow =
      std::string_view(::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name())
          .starts_with("Slow");
  const std::size_t stride = is_slow ? 1 : 32;
  const Enumerated& one = std::get<Enumerated>(GetParam());
  NativeOracle oracle{
      {.program = test::program("enumerated", std::get<0>(GetParam())), .entry = std::string(one.function)},
      options(one)};
  std::map<std::size_t, std::size_t> inputs_of;  // by index of the path
};

TEST_P(NativeEnumerationTest, PathsAreThoseOfAllInputs) {
  EXPECT_TRUE(oracle.explorer().gaps().empty()) << oracle.explorer().gaps().front().reason;
  for (std::uint64_t port = 0; port < one.ports; ++port)
    for (std::uint64_t length = one.shortest; length <= one.longest; ++length)
      for (unsigned first = 0; first < (one.reads_packet ? 256 : 1) && !HasFailure(); ++first) {
        NativeInput input{.port = port, .length = length, .buffer = {static_cast<std::uint8_t>(first)}};
        input.buffer.resize(one.longest);
        add_inputs_of_state(input);
      }
  EXPECT_EQ(inputs_of.size(), oracle.paths().size()) << "paths that no input takes";
  EXPECT_GT(oracle.paths().size(), 1U);
}

constexpr auto kEnumerated = std::to_array<Enumerated>({
    {.function = "byte_branches", .shortest = 2, .longest = 5},
    {.function = "jump_table"},
    {.function = "options", .shortest = 1, .longest = 5},
    {.function = "look_up"},
    {.function = "scattered_writes"},
    {.function = "writes_into_packet"},
    {.function = "signs", .shortest = 2, .longest = 5},
    {.function = "division", .shortest = 3, .longest = 4},
    {.function = "strings"},
    {.function = "recursion"},
    {.function = "function_pointers"},
    {.function = "bits"},
    {.function = "loop_over_length", .shortest = 1, .longest = 6},
    {.function = "many_at_once"},
    {.function = "compares_memory"},
    {.function = "ports", .ports = 5},
    {.function = "out_of_bounds"},
    {.function = "chooses_memory"},
    {.function = "signed_index"},
    {.function = "overlapping_widths"},
    {.function = "variable_array"},
    {.function = "hashes"},
    {.function = "sparse_switch", .shortest = 4, .longest = 5},
    {.function = "copies"},
    {.function = "wide_loads"},
    {.function = "counts", .reads_packet = false},
});

INSTANTIATE_TEST_SUITE_P(Fast, NativeEnumerationTest,
                         ::testing::Combine(::testing::ValuesIn(test::kFastBuilds),
                                            ::testing::ValuesIn(kEnumerated)),
                         [](const auto& info) {
                           return test::name_of_build(std::get<1>(info.param).function,
                                                      std::get<0>(info.param));
                         });
INSTANTIATE_TEST_SUITE_P(Slow, NativeEnumerationTest,
                         ::testing::Combine(::testing::ValuesIn(test::kSlowBuilds),
                                            ::testing::ValuesIn(kEnumerated)),
                         [](const auto& info) {
                           return test::name_of_build(std::get<1>(info.param).function,
                                                      std::get<0>(info.param));
                         });

}  // namespace
}  // namespace perfpact::explore
