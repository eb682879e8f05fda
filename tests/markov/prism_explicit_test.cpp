#include "markov/prism_explicit.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "markov/diagnostics.h"
#include "markov/made_workload.h"

namespace perfpact::markov {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class PrismExplicit : public testing::Test {
 protected:
  PrismExplicit() {
    fs::remove_all(directory_);
    const auto* start = made_.site(program::EventKind::Start, 1, "normal");
    const auto* table = made_.site(program::EventKind::TableApply, 2, "t", "ternary");
    made_.add_row("hits", Rational(1, 3));
    made_.add_row("misses", Rational(2, 3));
    made_.add_case({{start, {}}, {table, {10, 48, 1, 5, 0}}}, program::Sent{1}, {{0, Rational(1)}});
    made_.add_case({{start, {}}, {table, {10, 48, 0, 10, 0}}}, program::Dropped{}, {{1, Rational(1)}});
    made_.finish();
    model_ = made::model("cycles", made::kCycles, made_.diagnostics);
    predictions_.push_back(made_.price(model_));
  }
  ~PrismExplicit() override { fs::remove_all(directory_); }

  [[nodiscard]] Chain chain() const { return Chain::build(made_.cases, made_.workload, predictions_); }
  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> out;
    for (const ExportedFile& file : prism_files(chain(), made_.sources, "made.p4"))
      out[file.name] = file.text;
    return out;
  }
  [[nodiscard]] bool reported(const DiagnosticKind& kind) const {
    return std::ranges::any_of(made_.diagnostics.all(), [&](const Diagnostic& d) { return d.kind == &kind; });
  }

  const fs::path directory_ = fs::path(testing::TempDir()) / "prism-export";
  made::Workload made_;
  cost::CostModel model_;
  std::vector<cost::Prediction> predictions_;
};

TEST_F(PrismExplicit, WritesTheChainInPrismsFormats) {
  const auto text = files();
  // begin, start, hit, sent, miss, dropped, done
  EXPECT_EQ(text.at("exact/model.tra"), "7 8\n0 1 1\n1 2 1/3\n1 4 2/3\n2 3 1\n3 6 1\n4 5 1\n5 6 1\n6 6 1\n");
  EXPECT_EQ(
      text.at("model.tra"),
      "7 8\n0 1 1\n1 2 0.3333333333333333333333333\n1 4 0.6666666666666666666666667\n2 3 1\n3 6 1\n4 5 1\n"
      "5 6 1\n6 6 1\n");
  EXPECT_EQ(text.at("envelope.tra"),
            "7 8 8\n0 0 1 1\n1 0 2 1\n1 1 4 1\n2 0 3 1\n3 0 6 1\n4 0 5 1\n5 0 6 1\n6 0 6 1\n");
  EXPECT_EQ(text.at("model.sta"),
            "(state,step)\n0:(0,0)\n1:(1,1)\n2:(2,2)\n3:(3,3)\n4:(4,2)\n5:(5,3)\n6:(6,0)\n");
  EXPECT_EQ(text.at("exact/model1.srew"),
            "# Reward structure \"cycles_hot\"\n# State rewards\n7 3\n1 1/6\n2 20/3\n4 25/3\n");
  EXPECT_EQ(text.at("exact/model_on_transitions1.trew"),
            "# Reward structure \"cycles_hot_on_transitions\"\n# Transition rewards\n7 4\n1 2 1/6\n1 4 "
            "1/6\n2 3 20/3\n"
            "4 5 25/3\n");
  EXPECT_EQ(
      text.at("envelope_on_transitions2.trew"),
      "# Reward structure \"cycles_cold_on_transitions\"\n# Transition rewards\n7 8 4\n1 0 2 3.5\n1 1 4 3.5\n"
      "2 0 3 40\n4 0 5 75\n");
  EXPECT_NE(text.at("exact/properties.pctl").find("// RESULT: 143/18\nR{\"cycles_hot\"}=? [ F \"done\" ];"),
            std::string::npos)
      << text.at("exact/properties.pctl");
  EXPECT_NE(text.at("exact/envelope.pctl").find("// RESULT: 41/6\nR{\"cycles_hot\"}min=? [ F \"done\" ];"),
            std::string::npos);
  EXPECT_NE(text.at("exact/properties.pctl").find("// RESULT: 1/3\nP=? [ F \"hit_t\" ];"), std::string::npos);
}

TEST_F(PrismExplicit, WritesAllFilesAndReplacesAnEarlierExport) {
  ASSERT_TRUE(export_prism_explicit(chain(), "first", directory_, made_.diagnostics).has_value());
  EXPECT_EQ(read(directory_ / "exact/model.tra"), files().at("exact/model.tra"));
  ASSERT_TRUE(export_prism_explicit(chain(), "second", directory_, made_.diagnostics).has_value());
  EXPECT_TRUE(read(directory_ / "README.txt").starts_with("second\n"));
  // Nothing is left beside it.
  for (const auto& entry : fs::directory_iterator(directory_.parent_path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".prism-export")) << entry.path();
}

TEST_F(PrismExplicit, AnEmptyDirectoryIsFilled) {
  fs::create_directories(directory_);
  EXPECT_TRUE(export_prism_explicit(chain(), "made", directory_, made_.diagnostics).has_value());
  EXPECT_TRUE(fs::exists(directory_ / "model.tra"));
}

TEST_F(PrismExplicit, RefusesADirectoryWithOtherFiles) {
  fs::create_directories(directory_);
  std::ofstream(directory_ / "thesis.tex") << "mine";
  EXPECT_FALSE(export_prism_explicit(chain(), "made", directory_, made_.diagnostics).has_value());
  EXPECT_TRUE(reported(diag::kExportDirectoryInUse));
  EXPECT_EQ(read(directory_ / "thesis.tex"), "mine");
  EXPECT_FALSE(fs::exists(directory_ / "model.tra"));
}

TEST_F(PrismExplicit, RefusesToRemoveAFileThatWasPutIntoAnExport) {
  ASSERT_TRUE(export_prism_explicit(chain(), "made", directory_, made_.diagnostics).has_value());
  std::ofstream(directory_ / "exact" / "notes.txt") << "mine";
  EXPECT_FALSE(export_prism_explicit(chain(), "made", directory_, made_.diagnostics).has_value());
  EXPECT_TRUE(reported(diag::kExportDirectoryInUse));
  EXPECT_EQ(read(directory_ / "exact" / "notes.txt"), "mine");
}

TEST_F(PrismExplicit, RefusesAFile) {
  std::ofstream(directory_) << "a file";
  EXPECT_FALSE(export_prism_explicit(chain(), "made", directory_, made_.diagnostics).has_value());
  EXPECT_TRUE(reported(diag::kExportNotADirectory));
}

TEST_F(PrismExplicit, ReportsWhatCannotBeWritten) {
  std::ofstream(directory_) << "a file";
  EXPECT_FALSE(export_prism_explicit(chain(), "made", directory_ / "below", made_.diagnostics).has_value());
  EXPECT_TRUE(reported(diag::kExportCannotWrite));
}

}  // namespace
}  // namespace perfpact::markov
