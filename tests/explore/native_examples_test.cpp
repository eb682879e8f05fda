// The example network functions: of every path, packets that are made from its witness go its way.
#include <filesystem>

#include "../packet/reported.h"
#include "native_oracle.h"
#include "native_program.h"
#include "packet/capture.h"

namespace perfpact::explore {
namespace {

using test::NativeOracle;

constexpr std::size_t kPacketsOfAPath = 100;
constexpr std::size_t kMostPaths = 200;  // that are all stepped
constexpr std::size_t kSomePaths = 40;   // of more

struct Example {
  std::string_view name;
  std::vector<std::string> arguments;
  bool is_whole = true;  // all paths are found in the time
};

void PrintTo(const Example& one, std::ostream* out) {
  *out << one.name;
}

using ExampleBuild = std::tuple<Example, std::string_view>;

class NativeExamplesTest : public ::testing::TestWithParam<ExampleBuild> {
 protected:
  // What the program is started with: one packet, and its tables.
  std::vector<std::string> arguments() const {
    std::vector<std::string> result = std::get<Example>(GetParam()).arguments;
    for (std::string& argument : result)
      if (argument == "ROUTES") argument = folder.write("routes", "10.0.0.0/8 1\n10.1.0.0/16 2\n");
    const std::string capture = folder.path("one.pcap");
    SourceManager sources;
    Diagnostics diagnostics(sources);
    auto writer =
        packet::CaptureWriter::create(capture, packet::CaptureWriter::Precision::Microseconds, diagnostics);
    EXPECT_TRUE(writer);
    writer->write(std::vector<std::uint8_t>(60), {});
    EXPECT_TRUE(writer->finish(diagnostics));
    result.insert(result.end(), {"--pcap", capture});
    return result;
  }

  perfpact::test::Folder folder;
};

TEST_P(NativeExamplesTest, PacketsOfAPathGoItsWay) {
  const auto& [example, build] = GetParam();
  const std::string program = fmt::format("{}{}-{}", NETWORK_FUNCTIONS, example.name, build);
  if (!std::filesystem::exists(program)) GTEST_SKIP() << program << " is not built";
  NativeOptions options;
  options.entry.longest = 64;
  options.limits.time = std::chrono::seconds(20);
  options.limits.paths = 2000;
  const NativeOracle oracle({.program = program, .arguments = arguments(), .entry = "nf_process"}, options);
  if (example.is_whole) {
    EXPECT_EQ(oracle.gaps(), std::vector<std::string>());
  }
  const std::size_t paths = oracle.paths().size();
  const std::size_t stride = paths <= kMostPaths ? 1 : paths / kSomePaths;
  const std::size_t stepped = oracle.expect_all_true(kPacketsOfAPath, stride);
  EXPECT_GE(stepped, (paths + stride - 1) / stride * kPacketsOfAPath / 2) << "mutations are hard to find";
  RecordProperty("paths", static_cast<int>(paths));
  RecordProperty("stepped", static_cast<int>(stepped));
  fmt::print("{} paths, {} packets stepped\n", paths, stepped);
}

const std::array<Example, 6> kExamples{{
    {"firewall", {}},
    {"counter", {}},
    {"parser", {}},
    {"flush", {"--flush-after", "16"}, false},
    {"static_router", {"--route", "10.0.0.0/8=1", "--address", "10.0.0.1"}, false},
    {"lpm_router", {"--routes", "ROUTES"}, false},
}};

INSTANTIATE_TEST_SUITE_P(Fast, NativeExamplesTest,
                         ::testing::Combine(::testing::Values(kExamples[0]), ::testing::Values("gcc-O2")),
                         [](const auto& info) {
                           return test::name_of_build(std::get<0>(info.param).name, std::get<1>(info.param));
                         });
INSTANTIATE_TEST_SUITE_P(Slow, NativeExamplesTest,
                         ::testing::Combine(::testing::ValuesIn(kExamples),
                                            ::testing::Values("gcc-O2", "gcc-O3", "clang-O2", "clang-O3")),
                         [](const auto& info) {
                           return test::name_of_build(std::get<0>(info.param).name, std::get<1>(info.param));
                         });

}  // namespace
}  // namespace perfpact::explore
