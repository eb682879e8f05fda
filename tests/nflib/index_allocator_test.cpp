#include "nflib/index_allocator.h"

#include <algorithm>
#include <memory>

#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(index_allocator* allocator) const { index_allocator_destroy(allocator); }
};
using Allocator = std::unique_ptr<index_allocator, Destroy>;

std::optional<uint32_t> allocate(const Allocator& allocator, uint64_t now_ns) {
  uint32_t index = UINT32_MAX;
  return index_allocator_allocate(allocator.get(), now_ns, &index) ? std::optional(index) : std::nullopt;
}

std::optional<uint32_t> expire(const Allocator& allocator, uint64_t time_ns) {
  uint32_t index = UINT32_MAX;
  return index_allocator_expire(allocator.get(), time_ns, &index) ? std::optional(index) : std::nullopt;
}

TEST(IndexAllocator, RefusesCapacitiesOutOfRange) {
  for (uint32_t capacity : {0u, (1u << 30) + 1, UINT32_MAX})
    EXPECT_EQ(index_allocator_create(capacity), nullptr) << capacity;
  index_allocator_destroy(nullptr);
}

TEST(IndexAllocator, HandsOutAllIndicesAndNoMore) {
  Allocator allocator(index_allocator_create(3));
  for (uint32_t index : {0u, 1u, 2u}) EXPECT_EQ(allocate(allocator, 5), index);
  EXPECT_EQ(allocate(allocator, 6), std::nullopt);
  EXPECT_TRUE(index_allocator_release(allocator.get(), 1));
  EXPECT_EQ(allocate(allocator, 7), 1u);
}

TEST(IndexAllocator, IndicesOutsideAreFree) {
  Allocator allocator(index_allocator_create(2));
  ASSERT_EQ(allocate(allocator, 1), 0u);
  ASSERT_EQ(allocate(allocator, 1), 1u);
  for (uint32_t index : {2u, 3u, 4u, 1u << 31, UINT32_MAX}) {
    EXPECT_FALSE(index_allocator_is_allocated(allocator.get(), index)) << index;
    EXPECT_FALSE(index_allocator_renew(allocator.get(), index, 2)) << index;
    EXPECT_FALSE(index_allocator_release(allocator.get(), index)) << index;
  }
  EXPECT_EQ(expire(allocator, 2), 0u);
  EXPECT_EQ(expire(allocator, 2), 1u);
}

TEST(IndexAllocator, ExpiresWhatWasLastUsedBefore) {
  Allocator allocator(index_allocator_create(4));
  for (uint64_t time : {10, 20, 30}) allocate(allocator, time);
  EXPECT_TRUE(index_allocator_renew(allocator.get(), 0, 40));
  EXPECT_EQ(expire(allocator, 20), std::nullopt);  // used at 20, not before
  EXPECT_EQ(expire(allocator, 21), 1u);
  EXPECT_FALSE(index_allocator_is_allocated(allocator.get(), 1));
  EXPECT_EQ(expire(allocator, UINT64_MAX), 2u);
  EXPECT_EQ(expire(allocator, UINT64_MAX), 0u);
  EXPECT_EQ(expire(allocator, UINT64_MAX), std::nullopt);
}

TEST(IndexAllocator, TimeDoesNotGoBack) {
  Allocator allocator(index_allocator_create(4));
  allocate(allocator, 100);
  allocate(allocator, 50);  // counts as 100
  EXPECT_EQ(expire(allocator, 100), std::nullopt);
  EXPECT_TRUE(index_allocator_renew(allocator.get(), 0, 60));
  EXPECT_EQ(expire(allocator, 101), 1u);
  EXPECT_EQ(expire(allocator, 101), 0u);
  // What cannot be done has been seen too.
  EXPECT_FALSE(index_allocator_renew(allocator.get(), 3, 200));
  EXPECT_EQ(allocate(allocator, 150), 0u);
  EXPECT_EQ(expire(allocator, 200), std::nullopt);
}

struct Operation {
  enum Kind { kAllocate, kRenew, kExpire, kRelease, kIsAllocated } kind;
  uint32_t index;
  uint64_t time;  // on a clock that may go back

  std::string text() const {
    static constexpr const char* kNames[] = {"allocate", "renew", "expire", "release", "is_allocated"};
    return fmt::format("{} index {} time {}", kNames[kind], index, time);
  }
};

// The allocated indices with their times, oldest first.
class Model {
 public:
  explicit Model(uint32_t capacity) : capacity_(capacity) {}
  bool full() const { return used_.size() == capacity_; }
  bool holds(uint32_t index) const { return find(index) != used_.end(); }
  void use(uint32_t index) {
    release(index);
    used_.emplace_back(index, newest_);
  }
  void see(uint64_t time) { newest_ = std::max(newest_, time); }
  bool release(uint32_t index) {
    return std::erase_if(used_, [&](const auto& each) { return each.first == index; }) > 0;
  }
  std::optional<uint32_t> expire(uint64_t time) {
    if (used_.empty() || used_.front().second >= time) return std::nullopt;
    uint32_t index = used_.front().first;
    used_.erase(used_.begin());
    return index;
  }

 private:
  std::vector<std::pair<uint32_t, uint64_t>>::const_iterator find(uint32_t index) const {
    return std::ranges::find(used_, index, [](const auto& each) { return each.first; });
  }

  uint32_t capacity_;
  uint64_t newest_ = 0;
  std::vector<std::pair<uint32_t, uint64_t>> used_;
};

std::optional<std::string> disagreement(uint32_t capacity, std::span<const Operation> operations) {
  Allocator allocator(index_allocator_create(capacity));
  Model model(capacity);
  for (const Operation& operation : operations) {
    auto [kind, index, time] = operation;
    bool held = model.holds(index);
    switch (kind) {
      case Operation::kAllocate: {
        model.see(time);
        std::optional<uint32_t> given = allocate(allocator, time);
        if (given.has_value() == model.full()) return "allocate differs";
        if (given && (*given >= capacity || model.holds(*given)))
          return fmt::format("{} is given twice", *given);
        if (given) model.use(*given);
        break;
      }
      case Operation::kRenew:
        model.see(time);
        if (index_allocator_renew(allocator.get(), index, time) != held) return "renew differs";
        if (held) model.use(index);
        break;
      case Operation::kExpire:
        if (expire(allocator, time) != model.expire(time)) return "expire differs";
        break;
      case Operation::kRelease:
        if (index_allocator_release(allocator.get(), index) != model.release(index)) return "release differs";
        break;
      case Operation::kIsAllocated:
        if (index_allocator_is_allocated(allocator.get(), index) != held) return "is_allocated differs";
        break;
    }
  }
  return std::nullopt;
}

class IndexAllocatorModel : public testing::TestWithParam<uint32_t> {};

TEST_P(IndexAllocatorModel, DoesWhatAListDoes) {
  uint32_t capacity = GetParam();
  uint64_t clock = 0;
  auto generate = [&](Random& random) {
    static constexpr Operation::Kind kKinds[] = {
        Operation::kAllocate, Operation::kAllocate, Operation::kAllocate,
        Operation::kRenew,    Operation::kRenew,    Operation::kExpire,
        Operation::kExpire,   Operation::kRelease,  Operation::kIsAllocated};
    Operation::Kind kind = kKinds[random.below(std::size(kKinds))];
    clock += random.below(4);
    uint64_t back = random.below(kind == Operation::kExpire ? 4 * capacity : 8);
    return Operation{kind, static_cast<uint32_t>(random.below(capacity + 1)), clock - std::min(clock, back)};
  };
  auto check = [&](std::span<const Operation> operations) { return disagreement(capacity, operations); };
  EXPECT_TRUE(agrees_with_model<Operation>({.sequences = 100, .operations = 2'500, .seed = capacity},
                                           generate, check));
}

INSTANTIATE_TEST_SUITE_P(Capacities, IndexAllocatorModel, testing::Values(1, 2, 7, 64));

}  // namespace
}  // namespace perfpact::nflib
