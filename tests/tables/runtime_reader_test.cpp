#include "fixture.h"

namespace perfpact::tables {
namespace {

class RuntimeReaderTest : public TablesFixture {
 protected:
  static std::string with(const std::string& entry) { return "{\"table_entries\": [\n" + entry + "\n]}\n"; }
};

TEST_F(RuntimeReaderTest, ReadsTheTutorialsFormat) {
  ASSERT_TRUE(read(R"json({
  "target": "bmv2",
  "p4info": "build/basic.p4.p4info.txtpb",
  "bmv2_json": "build/basic.json",
  "table_entries": [
    {"table": "ingress.fib", "default_action": true, "action_name": "ingress.set_next", "action_params": {"next": 4}},
    {
      "table": "ingress.fib",
      "match": {"hdr.meta.vrf": [5], "hdr.ipv4.dst": ["10.0.1.0", 24]},
      "action_name": "ingress.forward",
      "action_params": {"mac": "08:00:00:00:01:11", "port": 1}
    },
    {"table": "ingress.acl", "priority": 7, "action_name": "NoAction",
     "match": {"hdr.ipv4.src": ["10.0.0.0", "255.0.0.0"], "hdr.udp.port": [5, 10], "hdr.ipv4.proto": 6,
               "hdr.ipv4.$valid$": 1}},
    {"table": "acl", "priority": 9, "action_name": "ingress.set_next", "action_params": {"next": 8},
     "match": {"hdr.ipv4.isValid()": 0}},
    {"table": "v6", "match": {"hdr.ipv6.dst": 340282366920938463463374607431768211455}, "action_name": "NoAction"}
  ],
  "multicast_group_entries": [
    {"multicast_group_id": 1, "replicas": [{"egress_port": 1, "instance": 2}, {"egress_port": 2, "instance": 3}]}
  ],
  "clone_session_entries": [
    {"clone_session_id": 5, "replicas": [{"egress_port": 6, "instance": 1}], "packet_length_bytes": 128}
  ]
})json"))
      << report();
  EXPECT_EQ(report(), "");
  ASSERT_TRUE(finish());
  EXPECT_EQ(looked_up("fib", {5, 0x0a000105}), "hit ingress.forward(1, 8796093022481)");
  EXPECT_EQ(looked_up("fib", {5, 0x0a000205}), "miss ingress.set_next(4)");
  EXPECT_TRUE(lookup("acl", {0x0a000105, 6, 10, 1}).hit);
  EXPECT_FALSE(lookup("acl", {0x0a000105, 6, 11, 1}).hit);
  EXPECT_EQ(looked_up("acl", {1, 2, 3, 0}), "hit ingress.set_next(8)");
  EXPECT_TRUE(lookup("v6", {all_ones(128)}).hit);
  const ControlPlane& control = tables.control_plane();
  ASSERT_EQ(control.multicast_groups.size(), 1u);
  EXPECT_EQ(control.multicast_groups[0].id, 1u);
  ASSERT_EQ(control.multicast_groups[0].replicas.size(), 2u);
  EXPECT_EQ(control.multicast_groups[0].replicas[1].port, 2u);
  EXPECT_EQ(control.multicast_groups[0].replicas[1].instance, 3u);
  ASSERT_EQ(control.clone_sessions.size(), 1u);
  EXPECT_EQ(control.clone_sessions[0].id, 5u);
  EXPECT_EQ(control.clone_sessions[0].truncate_to, 128u);
  ASSERT_EQ(control.clone_sessions[0].replicas.size(), 1u);
  EXPECT_EQ(control.clone_sessions[0].replicas[0].port, 6u);
}

TEST_F(RuntimeReaderTest, LargerPriorityWins) {
  ASSERT_TRUE(read(with(
      R"json({"table": "acl", "priority": 1, "match": {"isValid()": 1}, "action_name": "set_next", "action_params": {"next": 1}
},
{"table": "acl", "priority": 2, "match": {"isValid()": 1}, "action_name": "set_next", "action_params": {"next": 2}})json")))
      << report();
  ASSERT_TRUE(finish());
  EXPECT_EQ(looked_up("acl", {0, 0, 0, 1}), "hit ingress.set_next(2)");
}

TEST_F(RuntimeReaderTest, PlacesOfValues) {
  EXPECT_FALSE(read(
      with("  {\"table\": \"fib\", \"match\": {\"vrf\": 4096}, \"action_name\": \"NoAction\"},\n"
           "  {\"table\": \"fib\", \"match\": {\"vrf\": \"1\\\"\\\\\"}, \"action_name\": \"NoActon\"}")));
  EXPECT_EQ(
      report(),
      "input:2:37: error: '4096' does not fit key 'hdr.meta.vrf' of 12 bits [table-value-too-wide]\n"
      "  {\"table\": \"fib\", \"match\": {\"vrf\": 4096}, \"action_name\": \"NoAction\"},\n"
      "                                    ^~~~\n"
      "input:3:62: error: table 'ingress.fib' has no action 'NoActon'; did you mean 'NoAction'? "
      "[table-unknown-action]\n"
      "  {\"table\": \"fib\", \"match\": {\"vrf\": \"1\\\"\\\\\"}, \"action_name\": \"NoActon\"}\n"
      "                                                             ^~~~~~~~~\n"
      "input:3:37: error: '1\"\\' is no value for key 'hdr.meta.vrf'; expected a number (decimal, 0x, 0b), a "
      "MAC, IPv4 or IPv6 address [table-bad-value]\n"
      "  {\"table\": \"fib\", \"match\": {\"vrf\": \"1\\\"\\\\\"}, \"action_name\": \"NoActon\"}\n"
      "                                    ^~~~~~~\n");
}

TEST_F(RuntimeReaderTest, NumbersKeepAllTheirDigits) {
  expect_error(
      with(R"json({"table": "v6", "match": {"dst": 340282366920938463463374607431768211456},
 "action_name": "NoAction"})json"),
      "bad:2:34: error: '340282366920938463463374607431768211456' does not fit key 'hdr.ipv6.dst' of 128 "
      "bits [table-value-too-wide]");
  expect_error(
      with(R"json({"table": "v6", "match": {"dst": -1}, "action_name": "NoAction"})json"),
      "bad:2:34: error: '-1' is no value for key 'hdr.ipv6.dst'; expected a number (decimal, 0x, 0b), a MAC, "
      "IPv4 or IPv6 address [table-bad-value]");
}

TEST_F(RuntimeReaderTest, Structure) {
  expect_error(
      "{\"table_entries\": [}\n",
      "bad:1:20: error: not valid JSON: syntax error while parsing value - unexpected '}'; expected '[', "
      "'{', or a literal [json-syntax]");
  expect_error("{\"table_entries\": 5\n",
               "bad:1:20: error: not valid JSON: syntax error while parsing object - unexpected end of "
               "input; expected "
               "'}' [json-syntax]");
  expect_error("{\"target\": 1, \"target\": 2}\n",
               "bad:1:15: error: key 'target' stands twice [json-duplicate-key]");
  expect_error(
      "{\"table_entires\": []}\n",
      "bad:1:2: error: unknown key 'table_entires' in the P4Runtime file; did you mean 'table_entries'? "
      "[json-unknown-key]");
  expect_error("{\"table_entries\": {}}\n",
               "bad:1:19: error: table_entries must be a list, not an object "
               "[json-expected]");
  expect_error(with("7"), "bad:2:1: error: a table entry must be an object, not '7' [json-expected]");
  expect_error(with("{\"table\": \"fib\"}"),
               "bad:2:1: error: a table entry needs a key 'action_name' "
               "[json-missing-key]");
  expect_error(with("{\"table\": [], \"action_name\": \"NoAction\"}"),
               "bad:2:11: error: table must be a text or a number, not a list [json-expected]");
  std::string deep = "{\"table_entries\": ";
  for (int i = 0; i < 100000; ++i) deep += '[';
  expect_error(deep, "bad:1:82: error: not valid JSON: nested more than 64 deep [json-syntax]");
}

TEST_F(RuntimeReaderTest, Entries) {
  expect_error(with(R"json({"table": "fib", "match": 5, "action_name": "NoAction"})json"),
               "bad:2:27: error: match must be an object, not '5' [json-expected]");
  expect_error(
      with(R"json({"table": "fib", "match": {"vrf": 1, "dst": "10.0.0.0"}, "action_name": "NoAction"})json"),
      "bad:2:45: error: lpm key 'hdr.ipv4.dst' must be [value, prefix length], not '10.0.0.0' "
      "[json-expected]");
  expect_error(with(R"json({"table": "fib", "match": {"vrf": [1, 2]}, "action_name": "NoAction"})json"),
               "bad:2:35: error: exact key 'hdr.meta.vrf' must be a value, not a list [json-expected]");
  expect_error(
      with(R"json({"table": "fib", "match": {"vrf": 1, "meta.vrf": 2}, "action_name": "NoAction"})json"),
      "bad:2:38: error: the entry gives key 'hdr.meta.vrf' of table 'ingress.fib' twice [table-key-twice]");
  expect_error(
      with(R"json({"table": "fib", "match": {"dst": ["10.0.0.0", 8]}, "action_name": "NoAction"})json"),
      "bad:2:11: error: the entry gives no value for the exact key 'hdr.meta.vrf' of table 'ingress.fib' "
      "[table-missing-match]");
  expect_error(
      with(
          R"json({"table": "fib", "match": {"vrf": 1}, "action_name": "NoAction", "action_params": [1]})json"),
      "bad:2:83: error: action_params must be an object, not a list [json-expected]");
  expect_error(
      with(
          R"json({"table": "fib", "match": {"vrf": 1}, "action_name": "set_next", "action_params": {"next": []}})json"),
      "bad:2:92: error: next must be a text or a number, not a list [json-expected]");
  expect_error(
      with(R"json({"table": "fib", "match": {"vrf": 1}, "action_name": "set_next"})json"),
      "bad:2:54: error: action 'ingress.set_next' takes 1 arguments (next), not 0 [table-argument-count]");
  expect_error(
      with(R"json({"table": "acl", "match": {"isValid()": 1}, "action_name": "NoAction"})json"),
      "bad:2:11: error: the entry needs a priority: table 'ingress.acl' has a ternary, range or optional key "
      "[missing-priority]");
  expect_error(
      with(
          R"json({"table": "acl", "match": {"isValid()": 1}, "priority": 0, "action_name": "NoAction"})json"),
      "bad:2:57: error: priority '0' is no whole number from 1 to 2147483647 [bad-priority]");
  expect_error(
      with(R"json({"table": "fib", "match": {"vrf": 1}, "priority": 3, "action_name": "NoAction"})json"),
      "bad:2:51: error: entries of table 'ingress.fib' have no priority: it has no ternary, range "
      "or optional "
      "key [unexpected-priority]");
  expect_error(
      with(
          R"json({"table": "fib", "default_action": 1, "match": {"vrf": 1}, "action_name": "NoAction"})json"),
      "bad:2:36: error: default_action must be true or false, not '1' [json-expected]");
  expect_error(
      with(
          R"json({"table": "fib", "default_action": true, "match": {"vrf": 1}, "action_name": "NoAction"})json"),
      "bad:2:51: error: match of a default action must be empty, not an object [json-expected]");
}

TEST_F(RuntimeReaderTest, GroupsAndSessions) {
  expect_error(
      R"json({"multicast_group_entries": [{"multicast_group_id": 1}, {"multicast_group_id": 1}]})json",
      "bad:1:57: error: multicast group 1 exists already [duplicate-multicast-group]");
  expect_error(
      R"json({"multicast_group_entries": [{"multicast_group_id": 1, "replicas": [{"egress_port": "x", "instance": 1}]}]})json",
      "bad:1:85: error: egress_port must be a whole number of at most 32 bits, not 'x' [json-expected]");
  expect_error(R"json({"clone_session_entries": [{"replicas": []}]})json",
               "bad:1:28: error: a clone session needs a key 'clone_session_id' [json-missing-key]");
}

}  // namespace
}  // namespace perfpact::tables
