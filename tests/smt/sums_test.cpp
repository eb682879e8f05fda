#include "smt/sums.h"

#include <gtest/gtest.h>

#include "smt/model.h"
#include "terms.h"

namespace perfpact::smt {
namespace {

using test::for_all_models;

bool is_excluded(const std::vector<Expr>& bits) {
  LearnedFacts facts;
  for (const Expr bit : bits) facts.assume(bit);
  Sums sums(facts);
  for (const Expr bit : bits) sums.demand(bit);
  return sums.is_contradictory();
}

bool is_excluded_by_facts(const std::vector<Expr>& bits) {
  LearnedFacts facts;
  for (const Expr bit : bits) facts.assume(bit);
  return facts.is_contradictory();
}

/// Random comparisons of sums of three small symbols, some of which wrap around.
class RandomSums {
 public:
  RandomSums(Context& context, std::uint64_t seed) : c_(context), random_(seed) {
    for (const char* name : {"x", "y", "z"}) symbols_.push_back(context.symbol(name, 3));
  }
  const std::vector<Expr>& symbols() const { return symbols_; }
  Expr bit() {
    const Expr a = sum();
    const Expr b = sum();
    const std::array<Expr, 4> relations{c_.ult(a, b), c_.ule(a, b), c_.slt(a, b), c_.eq(a, b)};
    return relations.at(random_() % 8 < 7 ? random_() % 3 : 3);
  }

 private:
  static constexpr std::uint32_t kWidth = 6;
  Expr sum() {
    Expr result = c_.constant(kWidth, random_() % 8);
    for (const Expr symbol : symbols_) {
      const Expr term = c_.mul(c_.zext(symbol, kWidth), c_.constant(kWidth, 1 + random_() % 2));
      const std::uint64_t choice = random_() % 4;
      if (choice < 2) result = choice == 0 ? c_.add(result, term) : c_.sub(result, term);
    }
    return random_() % 8 == 0 ? c_.not_(result) : result;
  }

  Context& c_;
  std::mt19937_64 random_;
  std::vector<Expr> symbols_;
};

TEST(Sums, WhatIsExcludedHasNoModel) {
  std::size_t excluded = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Context context;
    RandomSums sums(context, seed);
    std::vector<Expr> bits;
    for (int i = 0; i < 6; ++i) bits.push_back(sums.bit());
    if (!is_excluded(bits)) continue;
    if (!is_excluded_by_facts(bits)) ++excluded;
    for_all_models(sums.symbols(), [&](const auto& model) {
      Evaluation evaluation(model);
      ASSERT_FALSE(std::ranges::all_of(bits, [&](Expr bit) { return evaluation.holds(bit); })) << seed;
    });
  }
  EXPECT_GT(excluded, 50U) << "facts alone would have done";
}

// An option of a header: the header has `bytes`, the option begins at `at`, has `length` bytes, and what is
// entered at its pointer must fit.
class OptionTest : public ::testing::Test {
 protected:
  Expr number(std::uint64_t value) { return c.constant(32, value); }
  Expr at_least(Expr a, Expr b) { return c.ule(b, a); }

  Context c;
  Expr bytes = c.zext(c.concat(c.symbol("bytes", 4), c.zero(2)), 32);
  Expr at = c.zext(c.symbol("at", 8), 32);
  Expr length = c.zext(c.symbol("length", 8), 32);
  Expr pointer = c.zext(c.symbol("pointer", 8), 32);
  std::vector<Expr> fits{at_least(bytes, number(20)), at_least(c.sub(bytes, number(20)), at),
                         at_least(c.sub(bytes, at), length), at_least(length, c.add(pointer, number(3)))};
};

TEST_F(OptionTest, AChainIsFollowed) {
  const Expr place = c.add(c.add(pointer, at), number(20));
  fits.push_back(at_least(number(32), bytes));
  EXPECT_FALSE(is_excluded(fits));
  auto within = fits;
  within.push_back(at_least(place, number(49)));  // 32 - 3 + 20
  EXPECT_FALSE(is_excluded(within));
  auto beyond = fits;
  beyond.push_back(at_least(place, number(50)));
  EXPECT_TRUE(is_excluded(beyond));
  EXPECT_FALSE(is_excluded_by_facts(beyond));
}

// `bytes - at - 21` is below zero for some, but not for those where another constraint says so.
TEST_F(OptionTest, OperationsThatMayWrapAreHeldToWhatWasDemanded) {
  const Expr behind = c.sub(c.sub(bytes, at), number(21));
  std::vector<Expr> bits{at_least(number(60), bytes), at_least(behind, number(40))};
  EXPECT_FALSE(is_excluded(bits));
  bits.insert(bits.begin(), at_least(bytes, c.add(at, number(21))));
  EXPECT_TRUE(is_excluded(bits));
}

TEST_F(OptionTest, SignedOrderIsReadWhereSignsAreKnown) {
  const std::vector<Expr> bits{at_least(number(60), bytes), c.slt(at, length), c.slt(length, at)};
  EXPECT_TRUE(is_excluded(bits));
}

}  // namespace
}  // namespace perfpact::smt
