#include "nflib/flow_table.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "model_test.h"

namespace perfpact::nflib {
namespace {

struct Destroy {
  void operator()(flow_table* table) const { flow_table_destroy(table); }
  void operator()(port_pool* pool) const { port_pool_destroy(pool); }
};
using Table = std::unique_ptr<flow_table, Destroy>;
using Pool = std::unique_ptr<port_pool, Destroy>;

constexpr uint32_t kSeed = 3;

nf_key key_of(uint64_t number) {
  return {{number, 17}};
}

std::optional<uint32_t> get(const Table& table, flow_side side, uint64_t number) {
  nf_key key = key_of(number);
  uint32_t flow = 0;
  return flow_table_get(table.get(), side, &key, &flow) ? std::optional(flow) : std::nullopt;
}

std::optional<uint32_t> add(const Table& table, uint64_t inside, std::optional<uint64_t> outside,
                            uint16_t port, uint64_t now_ns) {
  nf_key inside_key = key_of(inside);
  nf_key outside_key = key_of(outside.value_or(0));
  uint32_t flow = 0;
  bool added =
      flow_table_add(table.get(), &inside_key, outside ? &outside_key : nullptr, port, now_ns, &flow);
  return added ? std::optional(flow) : std::nullopt;
}

TEST(FlowTable, RefusesCapacitiesOutOfRange) {
  for (uint32_t capacity : {0u, (1u << 29) + 1, UINT32_MAX})
    EXPECT_EQ(flow_table_create(capacity, kSeed, nullptr), nullptr) << capacity;
  flow_table_destroy(nullptr);
}

TEST(FlowTable, HasRoomForItsCapacity) {
  for (uint32_t capacity = 1; capacity <= 40; capacity++) {
    Table table(flow_table_create(capacity, kSeed, nullptr));
    for (uint32_t i = 0; i < capacity; i++) EXPECT_EQ(add(table, i, 1000 + i, 0, 1), i);
    EXPECT_EQ(add(table, capacity, std::nullopt, 0, 1), std::nullopt);
    for (uint32_t i = 0; i < capacity; i++) {
      EXPECT_EQ(get(table, FLOW_INSIDE, i), i);
      EXPECT_EQ(get(table, FLOW_OUTSIDE, 1000 + i), i);
      EXPECT_EQ(get(table, FLOW_OUTSIDE, i), std::nullopt);
    }
  }
}

TEST(FlowTable, GivesPortsBack) {
  Pool pool(port_pool_create(10, 1));
  Table table(flow_table_create(4, kSeed, pool.get()));
  uint16_t port = 0;
  ASSERT_TRUE(port_pool_allocate(pool.get(), &port));
  EXPECT_TRUE(add(table, 1, 2, port, 5));
  EXPECT_TRUE(add(table, 3, std::nullopt, 0, 5));
  EXPECT_FALSE(port_pool_allocate(pool.get(), &port));
  EXPECT_EQ(flow_table_expire(table.get(), 6), 2u);
  EXPECT_TRUE(port_pool_allocate(pool.get(), &port));
  EXPECT_EQ(port, 10);
}

TEST(FlowTable, IgnoresPortsWithoutAPool) {
  Table table(flow_table_create(4, kSeed, nullptr));
  EXPECT_TRUE(add(table, 1, 2, 10, 5));
  EXPECT_EQ(flow_table_expire(table.get(), 6), 1u);
}

TEST(FlowTable, TimeDoesNotGoBack) {
  Table table(flow_table_create(4, kSeed, nullptr));
  EXPECT_EQ(add(table, 1, std::nullopt, 0, 100), 0u);
  EXPECT_EQ(add(table, 2, std::nullopt, 0, 50), 1u);  // counts as 100
  EXPECT_EQ(flow_table_expire(table.get(), 100), 0u);
  EXPECT_EQ(flow_table_expire(table.get(), 101), 2u);
  EXPECT_EQ(get(table, FLOW_INSIDE, 1), std::nullopt);
}

struct Operation {
  enum Kind { kGet, kAdd, kRenew, kExpire } kind;
  uint64_t inside;
  bool two_keys;
  bool port;
  uint32_t flow;
  uint64_t time;

  std::string text() const {
    static constexpr const char* kNames[] = {"get", "add", "renew", "expire"};
    return fmt::format("{} inside {} two keys {} port {} flow {} time {}", kNames[kind], inside, two_keys,
                       port, flow, time);
  }
};

struct Flow {
  uint64_t inside;
  std::optional<uint64_t> outside;
  uint16_t port;
  uint64_t time;
};

struct Model {
  std::map<uint32_t, Flow> flows;
  uint64_t newest = 0;

  std::optional<uint32_t> find(flow_side side, uint64_t number) const {
    for (const auto& [flow, each] : flows)
      if (side == FLOW_INSIDE ? each.inside == number : each.outside == number) return flow;
    return std::nullopt;
  }
};

uint64_t outside_of(uint64_t inside) {
  return inside * 3 + 1;
}

std::optional<std::string> disagreement(uint32_t capacity, uint64_t keys,
                                        std::span<const Operation> operations) {
  Pool pool(port_pool_create(1, capacity));
  Table table(flow_table_create(capacity, kSeed, pool.get()));
  Model model;
  uint32_t ports = 0;  // taken
  for (const Operation& operation : operations) {
    auto [kind, inside, two_keys, wants_port, flow, time] = operation;
    std::optional<uint32_t> held = model.find(FLOW_INSIDE, inside);
    switch (kind) {
      case Operation::kGet:
        if (get(table, FLOW_INSIDE, inside) != held) return "get inside differs";
        if (get(table, FLOW_OUTSIDE, outside_of(inside)) != model.find(FLOW_OUTSIDE, outside_of(inside)))
          return "get outside differs";
        break;
      case Operation::kAdd: {
        if (held) break;
        model.newest = std::max(model.newest, time);
        bool full = model.flows.size() == capacity;
        uint16_t port = 0;
        if (wants_port && !full && !port_pool_allocate(pool.get(), &port)) return "a port was not given back";
        std::optional<uint64_t> outside = two_keys ? std::optional(outside_of(inside)) : std::nullopt;
        std::optional<uint32_t> added = add(table, inside, outside, port, time);
        if (added.has_value() == full) return "add differs";
        if (added && !model.flows.emplace(*added, Flow{inside, outside, port, model.newest}).second)
          return "a flow is given twice";
        ports += port != 0;
        break;
      }
      case Operation::kRenew: {
        model.newest = std::max(model.newest, time);
        auto found = model.flows.find(flow);
        if (flow_table_renew(table.get(), flow, time) != (found != model.flows.end())) return "renew differs";
        if (found != model.flows.end()) found->second.time = model.newest;
        break;
      }
      case Operation::kExpire: {
        ports -= std::ranges::count_if(
            model.flows, [&](const auto& each) { return each.second.port != 0 && each.second.time < time; });
        size_t expired =
            std::erase_if(model.flows, [&](const auto& each) { return each.second.time < time; });
        if (flow_table_expire(table.get(), time) != expired) return "expire differs";
        break;
      }
    }
  }
  for (uint64_t key = 0; key < keys; key++)
    if (get(table, FLOW_INSIDE, key) != model.find(FLOW_INSIDE, key)) return "the flows differ";
  uint16_t port;
  for (uint32_t free = capacity - ports; free > 0; free--)
    if (!port_pool_allocate(pool.get(), &port)) return "a port is lost";
  if (port_pool_allocate(pool.get(), &port)) return "a port was given back twice";
  return std::nullopt;
}

class FlowTableModel : public testing::TestWithParam<uint32_t> {};

TEST_P(FlowTableModel, DoesWhatAMapDoes) {
  uint32_t capacity = GetParam();
  uint64_t keys = capacity * 2;
  uint64_t clock = 0;
  auto generate = [&](Random& random) {
    static constexpr Operation::Kind kKinds[] = {Operation::kGet, Operation::kAdd,   Operation::kAdd,
                                                 Operation::kAdd, Operation::kRenew, Operation::kExpire};
    Operation::Kind kind = kKinds[random.below(std::size(kKinds))];
    clock += random.below(4);
    uint64_t back = random.below(kind == Operation::kExpire ? 6 * capacity : 8);
    return Operation{kind,
                     random.below(keys),
                     random.below(2) == 0,
                     random.below(2) == 0,
                     static_cast<uint32_t>(random.below(capacity + 1)),
                     clock - std::min(clock, back)};
  };
  auto check = [&](std::span<const Operation> operations) {
    return disagreement(capacity, keys, operations);
  };
  EXPECT_TRUE(agrees_with_model<Operation>({.sequences = 100, .operations = 3'400, .seed = capacity},
                                           generate, check));
}

INSTANTIATE_TEST_SUITE_P(Capacities, FlowTableModel, testing::Values(1, 6, 24));

}  // namespace
}  // namespace perfpact::nflib
