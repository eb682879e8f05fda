// The shrinking of model_test.h on a check whose shortest failing lists are known.
#include <algorithm>

#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Number {
  uint64_t value;
  std::string text() const { return fmt::format("number {}", value); }
};

TEST(ModelTest, ShrinksToWhatCannotBeLeftOut) {
  // Fails if a 3 comes before a 5.
  auto check = [](std::span<const Number> numbers) -> std::optional<std::string> {
    auto is = [](uint64_t wanted) {
      return [wanted](const Number& number) { return number.value == wanted; };
    };
    auto three = std::ranges::find_if(numbers, is(3));
    return std::any_of(three, numbers.end(), is(5)) ? std::optional<std::string>("5 after 3") : std::nullopt;
  };
  auto generate = [](Random& random) { return Number{random.below(10)}; };
  testing::AssertionResult result =
      agrees_with_model<Number>({.sequences = 3, .operations = 1000, .seed = 11}, generate, check);
  EXPECT_FALSE(result);
  EXPECT_STREQ(result.message(), "seed 11: 5 after 3\n  number 3\n  number 5\n");
}

TEST(ModelTest, AcceptsWhatAgrees) {
  int runs = 0;
  auto check = [&](std::span<const Number> numbers) -> std::optional<std::string> {
    runs += static_cast<int>(numbers.size());
    return std::nullopt;
  };
  auto generate = [](Random& random) { return Number{random.bits()}; };
  EXPECT_TRUE(agrees_with_model<Number>({.sequences = 4, .operations = 25, .seed = 1}, generate, check));
  EXPECT_EQ(runs, 100);
}

}  // namespace
}  // namespace perfpact::nflib
