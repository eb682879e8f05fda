// One interface, two implementations: each is tested by this file, in a program of its own.
#include "nflib/port_pool.h"

#include <memory>
#include <set>

#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(port_pool* pool) const { port_pool_destroy(pool); }
};
using Pool = std::unique_ptr<port_pool, Destroy>;

std::optional<uint16_t> allocate(const Pool& pool) {
  uint16_t port = 0;
  return port_pool_allocate(pool.get(), &port) ? std::optional(port) : std::nullopt;
}

TEST(PortPool, RefusesPortsThatDoNotExist) {
  EXPECT_EQ(port_pool_create(1, 0), nullptr);
  EXPECT_EQ(port_pool_create(1, 65536), nullptr);
  EXPECT_EQ(port_pool_create(65535, 2), nullptr);
  EXPECT_EQ(port_pool_create(0, UINT32_MAX), nullptr);
  port_pool_destroy(nullptr);
}

TEST(PortPool, HandsOutEveryPortOnce) {
  Pool pool(port_pool_create(0, 65536));
  for (int round = 0; round < 2; round++) {
    std::set<uint16_t> ports;
    for (int i = 0; i < 65536; i++) {
      std::optional<uint16_t> port = allocate(pool);
      ASSERT_TRUE(port);
      ports.insert(*port);
    }
    EXPECT_EQ(ports.size(), 65536u);
    EXPECT_EQ(allocate(pool), std::nullopt);
    for (uint16_t port : ports) EXPECT_TRUE(port_pool_release(pool.get(), port));
  }
}

TEST(PortPool, ReleasesOnlyWhatIsAllocated) {
  Pool pool(port_pool_create(100, 3));
  for (uint16_t port : {99, 100, 101, 103, 0, 65535})
    EXPECT_FALSE(port_pool_release(pool.get(), port)) << port;
  uint16_t port = allocate(pool).value();
  EXPECT_TRUE(port_pool_release(pool.get(), port));
  EXPECT_FALSE(port_pool_release(pool.get(), port));
}

TEST(PortPool, FindsTheLastPort) {
  Pool pool(port_pool_create(1, 100));
  while (allocate(pool)) continue;
  for (uint16_t port = 1; port <= 100; port++) {
    EXPECT_TRUE(port_pool_release(pool.get(), port));
    EXPECT_EQ(allocate(pool), port);
    EXPECT_EQ(allocate(pool), std::nullopt);
  }
}

struct Operation {
  bool allocate;
  uint16_t port;

  std::string text() const { return allocate ? "allocate" : fmt::format("release port {}", port); }
};

constexpr uint16_t kFirst = 65500;

std::optional<std::string> disagreement(uint32_t count, std::span<const Operation> operations) {
  Pool pool(port_pool_create(kFirst, count));
  std::set<uint16_t> taken;
  for (const Operation& operation : operations) {
    if (!operation.allocate) {
      if (port_pool_release(pool.get(), operation.port) != (taken.erase(operation.port) > 0))
        return "release differs";
      continue;
    }
    std::optional<uint16_t> port = allocate(pool);
    if (port.has_value() != (taken.size() < count)) return "allocate differs";
    if (!port) continue;
    if (*port < kFirst || *port - kFirst >= static_cast<int>(count))
      return fmt::format("{} is outside", *port);
    if (!taken.insert(*port).second) return fmt::format("{} is given twice", *port);
  }
  return std::nullopt;
}

class PortPoolModel : public testing::TestWithParam<uint32_t> {};

TEST_P(PortPoolModel, DoesWhatASetDoes) {
  uint32_t count = GetParam();
  uint64_t done = 0;
  auto generate = [&](Random& random) {
    // Mostly full and mostly empty by turns.
    bool allocate = random.below(8) < (done++ / 500 % 2 == 0 ? 6u : 4u);
    return Operation{allocate, static_cast<uint16_t>(kFirst - 1 + random.below(count + 2))};
  };
  auto check = [&](std::span<const Operation> operations) { return disagreement(count, operations); };
  EXPECT_TRUE(
      agrees_with_model<Operation>({.sequences = 100, .operations = 2'500, .seed = count}, generate, check));
}

INSTANTIATE_TEST_SUITE_P(Counts, PortPoolModel, testing::Values(1, 5, 17, 36));

}  // namespace
}  // namespace perfpact::nflib
