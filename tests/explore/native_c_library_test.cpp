// Functions of the C library that are cut out. What the program does with the real ones is stepped too.
#include <random>
#include <set>

#include "explore/native/replay.h"
#include "native_oracle.h"
#include "native_program.h"
#include "smt/infix.h"

namespace perfpact::explore {
namespace {

using test::NativeOracle;
using Names = std::vector<std::string>;

class NativeCLibraryTest : public ::testing::TestWithParam<std::string_view> {
 protected:
  NativeOracle explored(std::string function) {
    NativeOptions options;
    options.entry.shortest = 4;
    options.entry.longest = 6;
    options.opens_state = false;
    options.packs.push_back(library::Pack::c_library(diagnostics_));
    return NativeOracle({.program = test::program("c_library", GetParam()), .entry = std::move(function)},
                        std::move(options));
  }
  // The results of all paths; each path's packets give its result in the real program, nothing cut out.
  std::set<std::uint32_t> results(const std::string& function) {
    const NativeOracle oracle = explored(function);
    EXPECT_EQ(oracle.gaps(), Names()) << function;
    std::set<std::uint32_t> all;
    std::mt19937 random(1);
    for (const NativePath& path : oracle.paths()) {
      EXPECT_FALSE(path.calls.empty()) << function;
      all.insert(path.result);
      for (const test::NativeInput& input : oracle.mutations(path, 20, random)) {
        const process::Run run = oracle.step(input);
        EXPECT_EQ(run.ending, process::Run::Ending::Returned);
        EXPECT_EQ(static_cast<std::uint32_t>(run.registers.gpr[x86::Rax]), path.result)
            << function << input.to_string();
      }
    }
    return all;
  }
  // The values of PCV n of the paths' last calls, as formulas.
  static std::set<std::string> counts(const NativeOracle& oracle) {
    std::set<std::string> all;
    for (const NativePath& path : oracle.paths()) all.insert(smt::to_infix(path.calls.back().pcvs.front()));
    return all;
  }

  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
};

using Results = std::set<std::uint32_t>;

TEST_P(NativeCLibraryTest, Copies) {
  EXPECT_EQ(results("copies"), (Results{1, 2}));
  EXPECT_EQ(results("copies_as_many_as_there_are"), (Results{1, 2, 3}));
  EXPECT_EQ(results("copies_as_many_as_it_says"), (Results{1, 2}));
  EXPECT_EQ(results("moves"), (Results{1, 2}));
}

TEST_P(NativeCLibraryTest, ACountThatIsNotKnownStaysAFormula) {
  EXPECT_EQ(counts(explored("copies_as_many_as_there_are")), std::set<std::string>{"length"});
  EXPECT_EQ(counts(explored("copies")), std::set<std::string>{"4"});
}

TEST_P(NativeCLibraryTest, Fills) {
  EXPECT_EQ(results("fills"), (Results{1, 2, 3}));
}

TEST_P(NativeCLibraryTest, Compares) {
  EXPECT_EQ(results("compares"), (Results{1, 2, 3}));
  EXPECT_EQ(results("compares_as_many_as_it_says"), (Results{1, 2, 3}));
}

TEST_P(NativeCLibraryTest, Strings) {
  EXPECT_EQ(results("compares_strings"), (Results{1, 2, 3}));
  EXPECT_EQ(results("compares_strings_in_part"), (Results{1, 2, 3}));
  EXPECT_EQ(results("measures"), (Results{1, 2, 3}));
  EXPECT_EQ(results("measures_in_part"), (Results{1, 2}));
}

// What they give cannot be had from the real ones: replays force it.
TEST_P(NativeCLibraryTest, WhatOtherFunctionsGiveIsForced) {
  for (const auto& [function, expected] : {std::pair("allocates", Results{1, 2, 3}),
                                           {"prints", Results{1, 2}},
                                           {"asks_for_the_time", Results{1, 2}}}) {
    const NativeOracle oracle = explored(function);
    EXPECT_EQ(oracle.gaps(), Names());
    Results all;
    for (const NativePath& path : oracle.paths()) {
      verify(oracle.process(), oracle.explorer(), path);
      all.insert(path.result);
    }
    EXPECT_EQ(all, expected) << function;
  }
}

TEST_P(NativeCLibraryTest, WhereThereIsNoMemoryIsAGap) {
  const NativeOracle copies = explored("copies_from_nowhere");
  EXPECT_EQ(copies.gaps(), (Names{"'memcpy' is called for more bytes than there are: 0",
                                  "'memcpy' is called for more bytes than there are: 0"}));
  const NativeOracle measures = explored("measures_without_end");
  EXPECT_EQ(measures.gaps(), Names{"the string that 'strlen' is called for does not end within 4096 bytes"});
}

INSTANTIATE_TEST_SUITE_P(Fast, NativeCLibraryTest, ::testing::ValuesIn(test::kFastBuilds), test::build_name);
INSTANTIATE_TEST_SUITE_P(Slow, NativeCLibraryTest, ::testing::ValuesIn(test::kFewSlowBuilds),
                         test::build_name);

}  // namespace
}  // namespace perfpact::explore
