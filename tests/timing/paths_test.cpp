// Cycles of the paths of an example network function: what they are made of, and in which order they must be.
#include <gtest/gtest.h>

#include <filesystem>

#include "explore/native/replay.h"
#include "packet/capture.h"
#include "timing/bound.h"
#include "timing/expected.h"

namespace perfpact::timing {
namespace {

class PathsTest : public ::testing::Test {
 protected:
  PathsTest() {
    const std::string capture =
        std::filesystem::temp_directory_path() / fmt::format("timing_test.{}.pcap", getpid());
    auto writer =
        packet::CaptureWriter::create(capture, packet::CaptureWriter::Precision::Microseconds, diagnostics_);
    writer->write(std::vector<std::uint8_t>(60), {});
    EXPECT_TRUE(writer->finish(diagnostics_));
    auto process = process::Process::start({.program = NETWORK_FUNCTIONS "firewall-gcc-O2",
                                            .arguments = {"--pcap", capture},
                                            .entry = "nf_process"},
                                           diagnostics_);
    std::filesystem::remove(capture);
    if (!process) return;
    process_.emplace(std::move(*process));
    options_.entry = explore::Entry::raw("nf_process");
    options_.keeps_accesses = true;
    explorer_.emplace(*process_, options_);
    explorer_->run([this](const explore::NativePath& path) { paths_.push_back(path); });
  }

  Machine machine(Level miss) {
    return {std::move(*Cpu::find("skylake", diagnostics_)), Latencies::defaults(), miss};
  }
  static std::int64_t number(const formula::Formula& formula) { return std::stoll(formula.to_string()); }
  std::vector<std::int64_t> bounds(Level miss) {
    const Machine one = machine(miss);
    BoundPricer pricer(*process_, *explorer_, one);
    std::vector<std::int64_t> cycles;
    for (const explore::NativePath& path : paths_) cycles.push_back(number(pricer.of(path)));
    return cycles;
  }

  SourceManager sources_;
  Diagnostics diagnostics_{sources_};
  std::optional<process::Process> process_;
  explore::NativeOptions options_;
  std::optional<explore::NativeExplorer> explorer_;
  std::vector<explore::NativePath> paths_;
};

TEST_F(PathsTest, EveryLoadAndStoreIsMet) {
  ASSERT_GT(paths_.size(), 3);
  for (const explore::NativePath& path : paths_) {
    explore::verify(*process_, *explorer_, path);
    EXPECT_EQ(path.accesses.size(), path.counts.loads + path.counts.stores);
    EXPECT_EQ(path.addresses.size(), path.accesses.size());
    for (std::size_t i = 0; i < path.accesses.size(); ++i) {
      EXPECT_LT(path.accesses[i].instruction, path.sites.size());
      EXPECT_NE(process_->mapping_of(path.addresses[i]), nullptr);
    }
  }
}

TEST_F(PathsTest, FartherMissesCostMoreAndNothingIsBelowWhatIsExpected) {
  const std::vector<std::int64_t> l2 = bounds(Level::L2), llc = bounds(Level::Llc),
                                  dram = bounds(Level::Dram);
  const Machine one = machine(Level::L2);
  ExpectedPricer expected(*process_, *explorer_, one);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    // Each misses the packet's line or the stack's at least, and no more lines than it has accesses.
    const auto accesses = static_cast<std::int64_t>(paths_[i].accesses.size());
    const std::int64_t misses = (llc[i] - l2[i]) / (70 - 15);
    EXPECT_GE(misses, 1);
    EXPECT_LE(misses, accesses);
    EXPECT_EQ(dram[i] - l2[i], misses * (300 - 15));
    EXPECT_GE(l2[i] - misses * (15 - 5), static_cast<std::int64_t>(paths_[i].counts.instructions));
    EXPECT_GE(l2[i], number(expected.of(paths_[i])));
    EXPECT_GE(number(expected.of(paths_[i])), 1);
  }
}

}  // namespace
}  // namespace perfpact::timing
