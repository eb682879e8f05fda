#include "tables/stf.h"

#include "fixture.h"

namespace perfpact::tables {
namespace {

class StfTest : public TablesFixture {
 protected:
  std::vector<stf::Statement> statements(const std::string& text) {
    auto read = stf::read(directory.write("t.stf", text), tables, diagnostics);
    EXPECT_TRUE(read) << report();
    return read.value_or(std::vector<stf::Statement>{});
  }
  /// Installs all of the text, into `tables`.
  void install(const std::string& text) {
    stf::Installed installed(example_schemas());
    for (const stf::Statement& statement : statements(text))
      if (const auto* control = std::get_if<stf::Control>(&statement.what))
        installed.apply(*control, statement.span, diagnostics);
    auto built = installed.build(diagnostics);
    ASSERT_TRUE(built) << report();
    tables = std::move(*built);
  }
  void expect_stf_error(const std::string& text, const std::string& expected) {
    SourceManager own_sources;
    Diagnostics own(own_sources);
    EXPECT_FALSE(stf::read(directory.write("bad", text), tables, own)) << text;
    const std::string all = own.render();
    const std::string line = all.substr(0, all.find('\n'));
    EXPECT_EQ(line.substr(line.find("bad:")), "bad:" + expected) << "for:\n" << text;
    EXPECT_EQ(own.error_count(), 1U) << all;
  }
};

TEST_F(StfTest, PacketsAndExpectations) {
  const auto read = statements(
      "# a comment\n"
      "packet 0 00 01ab CD 2   3 # spaces are free\r\n"
      "\n"
      "  EXPECT 510 0**aB\n"
      "expect 1 00 $\n"
      "expect 2\n"
      "expect 2 $\n"
      "wait\n"
      "no_packet");
  ASSERT_EQ(read.size(), 6U);
  const auto& packet = std::get<stf::Packet>(read[0].what);
  EXPECT_EQ(packet.port, 0U);
  EXPECT_EQ(packet.bytes, (std::vector<std::uint8_t>{0, 1, 0xab, 0xcd, 0x23}));
  EXPECT_EQ(read[0].span.begin, (Position{2, 1}));
  const auto& prefix = std::get<stf::Expect>(read[1].what);
  EXPECT_EQ(prefix.port, 510U);
  EXPECT_EQ(prefix.digits, "0**ab");
  EXPECT_FALSE(prefix.is_exact);
  EXPECT_TRUE(std::get<stf::Expect>(read[2].what).is_exact);
  EXPECT_EQ(std::get<stf::Expect>(read[3].what).digits, "");
  EXPECT_FALSE(std::get<stf::Expect>(read[3].what).is_exact);
  EXPECT_TRUE(std::get<stf::Expect>(read[4].what).is_exact);
  EXPECT_TRUE(std::holds_alternative<stf::ExpectNone>(read[5].what));
}

TEST_F(StfTest, EntriesAndDefaults) {
  install(
      "add ingress.fib hdr.meta.vrf:5 hdr.ipv4.dst:0x0a000000/8 ingress.forward(port:3, mac:0x10)\n"
      "add fib 7 vrf:0b101 dst:0x0a01**** set_next(next:1) = handle\n"
      "add fib set_next(next:9)\n"
      "setdefault fib set_next(next:2)\n"
      "add \"ingress.macs\" \"hdr.ethernet.dst\":0X0000000000ff NoAction()\n");
  EXPECT_EQ(looked_up("fib", {5, 0x0a000001}), "hit ingress.forward(3, 16)");
  EXPECT_EQ(looked_up("fib", {5, 0x0a010001}), "hit ingress.set_next(1)");
  EXPECT_EQ(looked_up("fib", {0, 0x0b000001}), "hit ingress.set_next(9)");  // exact 0, any prefix
  EXPECT_EQ(looked_up("fib", {6, 0}), "miss ingress.set_next(2)");
  EXPECT_TRUE(lookup("ingress.macs", {0xff}).hit);
}

TEST_F(StfTest, StarsPrioritiesAndValidity) {
  install(
      "add acl 10 hdr.ipv4.src:0x0a0000** proto:0x** hdr.ipv4:1 set_next(next:1)\n"
      "add acl 20 src:0x0a000001 hdr.ipv4.valid:1 set_next(next:2)\n"
      "add acl 5 valid:1 set_next(next:3)\n"
      "add acl 1 hdr.ipv4.$valid$:0 set_next(next:4)\n");
  EXPECT_EQ(looked_up("acl", {0x0a000001, 6, 5, 1}), "hit ingress.set_next(2)");  // the larger priority
  EXPECT_EQ(looked_up("acl", {0x0a000002, 6, 5, 1}), "hit ingress.set_next(1)");
  EXPECT_EQ(looked_up("acl", {0x0b000002, 6, 5, 1}), "hit ingress.set_next(3)");
  EXPECT_EQ(looked_up("acl", {0x0b000002, 6, 5, 0}), "hit ingress.set_next(4)");
}

TEST_F(StfTest, StacksAndDollarKeys) {
  TableSchema schema;
  schema.name = "t";
  schema.keys = {key("hdr.extra[0].h", 16, MatchKind::Ternary), key("meta.x$", 8, MatchKind::Exact)};
  schema.actions = {{"NoAction", {}, false, false, {}}};
  tables = TableSet({schema});
  EXPECT_EQ(statements("add t 1 extra$0.h:0x25** x:1 NoAction()\n"
                       "add t 2 hdr.extra[0].h:0x2525 NoAction()\n")
                .size(),
            2U);
}

TEST_F(StfTest, RemoveAllRemovesWhatWasAdded) {
  install(
      "add ingress.macs dst:1 NoAction()\n"
      "remove all\n"
      "add ingress.macs dst:2 NoAction()\n");
  EXPECT_FALSE(lookup("ingress.macs", {1}).hit);
  EXPECT_TRUE(lookup("ingress.macs", {2}).hit);
}

TEST_F(StfTest, GroupsAndSessions) {
  install(
      "mirroring_add_mc 7 1113\n"
      "mirroring_add 8 3\n"
      "mirroring_add 8 4\n"
      "mirroring_add 9 4\n"
      "mirroring_delete 9\n"
      "mirroring_get 7\n"
      "mc_mgrp_create 1113\n"
      "mc_node_create 400 6 7\n"
      "mc_node_create 401 8\n"
      "mc_node_update 1 9\n"
      "mc_node_associate 1113 0\n"
      "mc_node_associate 1113 1\n");
  const ControlPlane& plane = tables.control_plane();
  ASSERT_EQ(plane.multicast_groups.size(), 1U);
  const auto& replicas = plane.multicast_groups[0].replicas;
  ASSERT_EQ(replicas.size(), 3U);
  EXPECT_EQ(replicas[1].port, 7U);
  EXPECT_EQ(replicas[1].instance, 400U);
  EXPECT_EQ(replicas[2].port, 9U);
  ASSERT_EQ(plane.clone_sessions.size(), 2U);
  EXPECT_EQ(plane.clone_sessions[0].replicas.size(), 3U);
  ASSERT_EQ(plane.clone_sessions[1].replicas.size(), 1U);
  EXPECT_EQ(plane.clone_sessions[1].replicas[0].port, 4U);
}

TEST_F(StfTest, RegistersAndCounters) {
  const auto read = statements(
      "register_read ingress.r 3\n"
      "register_write r 3 0x10\n"
      "register_reset r\n"
      "counter_read c 1\n"
      "check_counter c(2) bytes >= 64\n"
      "check_counter c(2) packets == 1\n"
      "check_counter c(2)\n");
  ASSERT_EQ(read.size(), 7U);
  EXPECT_EQ(std::get<stf::RegisterRead>(read[0].what).name.text, "ingress.r");
  EXPECT_EQ(std::get<stf::RegisterWrite>(read[1].what).value, 16);
  const auto& check = std::get<stf::CheckCounter>(read[4].what);
  EXPECT_TRUE(check.counts_bytes);
  EXPECT_EQ(check.comparison, ">=");
  EXPECT_EQ(check.value, 64);
  EXPECT_FALSE(std::get<stf::CheckCounter>(read[5].what).counts_bytes);
}

TEST_F(StfTest, Errors) {
  expect_stf_error(
      "packt 0 00\n",
      "1:1: error: 'packt' is no statement of STF; did you mean 'packet'? [stf-unknown-statement]");
  expect_stf_error("packet 0 000\n",
                   "1:10: error: not a packet in hex: the number of digits is odd [packet-bad-hex]");
  expect_stf_error("packet 0 0g\n",
                   "1:11: error: expected the end of the statement, found 'g' [stf-expected]");
  expect_stf_error("packet 0 00 *\n",
                   "1:13: error: expected the end of the statement, found '*' [stf-expected]");
  expect_stf_error("expect 0 $ 00\n",
                   "1:12: error: expected the end of the statement, found '00' [stf-expected]");
  expect_stf_error("packet x\n", "1:8: error: expected port, found 'x' [stf-expected]");
  expect_stf_error("add fib vrf:1\n",
                   "1:14: error: expected a key or an action, found the end of the line [stf-expected]");
  expect_stf_error("add fib vrf:0x NoAction()\n",
                   "1:13: error: expected a number, found '0x' [stf-expected]");
  expect_stf_error(
      "add fib vrf:0x1* NoAction()\n",
      "1:13: error: '0x1*' cannot match the exact key 'hdr.meta.vrf': '*' stands in ternary keys, and at "
      "the end in lpm keys [stf-stars]");
  expect_stf_error(
      "add fib vrf:1/3 NoAction()\n",
      "1:13: error: a prefix length with the exact key 'hdr.meta.vrf'; only lpm keys have one [stf-prefix]");
  expect_stf_error(
      "add fib vrf:1 vrf:1 NoAction()\n",
      "1:15: error: the entry gives key 'hdr.meta.vrf' of table 'ingress.fib' twice [table-key-twice]");
  expect_stf_error(
      "add acl src:1 NoAction()\n",
      "1:1: error: the entry needs a priority: table 'ingress.acl' has a ternary, range or optional key "
      "[missing-priority]");
  expect_stf_error("meter_set_rates m 0 1:1 2:2\n",
                   "1:1: error: not supported yet: 'meter_set_rates' in an STF file [stf-unsupported]");
  expect_stf_error("check_counter c(1) packets => 1\n",
                   "1:28: error: expected one of ==, !=, <, <=, >, >=, found '=>' [stf-expected]");
  expect_stf_error("remove x\n", "1:8: error: expected 'all', found 'x' [stf-expected]");
}

}  // namespace
}  // namespace perfpact::tables
