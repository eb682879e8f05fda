#include "nflib/token_bucket.h"

#include <memory>

#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(token_buckets* buckets) const { token_buckets_destroy(buckets); }
};
using Buckets = std::unique_ptr<token_buckets, Destroy>;

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kFastest = 1'000'000'000'000;

TEST(TokenBuckets, RefuseWhatIsOutOfRange) {
  EXPECT_EQ(token_buckets_create(0, 1, 1), nullptr);
  EXPECT_EQ(token_buckets_create(1, 0, 1), nullptr);
  EXPECT_EQ(token_buckets_create(1, 1, 0), nullptr);
  EXPECT_EQ(token_buckets_create(1, kFastest + 1, 1), nullptr);
  EXPECT_EQ(token_buckets_create(1, 1, uint64_t{1} << 32), nullptr);
  token_buckets_destroy(nullptr);
}

TEST(TokenBuckets, AreFullAtFirstAndFillAtTheRate) {
  Buckets buckets(token_buckets_create(1, 1000, 1500));
  EXPECT_TRUE(token_buckets_take(buckets.get(), 0, 1500, 0));
  EXPECT_FALSE(token_buckets_take(buckets.get(), 0, 1, kSecond / 1000 - 1));
  EXPECT_TRUE(token_buckets_take(buckets.get(), 0, 1, kSecond / 1000));
  EXPECT_FALSE(token_buckets_take(buckets.get(), 0, 1501, 1000 * kSecond));
  EXPECT_TRUE(token_buckets_take(buckets.get(), 0, 1500, 1000 * kSecond));
  EXPECT_TRUE(token_buckets_take(buckets.get(), 0, 0, 1000 * kSecond));
}

TEST(TokenBuckets, StandApart) {
  Buckets buckets(token_buckets_create(2, 1, 10));
  EXPECT_TRUE(token_buckets_take(buckets.get(), 0, 10, 0));
  EXPECT_TRUE(token_buckets_take(buckets.get(), 1, 10, 0));
  EXPECT_FALSE(token_buckets_take(buckets.get(), 2, 0, 0));
  EXPECT_FALSE(token_buckets_take(buckets.get(), UINT32_MAX, 0, 0));
}

TEST(TokenBuckets, TimeThatGoesBackAddsNothing) {
  Buckets buckets(token_buckets_create(1, 10, 10));
  EXPECT_TRUE(token_buckets_take(buckets.get(), 0, 10, 5 * kSecond));
  EXPECT_FALSE(token_buckets_take(buckets.get(), 0, 1, 0));
  EXPECT_FALSE(token_buckets_take(buckets.get(), 0, 1, 5 * kSecond));  // nor does its return
  EXPECT_TRUE(token_buckets_take(buckets.get(), 0, 1, 5 * kSecond + kSecond / 10));
}

struct Operation {
  uint32_t bucket;
  uint32_t bytes;
  int64_t time;  // ns from the last one's, or where FAR is set, since the start
  bool far;

  std::string text() const { return fmt::format("{} bytes of {}, time {} {}", bytes, bucket, time, far); }
};

struct Range {
  uint64_t rate;
  uint64_t burst;
  uint64_t step_ns;

  Operation operator()(Random& random) const {
    Operation operation{static_cast<uint32_t>(random.below(4)),
                        static_cast<uint32_t>(random.below(burst + 2)),
                        static_cast<int64_t>(random.below(2 * step_ns)), false};
    if (random.below(2) == 0) operation.bytes /= 16;
    if (random.below(30) == 0) operation.bytes = static_cast<uint32_t>(random.bits());
    if (random.below(10) == 0) operation.time = -operation.time;
    if (random.below(200) == 0)
      operation = {operation.bucket, operation.bytes, static_cast<int64_t>(random.bits()), true};
    return operation;
  }
};

// In rational arithmetic: levels are fractions with the denominator 10^9, in integers that are wide enough.
std::optional<std::string> disagreement(const Range& range, std::span<const Operation> operations) {
  constexpr uint32_t kBuckets = 3;
  using Wide = unsigned __int128;
  struct Bucket {
    Wide level;
    uint64_t newest = 0;
  };
  Buckets buckets(token_buckets_create(kBuckets, range.rate, range.burst));
  std::vector<Bucket> model(kBuckets, Bucket{Wide{range.burst} * kSecond});
  uint64_t now = 0;
  for (const Operation& operation : operations) {
    now = operation.far ? static_cast<uint64_t>(operation.time) : now + static_cast<uint64_t>(operation.time);
    bool expected = false;
    if (operation.bucket < kBuckets) {
      Bucket& bucket = model[operation.bucket];
      if (now > bucket.newest) {
        bucket.level =
            std::min(bucket.level + Wide{now - bucket.newest} * range.rate, Wide{range.burst} * kSecond);
        bucket.newest = now;
      }
      expected = bucket.level >= Wide{operation.bytes} * kSecond;
      if (expected) bucket.level -= Wide{operation.bytes} * kSecond;
    }
    if (token_buckets_take(buckets.get(), operation.bucket, operation.bytes, now) != expected)
      return fmt::format("differs at {} ns", now);
  }
  return std::nullopt;
}

TEST(TokenBuckets, AgreeWithExactArithmetic) {
  for (const Range& range :
       {Range{1'000'000, 1500, kSecond / 1000}, Range{1, 1, kSecond}, Range{kFastest, UINT32_MAX, 100'000},
        Range{999'999'999'989, 1500, 1}, Range{1, UINT32_MAX, uint64_t{1} << 61}}) {
    EXPECT_TRUE(agrees_with_model<Operation>(
        {20, 10'000, 1}, range,
        [&](std::span<const Operation> operations) { return disagreement(range, operations); }))
        << range.rate;
  }
}

}  // namespace
}  // namespace perfpact::nflib
