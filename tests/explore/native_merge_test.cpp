// States that meet at marked loop heads are merged: fewer paths, and the same counts, PCVs and verdicts for
// every packet, of all packets of few different bytes.
#include <map>
#include <set>

#include "native_oracle.h"
#include "native_program.h"

namespace perfpact::explore {
namespace {

using test::NativeInput;
using test::NativeOracle;

struct Marked {
  std::string_view function;
  std::uint32_t shortest = 4, longest = 4;
};

void PrintTo(const Marked& one, std::ostream* out) {
  *out << one.function;
}

constexpr std::size_t kChecked = 400;  // inputs
constexpr std::size_t kEvery = 8;      // of them are stepped

using MarkedBuild = std::tuple<std::string_view, Marked>;

/// What is the same of paths that are merged.
std::string key(const NativePath& path) {
  std::string text = fmt::format("{} instructions, {} loads, {} stores", path.counts.instructions,
                                 path.counts.loads, path.counts.stores);
  for (const NativePath::Pcv& pcv : path.pcvs) text += fmt::format(", {}: {}", pcv.name, pcv.value);
  return text;
}

std::set<std::string> keys(const NativeOracle& oracle) {
  std::set<std::string> all;
  for (const NativePath& path : oracle.paths()) all.insert(key(path));
  return all;
}

class NativeMergeTest : public ::testing::TestWithParam<MarkedBuild> {
 protected:
  static NativeOptions options(const Marked& one, bool merges) {
    NativeOptions options;
    options.entry.shortest = one.shortest;
    options.entry.longest = one.longest;
    options.merges = merges;
    return options;
  }
  process::Launch launch() const {
    return {.program = test::program("marked", std::get<0>(GetParam())),
            .arguments = {},
            .entry = std::string(one.function)};
  }
  /// All packets whose bytes are of these, at every length.
  std::vector<NativeInput> inputs() const {
    constexpr std::array<std::uint8_t, 5> kBytes{0, 1, 2, 3, 200};
    std::vector<NativeInput> result;
    for (std::uint64_t length = one.shortest; length <= one.longest; ++length) {
      std::size_t count = 1;
      for (std::size_t i = 0; i < one.longest; ++i) count *= kBytes.size();
      for (std::size_t number = 0; number < count; ++number) {
        NativeInput& input = result.emplace_back(NativeInput{.length = length});
        for (std::size_t i = 0, rest = number; i < one.longest; ++i, rest /= kBytes.size())
          input.buffer.push_back(kBytes[rest % kBytes.size()]);
      }
    }
    return result;
  }

  const Marked& one = std::get<Marked>(GetParam());
  const NativeOracle merged{launch(), options(one, true)};
  const NativeOracle unmerged{launch(), options(one, false)};
};

TEST_P(NativeMergeTest, MergedPathsAreThoseOfAllInputs) {
  EXPECT_EQ(merged.gaps(), std::vector<std::string>());
  EXPECT_EQ(unmerged.gaps(), std::vector<std::string>());
  EXPECT_EQ(keys(merged), keys(unmerged));
  EXPECT_LE(merged.paths().size(), unmerged.paths().size());
  Integer ways;
  for (const NativePath& path : merged.paths()) ways += path.ways;
  EXPECT_GE(ways, unmerged.paths().size());
  const std::vector<NativeInput> all = inputs();
  const std::size_t stride = std::max<std::size_t>(1, all.size() / kChecked);
  for (std::size_t i = 0; i < all.size() && !HasFailure(); i += stride) {
    const auto path = merged.only_path(all[i]);
    const auto apart = unmerged.only_path(all[i]);
    ASSERT_TRUE(path && apart) << all[i].to_string();
    EXPECT_EQ(key(merged.paths()[*path]), key(unmerged.paths()[*apart])) << all[i].to_string();
    if (i / stride % kEvery == 0) merged.expect_same(merged.paths()[*path], all[i], merged.step(all[i]));
  }
}

TEST_P(NativeMergeTest, WitnessesTakeTheirPaths) {
  EXPECT_GE(merged.expect_all_true(3), merged.paths().size());
  for (const NativePath& path : merged.paths())
    EXPECT_TRUE(merged.takes(path, NativeInput::of(path, merged.options().entry)));
}

constexpr auto kMarked = std::to_array<Marked>({
    {.function = "walks_options", .shortest = 1, .longest = 5},
    {.function = "writes_behind"},
    {.function = "sums", .shortest = 1, .longest = 4},
    {.function = "counts_only", .shortest = 1, .longest = 4},
    {.function = "nested"},
    {.function = "two_callers"},
    {.function = "moves_marks"},
});

INSTANTIATE_TEST_SUITE_P(Fast, NativeMergeTest,
                         ::testing::Combine(::testing::ValuesIn(test::kFastBuilds),
                                            ::testing::ValuesIn(kMarked)),
                         [](const auto& info) {
                           return test::name_of_build(std::get<1>(info.param).function,
                                                      std::get<0>(info.param));
                         });
INSTANTIATE_TEST_SUITE_P(Slow, NativeMergeTest,
                         ::testing::Combine(::testing::ValuesIn(test::kSlowBuilds),
                                            ::testing::ValuesIn(kMarked)),
                         [](const auto& info) {
                           return test::name_of_build(std::get<1>(info.param).function,
                                                      std::get<0>(info.param));
                         });

// What a merge is for: the number of paths does not double with each round.
TEST(NativeMerge, PathsGrowWithCountsOnly) {
  const auto paths = [](std::uint32_t length) {
    NativeOptions options;
    options.entry.shortest = options.entry.longest = length;
    options.merges = true;
    return NativeOracle(
               {.program = test::program("marked", "gcc-O2"), .arguments = {}, .entry = "walks_options"},
               options)
        .paths()
        .size();
  };
  EXPECT_LT(paths(16), 5 * paths(8));  // about with the square
}

}  // namespace
}  // namespace perfpact::explore
