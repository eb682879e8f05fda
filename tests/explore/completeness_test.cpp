// Exploring against trying out: programs whose inputs can all be run.
#include <map>

#include "explored.h"
#include "smt/model.h"

namespace perfpact::explore {
namespace {

std::vector<program::InputPacket> all_packets(std::size_t longest) {
  std::vector<program::InputPacket> packets{{0, {}}};
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (packets[i].bytes.size() == longest) continue;
    for (int byte = 0; byte < 256; ++byte) {
      program::InputPacket packet = packets[i];
      packet.bytes.push_back(static_cast<std::uint8_t>(byte));
      packets.push_back(std::move(packet));
    }
  }
  return packets;
}

// Whether the packet is one of those that the condition describes; its symbols are those of the packet.
bool holds(const smt::Constraints& condition, const program::InputPacket& packet) {
  smt::Context context;
  smt::Importer import(context);
  std::vector<smt::Expr> all;
  for (smt::Expr expr : condition.to_vector()) all.push_back(import(expr));
  auto model = std::make_shared<smt::Model>();
  for (std::uint32_t i = 0; i < context.symbols(); ++i) {
    const smt::Expr symbol = context.symbol(i);
    if (symbol.name() == "length") model->set(symbol, smt::Value(symbol.width(), packet.bytes.size()));
    for (std::size_t at = 0; at < packet.bytes.size(); ++at)
      if (symbol.name() == fmt::format("packet[{}]", at)) model->set(symbol, smt::Value(8, packet.bytes[at]));
  }
  smt::Evaluation evaluation(std::move(model));
  return std::ranges::all_of(all, [&](smt::Expr bit) { return evaluation.holds(bit); });
}

struct Case {
  std::string program;
  std::size_t longest;
  bool has_hash = false;     // conditions then speak of more than the packet
  bool has_formulas = true;  // of the entries of tables
  bool zero_state = false;   // registers
};

class Completeness : public testing::TestWithParam<Case> {};

TEST_P(Completeness, ThePathsAreThoseThatPacketsTake) {
  Explored explored(GetParam().program);
  explored.options.longest = static_cast<std::uint32_t>(GetParam().longest);
  explored.options.limits.passes = 8;
  explored.options.zero_state = GetParam().zero_state;
  if (!GetParam().has_formulas) explored.options.limits.entries = 0;
  explored.run();
  EXPECT_TRUE(explored.explorer->gaps().empty());

  tables::TableSet tables(explored.program->tables);
  ASSERT_TRUE(tables.finish(explored.diagnostics));
  p4::Interpreter interpreter(*explored.program, tables);
  std::set<program::PathId> taken;
  const std::vector<program::InputPacket> packets = all_packets(GetParam().longest);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    interpreter.reset();
    const program::PathId path = interpreter.run(packets[i]).path;
    taken.insert(path);
    if (GetParam().has_hash || i % 101 != 0) continue;
    std::vector<program::PathId> described;
    for (const Explored::Way& way : explored.ways)
      if (holds(way.condition, packets[i])) described.push_back(way.id);
    EXPECT_EQ(described, std::vector{path}) << "packet " << i;
  }
  EXPECT_EQ(explored.paths, taken);
  EXPECT_GE(taken.size(), 5U);
}

INSTANTIATE_TEST_SUITE_P(Programs, Completeness,
                         testing::Values(Case{"parsing.p4", 2}, Case{"matching.p4", 2, true},
                                         Case{"matching.p4", 2, true, false}, Case{"passing.p4", 2},
                                         Case{"cells.p4", 2, false, true, true}),
                         [](const auto& test) {
                           return test.param.program.substr(0, test.param.program.find('.')) +
                                  (test.param.has_formulas ? "" : "_large");
                         });

// What the control plane can put into any_tables.p4.
struct World {
  std::array<int, 2> entries;  // by key: none, set(0), set(1), drop
  int miss;                    // set(0), set(1), drop
  std::array<int, 2> cells;
  std::size_t group;  // members
};

template <class Use>
void each_world(Use use) {
  for (int code = 0; code < 4 * 4 * 3 * 4 * 3; ++code)
    use(World{{code % 4, code / 4 % 4},
              code / 16 % 3,
              {code / 48 % 2, code / 96 % 2},
              static_cast<std::size_t>(code / 192)});
}

tables::ActionCall action(int choice) {
  return choice == 2 ? tables::ActionCall{1, {}} : tables::ActionCall{0, {choice}};
}

TEST(OpenTables, ThePathsAreThoseOfAllContents) {
  Explored explored("any_tables.p4");
  explored.options.longest = 1;
  explored.options.limits.replicas = 2;
  explored.run();
  ASSERT_FALSE(explored.explorer->gaps().empty());
  for (const Gap& gap : explored.explorer->gaps())
    EXPECT_EQ(gap.reason, "a multicast group with more than 2 members");

  std::set<program::PathId> taken;
  each_world([&](const World& world) {
    tables::TableSet tables(explored.program->tables);
    const tables::TableId table{};
    for (int key = 0; key < 2; ++key)
      if (const int choice = world.entries[static_cast<std::size_t>(key)]; choice > 0)
        tables.add_entry(table, {{{key, 1, 0}}, 0, action(choice - 1), {}, {}});
    tables.set_default(table, action(world.miss));
    tables.control_plane().multicast_groups.push_back({1, {world.group, {4, 0}}});
    ASSERT_TRUE(tables.finish(explored.diagnostics));
    p4::Interpreter interpreter(*explored.program, tables);
    for (const program::InputPacket& packet : all_packets(1)) {
      for (std::size_t i = 0; i < 2; ++i) interpreter.set_register_cell({}, i, world.cells[i]);
      taken.insert(interpreter.run(packet).path);
    }
  });
  EXPECT_EQ(explored.paths, taken);
  EXPECT_GT(taken.size(), 10U);
}

TEST(OpenTables, StateCanStartAtZero) {
  Explored any("any_tables.p4");
  any.run();
  Explored zero("any_tables.p4");
  zero.options.zero_state = true;
  zero.run();
  EXPECT_LT(zero.paths.size(), any.paths.size());
  EXPECT_TRUE(std::ranges::includes(any.paths, zero.paths));
}

TEST(Limits, WhatIsBeyondThemIsAGap) {
  Explored explored("passing.p4");
  explored.options.limits.passes = 2;
  explored.run();
  ASSERT_FALSE(explored.explorer->gaps().empty());
  for (const Gap& gap : explored.explorer->gaps()) {
    EXPECT_EQ(gap.reason, "more than 2 passes");
    ASSERT_TRUE(gap.witness.has_value());
    const program::Trace trace = replay(*explored.program, *gap.witness, nullptr, 2);
    EXPECT_TRUE(std::holds_alternative<program::Gap>(trace.verdict));
  }
}

}  // namespace
}  // namespace perfpact::explore
