#include "nflib/count_min.h"

#include <map>
#include <memory>

#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(count_min* sketch) const { count_min_destroy(sketch); }
};
using Sketch = std::unique_ptr<count_min, Destroy>;

nf_key key_of(uint64_t number) {
  return {{number, number << 32}};
}

TEST(CountMin, RefusesWhatIsOutOfRange) {
  EXPECT_EQ(count_min_create(0, 16, 1), nullptr);
  EXPECT_EQ(count_min_create(17, 16, 1), nullptr);
  EXPECT_EQ(count_min_create(1, 0, 1), nullptr);
  EXPECT_EQ(count_min_create(1, 48, 1), nullptr);
  EXPECT_EQ(count_min_create(1, 1u << 29, 1), nullptr);
  count_min_destroy(nullptr);
}

TEST(CountMin, CountersStopAtTheLargestNumber) {
  Sketch sketch(count_min_create(3, 8, 1));
  nf_key key = key_of(1);
  EXPECT_EQ(count_min_add(sketch.get(), &key, UINT64_MAX - 1), UINT64_MAX - 1);
  EXPECT_EQ(count_min_add(sketch.get(), &key, 1), UINT64_MAX);
  EXPECT_EQ(count_min_add(sketch.get(), &key, 5), UINT64_MAX);
  EXPECT_EQ(count_min_add(sketch.get(), &key, UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(count_min_estimate(sketch.get(), &key), UINT64_MAX);
}

// Theorem 1 of the paper: with width w and depth d an estimate is more than e/w of the total too high with a
// probability of at most e^-d; here 0.018.
TEST(CountMin, EstimatesKeepTheBound) {
  constexpr uint32_t kDepth = 4, kWidth = 256, kKeys = 10'000;
  Sketch sketch(count_min_create(kDepth, kWidth, 5));
  for (uint64_t number = 0; number < kKeys; number++) {
    nf_key key = key_of(number);
    count_min_add(sketch.get(), &key, 1);
  }
  int beyond = 0;
  for (uint64_t number = 0; number < kKeys; number++) {
    nf_key key = key_of(number);
    beyond += count_min_estimate(sketch.get(), &key) > 1 + 2.718 * kKeys / kWidth;
  }
  EXPECT_LE(beyond, kKeys * 0.0184);
}

// Keys that differ in one bit get counters of their own.
TEST(CountMin, TakesAllBitsOfAKey) {
  Sketch sketch(count_min_create(4, 1 << 16, 9));
  nf_key first = key_of(77);
  count_min_add(sketch.get(), &first, 1);
  for (int bit = 0; bit < 128; bit++) {
    nf_key key = first;
    key.words[bit / 64] ^= uint64_t{1} << bit % 64;
    EXPECT_EQ(count_min_estimate(sketch.get(), &key), 0u) << bit;
  }
}

struct Operation {
  bool add;
  uint64_t key;
  uint64_t amount;

  std::string text() const {
    return fmt::format("{} key {} amount {}", add ? "add" : "estimate", key, amount);
  }
};

struct Shape {
  uint32_t depth;
  uint32_t width;
  uint64_t keys;
  bool exact;  // wide enough for the keys

  Operation operator()(Random& random) const {
    uint64_t amount = random.bits() >> random.below(64);
    if (random.below(100) != 0) amount >>= 16;
    return {random.below(2) == 0, random.below(keys), amount};
  }
};

uint64_t sum(uint64_t left, uint64_t right) {
  return right > UINT64_MAX - left ? UINT64_MAX : left + right;
}

std::optional<std::string> disagreement(const Shape& shape, std::span<const Operation> operations) {
  Sketch sketch(count_min_create(shape.depth, shape.width, 3));
  std::map<uint64_t, uint64_t> model;
  uint64_t total = 0;
  for (const Operation& operation : operations) {
    nf_key key = key_of(operation.key);
    uint64_t count = model[operation.key];
    uint64_t estimate;
    if (operation.add) {
      count = model[operation.key] = sum(count, operation.amount);
      total = sum(total, operation.amount);
      estimate = count_min_add(sketch.get(), &key, operation.amount);
    } else {
      estimate = count_min_estimate(sketch.get(), &key);
    }
    if (estimate < count || estimate > total) return fmt::format("{} for {}", estimate, count);
    if (shape.exact && estimate != count) return fmt::format("{} instead of {}", estimate, count);
    if (shape.width == 1 && estimate != total) return fmt::format("{} for all {}", estimate, total);
  }
  return std::nullopt;
}

TEST(CountMin, IsNeverTooLow) {
  for (const Shape& shape :
       {Shape{4, 1024, 30, true}, Shape{3, 16, 50, false}, Shape{2, 1, 5, false}, Shape{16, 64, 8, true}}) {
    EXPECT_TRUE(agrees_with_model<Operation>(
        {50, 5'000, 1}, shape,
        [&](std::span<const Operation> operations) { return disagreement(shape, operations); }))
        << shape.width;
  }
}

}  // namespace
}  // namespace perfpact::nflib
