// Memory latencies: files, and measuring on this machine.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "timing/diagnostics.h"
#include "timing/measure.h"

namespace perfpact::timing {
namespace {

struct Read {
  SourceManager sources;
  Diagnostics diagnostics{sources};
  std::optional<Latencies> latencies;

  explicit Read(const std::string& text) {
    const std::string path =
        std::filesystem::temp_directory_path() / ("latencies-" + std::to_string(getpid()) + ".yaml");
    std::ofstream(path) << text;
    if (auto read = Latencies::load(path, diagnostics)) latencies = std::move(*read);
    std::filesystem::remove(path);
  }
  [[nodiscard]] std::string_view fault() const {
    return diagnostics.all().empty() ? "" : diagnostics.all().front().kind->id;
  }
};

std::string file(const std::string& levels) {
  return "schema: perfpact.memory/1\nlevels:\n" + levels;
}
const std::string kL1Level = "  - {name: l1, bytes: 49152, ways: 12, line: 64, cycles: 4}\n";
const std::string kL2 = "  - {name: l2, bytes: 1048576, ways: 16, line: 64, cycles: 14}\n";
const std::string kLlc = "  - {name: llc, bytes: 33554432, ways: 16, line: 64, cycles: 50}\n";
const std::string kDram = "  - {name: dram, cycles: 400}\n";

TEST(Latencies, AreReadFromAFile) {
  const Read read(file(kL1Level + kL2 + kLlc + kDram));
  ASSERT_TRUE(read.latencies) << read.diagnostics.render();
  EXPECT_EQ(read.latencies->at(Level::L1).cache.ways, 12);
  EXPECT_EQ(read.latencies->at(Level::L1).cache.sets(), 64);
  EXPECT_EQ(read.latencies->beyond_l1(Level::L1), 0);
  EXPECT_EQ(read.latencies->beyond_l1(Level::Llc), 46);
  EXPECT_EQ(read.latencies->beyond_l1(Level::Dram), 396);
}

TEST(Latencies, DefaultsAreThoseOfTheConservativeModel) {
  const Latencies defaults = Latencies::defaults();
  EXPECT_EQ(defaults.at(Level::L1).cache.bytes, 32 << 10);
  EXPECT_EQ(defaults.at(Level::L1).cache.ways, 8);
  EXPECT_EQ(to_string(defaults), "l1 5, l2 15, llc 70, dram 300 cycles (defaults)");
}

TEST(Latencies, WrongFilesAreReported) {
  EXPECT_EQ(Read(file(kL1Level + kLlc + kL2 + kDram)).fault(), diag::kMemoryLevels.id);
  EXPECT_EQ(Read(file(kL1Level + kL2 + kLlc)).fault(), diag::kMemoryLevels.id);
  EXPECT_EQ(Read(file(kL1Level + kL2 + kLlc + kDram + kDram)).fault(), diag::kMemoryLevels.id);
  EXPECT_EQ(
      Read(file("  - {name: l1, bytes: 1000, ways: 12, line: 64, cycles: 4}\n" + kL2 + kLlc + kDram)).fault(),
      diag::kMemoryGeometry.id);
  EXPECT_EQ(
      Read(file("  - {name: l1, bytes: 512, ways: 8, line: 64, cycles: 4}\n" + kL2 + kLlc + kDram)).fault(),
      diag::kMemoryGeometry.id);
  EXPECT_EQ(Read(file(kL1Level + kL2 + kLlc + "  - {name: dram, cycles: 49}\n")).fault(),
            diag::kMemoryOrder.id);
  EXPECT_EQ(Read(file(kL1Level + kL2 + kLlc + "  - {name: dram, cycle: 49}\n")).fault(), "yaml-missing-key");
  EXPECT_EQ(Read("schema: perfpact.memory/2\nlevels: []\n").fault(), "yaml-schema");
}

TEST(Measure, WhatIsMeasuredIsReadBack) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto measured = measure_memory(diagnostics);
  ASSERT_TRUE(measured) << diagnostics.render();
  EXPECT_GT(measured->tsc_per_cycle, 0.1);
  EXPECT_LT(measured->tsc_per_cycle, 10);
  EXPECT_GE(measured->latencies.at(Level::L1).cycles, 3);
  EXPECT_GT(measured->points.back().cycles, 2 * measured->points.front().cycles);
  const Read read(to_yaml(*measured, "skylake"));
  ASSERT_TRUE(read.latencies) << read.diagnostics.render();
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    EXPECT_EQ(read.latencies->levels[i].cycles, measured->latencies.levels[i].cycles);
    EXPECT_EQ(read.latencies->levels[i].cache.bytes, measured->latencies.levels[i].cache.bytes);
    EXPECT_EQ(read.latencies->levels[i].cache.ways, measured->latencies.levels[i].cache.ways);
  }
}

TEST(Measure, MemoryThatIsMissingIsReported) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit little{.rlim_cur = 1, .rlim_max = before.rlim_max};
  SourceManager sources;
  Diagnostics diagnostics(sources);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  const auto measured = measure_memory(diagnostics);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_FALSE(measured);
  EXPECT_EQ(diagnostics.all().front().kind->id, diag::kMeasureMemory.id);
}

}  // namespace
}  // namespace perfpact::timing
