#include "smt/smt2.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "smt/solver.h"
#include "terms.h"

namespace perfpact::smt {
namespace {

using test::Terms;

bool have_cvc5() {
  return std::system("cvc5 --version > /dev/null 2>&1") == 0;
}

std::string cvc5_verdict(const std::string& path) {
  FILE* pipe = popen(("cvc5 --tlimit=20000 '" + path + "' 2>&1").c_str(), "r");
  std::array<char, 256> line{};
  std::string output;
  while (fgets(line.data(), line.size(), pipe) != nullptr) output += line.data();
  pclose(pipe);
  return output.substr(0, output.find('\n'));
}

class Smt2 : public ::testing::Test {
 protected:
  Smt2() {
    std::string name = (std::filesystem::temp_directory_path() / "perfpact-smt2-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~Smt2() override { std::filesystem::remove_all(directory_); }

  // Verdicts of random queries over all operations, each saved.
  std::vector<Verdict> ask(std::uint64_t seed) {
    Context context;
    Options options;
    options.save_directory = directory_;
    Solver solver(context, options);
    Terms terms(context, 1 + seed % 5, seed % 2 == 0, seed);
    terms.grow(40);
    std::vector<Verdict> verdicts;
    for (int i = 0; i < 5; ++i) {
      const auto path = Constraints().with(context, terms.any(1)).with(context, terms.any(1));
      verdicts.push_back(solver.check(path, terms.any(1)).verdict);
    }
    EXPECT_FALSE(solver.save_failure());
    return verdicts;
  }
  [[nodiscard]] std::string path(std::size_t number) const {
    return fmt::format("{}/query-{:06}.smt2", directory_, number);
  }

  std::string directory_;
};

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_F(Smt2, Z3ReadsBackTheSameAnswer) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const auto verdicts = ask(seed);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const auto outcome = check_smt2(read(path(i + 1)), 20'000);
      EXPECT_EQ(to_string(outcome.verdict), to_string(verdicts[i])) << outcome.reason << '\n'
                                                                    << read(path(i + 1));
    }
  }
}

TEST_F(Smt2, Cvc5Agrees) {
  if (!have_cvc5()) GTEST_SKIP() << "cvc5 is not installed";
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto verdicts = ask(seed);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      EXPECT_EQ(cvc5_verdict(path(i + 1)), to_string(verdicts[i])) << read(path(i + 1));
    }
  }
}

TEST_F(Smt2, TextIsAsLongAsTheGraph) {
  Context c;
  Expr sum = c.symbol("odd | name", 32);
  for (int i = 0; i < 200; ++i) sum = c.xor_(c.mul(sum, sum), c.constant(32, 3));
  const std::string text = to_smt2(std::array{c.eq(sum, c.constant(32, 7))}, "unknown");
  EXPECT_LT(text.size(), 40'000U);
  EXPECT_NE(text.find("(declare-const |odd _ name (symbol 0)| (_ BitVec 32))"), std::string::npos);
}

TEST_F(Smt2, ADirectoryThatCannotBeMadeIsToldNotThrown) {
  std::ofstream(directory_ + "/file") << "x";
  Context c;
  Options options;
  options.save_directory = directory_ + "/file/inside";
  Solver solver(c, options);
  EXPECT_TRUE(solver.check(Constraints(), c.eq(c.symbol("x", 8), c.constant(8, 1))).is_sat());
  ASSERT_TRUE(solver.save_failure());
  EXPECT_NE(solver.save_failure()->find("file/inside"), std::string::npos);
}

}  // namespace
}  // namespace perfpact::smt
