#include "fixture.h"

namespace perfpact::tables {
namespace {

class CommandReaderTest : public TablesFixture {};

TEST_F(CommandReaderTest, ReadsTables) {
  ASSERT_TRUE(
      read("// routes\n"
           "\n"
           "table_set_default fib set_next 1   # of the rest\n"
           "table_add ingress.fib forward 5 10.0.0.0/8 => 3 00:00:00:00:00:10\r\n"
           "\ttable_add fib set_next 0x5 10.1.0.0/16 => 10.0.0.1 // next hop\n"
           "table_dump fib\n"
           "table_add acl set_next 10.0.0.0&&&255.0.0.0 6&&&0xff 5->10 1 => 2 20\n"
           "table_add acl set_next 0&&&0 0&&&0 0->0xffff 1 => 3 10\n"
           "table_add v6 NoAction 2001:db8::1 =>"))
      << report();
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(report(), "");
  EXPECT_EQ(looked_up("fib", {5, 0x0a000001}), "hit ingress.forward(3, 16)");
  EXPECT_EQ(looked_up("fib", {5, 0x0a010001}), "hit ingress.set_next(167772161)");
  EXPECT_EQ(looked_up("fib", {6, 0}), "miss ingress.set_next(1)");
  EXPECT_TRUE(lookup("v6", {(Integer(0x20010db8) << 96) + 1}).hit);
  // The smaller priority wins.
  EXPECT_EQ(looked_up("acl", {0x0a000000, 6, 5, 1}), "hit ingress.set_next(3)");
}

TEST_F(CommandReaderTest, SmallerPriorityWinsInTheOrderOfTheFile) {
  ASSERT_TRUE(
      read("table_add acl set_next 0&&&0 1 0->9 1 => 1 30\n"
           "table_add acl set_next 0&&&0 1 0->8 1 => 2 7\n"
           "table_add acl set_next 0&&&0 1 0->7 1 => 3 7\n"
           "table_add acl set_next 0&&&0 1 0->6 1 => 4 0\n"));
  ASSERT_TRUE(finish());
  const auto seen = [&](int port) {
    const LookupResult result = lookup("acl", {5, 1, port, 1});
    return action_of("acl", result) + " " + std::to_string(result.visited);
  };
  EXPECT_EQ(seen(6), "ingress.set_next(4) 1");
  EXPECT_EQ(seen(7), "ingress.set_next(2) 2");
  EXPECT_EQ(seen(8), "ingress.set_next(2) 2");
  EXPECT_EQ(seen(9), "ingress.set_next(1) 4");
}

TEST_F(CommandReaderTest, ModifyAndDeleteByHandle) {
  ASSERT_TRUE(
      read("table_add fib set_next 1 10.0.0.0/8 => 0\n"
           "table_add acl NoAction 0&&&0 1 0->9 1 => 1\n"
           "table_add fib set_next 2 10.0.0.0/8 => 1\n"
           "table_modify fib set_next 1 => 77\n"
           "table_modify fib NoAction 0\n"
           "table_delete acl 0\n"))
      << report();
  ASSERT_TRUE(finish());
  EXPECT_EQ(looked_up("fib", {1, 0x0a000000}), "hit NoAction()");
  EXPECT_EQ(looked_up("fib", {2, 0x0a000000}), "hit ingress.set_next(77)");
  EXPECT_EQ(tables.entry_count(id("acl")), 0u);
}

TEST_F(CommandReaderTest, Handles) {
  expect_error("table_add fib NoAction 1 10.0.0.0/8 =>\ntable_delete fib 1\n",
               "bad:2:18: error: table 'ingress.fib' has no entry with handle 1 here [unknown-handle]");
  expect_error("table_add fib NoAction 1 10.0.0.0/8 =>\ntable_delete fib 0\ntable_delete fib 0\n",
               "bad:3:18: error: table 'ingress.fib' has no entry with handle 0 here [unknown-handle]");
  expect_error("table_delete fixed 0\n",
               "bad:1:20: error: table 'ingress.fixed' has no entry with handle 0 here [unknown-handle]");
  expect_error(
      "table_delete fib x\n",
      "bad:1:18: error: 'x' is no handle; expected a whole number up to 4294967295 [command-bad-number]");
  expect_error(
      "table_add fib NoAction 1 10.0.0.0/8 =>\n"
      "table_delete fib 0\n"
      "table_add fib NoAction 2 10.0.0.0/8 =>\n"
      "table_modify fib NoAction 1\n",
      "bad:4:27: error: not supported yet: handle 1 of an entry of table 'ingress.fib' that was added after "
      "a "
      "table_delete [uncertain-handle]");
}

TEST_F(CommandReaderTest, MulticastAndClones) {
  ASSERT_TRUE(
      read("mc_mgrp_create 5\n"
           "mc_node_create 0 1 2\n"
           "mc_node_create 7 3\n"
           "mc_node_associate 5 1\n"
           "mc_node_associate 5 0\n"
           "mirroring_add 9 4\n"))
      << report();
  const ControlPlane& control = tables.control_plane();
  ASSERT_EQ(control.multicast_groups.size(), 1u);
  EXPECT_EQ(control.multicast_groups[0].id, 5u);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> replicas;
  for (const auto& replica : control.multicast_groups[0].replicas)
    replicas.emplace_back(replica.port, replica.instance);
  EXPECT_EQ(replicas, (decltype(replicas){{3, 7}, {1, 0}, {2, 0}}));
  ASSERT_EQ(control.clone_sessions.size(), 1u);
  EXPECT_EQ(control.clone_sessions[0].id, 9u);
  EXPECT_EQ(control.clone_sessions[0].truncate_to, 0u);
  ASSERT_EQ(control.clone_sessions[0].replicas.size(), 1u);
  EXPECT_EQ(control.clone_sessions[0].replicas[0].port, 4u);

  expect_error("mc_mgrp_create 5\nmc_mgrp_create 5\n",
               "bad:2:16: error: multicast group 5 exists already [duplicate-multicast-group]");
  expect_error("mirroring_add 1 5\nmirroring_add 1 6\n",
               "bad:2:15: error: clone session 1 exists already [duplicate-clone-session]");
  expect_error(
      "mc_mgrp_create 5\nmc_node_associate 5 0\n",
      "bad:2:21: error: no multicast node with handle 0 was created before [unknown-multicast-node]");
  expect_error("mc_node_create 0 1\nmc_node_associate 5 0\n",
               "bad:2:19: error: no multicast group 5 was created before [unknown-multicast-group]");
  expect_error(
      "mc_node_create 0 1 | 2\n",
      "bad:1:20: error: not supported yet: mc_node_create (link aggregation groups) [unsupported-command]");
  expect_error(
      "mirroring_add 1 port\n",
      "bad:1:17: error: 'port' is no port; expected a whole number up to 4294967295 [command-bad-number]");
}

TEST_F(CommandReaderTest, WhatIsNotSupportedIsSaid) {
  const auto expect_unsupported = [&](const std::string& command, const std::string& what) {
    expect_error(command + " a 1 2\n",
                 "bad:1:1: error: not supported yet: " + command + " (" + what + ") [unsupported-command]");
  };
  expect_unsupported("act_prof_delete_member", "this change of an action profile");
  expect_unsupported("table_indirect_delete_member", "this change of an action profile");
  expect_unsupported("pvs_remove", "this change of a value set");
  expect_unsupported("register_write", "registers set by the control plane");
  expect_unsupported("counter_write", "counters set by the control plane");
  expect_unsupported("meter_set_rates", "meters set by the control plane");
  expect_unsupported("set_queue_depth", "queue settings");
  expect_unsupported("mirroring_add_mc", "this change of clone sessions");
  expect_unsupported("mc_node_update", "this change of multicast groups");
  expect_unsupported("table_set_timeout", "this change of a table");
  expect_error(
      "table_clear fixed\n",
      "bad:1:1: error: not supported yet: table_clear (entries of the program) [unsupported-command]");
}

TEST_F(CommandReaderTest, Mistakes) {
  expect_error("tabel_add fib NoAction 1 1/1 =>\n",
               "bad:1:1: error: unknown command 'tabel_add'; did you mean 'table_add'? [unknown-command]");
  expect_error(
      "table_add fib\n",
      "bad:1:1: error: expected 'table_add TABLE ACTION KEY... => PARAMETER... [PRIORITY]' [command-usage]");
  expect_error(
      "table_add fib NoAction 1 10.0.0.0/8\n",
      "bad:1:1: error: expected 'table_add TABLE ACTION KEY... => PARAMETER... [PRIORITY]' [command-usage]");
  expect_error("table_add fbi NoAction 1 10.0.0.0/8 =>\n",
               "bad:1:11: error: there is no table 'fbi'; did you mean 'ingress.fib'? [unknown-table]");
  expect_error(
      "table_add macs NoAction 1 =>\n",
      "bad:1:11: error: 'macs' is ambiguous: it can be 'ingress.macs' or 'egress.macs' [ambiguous-name]");
  expect_error("table_add fib NoActon 1 10.0.0.0/8 =>\n",
               "bad:1:15: error: table 'ingress.fib' has no action 'NoActon'; did you mean 'NoAction'? "
               "[table-unknown-action]");
  expect_error("table_add fib NoAction 10.0.0.0/8 =>\n",
               "bad:1:1: error: table 'ingress.fib' has 2 keys, the entry gives 1 [table-key-count]");
  expect_error("table_add fib NoAction 0x1000 10.0.0.0/8 =>\n",
               "bad:1:24: error: '0x1000' does not fit key 'hdr.meta.vrf' of 12 bits [table-value-too-wide]");
  expect_error(
      "table_add fib set_next 1 10.0.0.0/8 => 1 2\n",
      "bad:1:15: error: action 'ingress.set_next' takes 1 arguments (next), not 2 [table-argument-count]");
  expect_error(
      "table_add acl set_next 1&&&1 6 0->9 1 => 7\n",
      "bad:1:1: error: the entry needs a priority: table 'ingress.acl' has a ternary, range or optional key "
      "[missing-priority]");
  expect_error(
      "table_add acl NoAction 1&&&1 6 0->9 1 =>\n",
      "bad:1:1: error: the entry needs a priority: table 'ingress.acl' has a ternary, range or optional key "
      "[missing-priority]");
  expect_error("table_add acl set_next 1&&&1 6 0->9 1 => 7 high\n",
               "bad:1:44: error: priority 'high' is no whole number from 0 to 2147483647 [bad-priority]");
  expect_error("table_set_default acl set_next 1\n",
               "bad:1:23: error: the default action of table 'ingress.acl' is const [table-const-default]");
}

TEST_F(CommandReaderTest, LinesHaveALimit) {
  expect_error("\n" + std::string(100000, 'x'),
               "bad:2:1: error: a line of 100000 bytes; commands have at most 65536 [command-line-too-long]");
}

TEST_F(CommandReaderTest, StopsAfterManyErrors) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "noise" + std::to_string(i) + "\n";
  EXPECT_FALSE(read(text));
  EXPECT_EQ(diagnostics.error_count(), 101u);
  EXPECT_NE(diagnostics.all().back().message.find("more than 100 errors; the rest of"), std::string::npos);
  EXPECT_EQ(diagnostics.all().back().kind->id, "too-many-errors");
}

}  // namespace
}  // namespace perfpact::tables
