#include "fixture.h"

namespace perfpact::tables {
namespace {

class YamlReaderTest : public TablesFixture {
 protected:
  static std::string with(const std::string& tables) {
    return "schema: perfpact.tables/1\ntables:\n" + tables;
  }
};

TEST_F(YamlReaderTest, ReadsEveryKindOfMatch) {
  ASSERT_TRUE(read(with(R"yaml(
  ingress.fib:
    default: set_next(1)
    entries:
      - {match: {meta.vrf: 0x5, hdr.ipv4.dst: 10.0.0.0/8}, action: set_next(8)}
      - {match: {vrf: 5, dst: 10.1.2.3}, action: "forward(0x1f, 00:00:00:00:01:00)"}
      - match: {vrf: 6}
        action: "forward(mac: 3, port: 2)"
  acl:
    entries:
      - {match: {src: 0x0a000000 &&& 0xff000000, proto: 6, port: 5..10, hdr.ipv4.isValid(): 1}, action: set_next(2), priority: 9}
      - {match: {src: 10.0.0.1, port: 7, "hdr.ipv4.$valid$": true}, action: set_next(3), priority: 10}
      - {match: {src: "*", proto: "*", port: "*", hdr.ipv4.isValid(): 1}, action: NoAction}
  v6:
    entries:
      - {match: {dst: "fe80::1"}, action: NoAction()}
  ingress.macs:
    entries:
      - {match: {dst: "02:00:00:00:00:01"}, action: NoAction}
  egress.macs:
)yaml")))
      << report();
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(looked_up("fib", {5, 0x0a000001}), "hit ingress.set_next(8)");
  EXPECT_EQ(looked_up("fib", {5, 0x0a010203}), "hit ingress.forward(31, 256)");
  EXPECT_EQ(looked_up("fib", {6, 99}), "hit ingress.forward(2, 3)");
  EXPECT_EQ(looked_up("fib", {7, 99}), "miss ingress.set_next(1)");
  EXPECT_EQ(looked_up("acl", {0x0a000001, 6, 7, 1}), "hit ingress.set_next(3)");
  EXPECT_EQ(looked_up("acl", {0x0a000001, 6, 8, 1}), "hit ingress.set_next(2)");
  EXPECT_EQ(looked_up("acl", {0x0a000001, 6, 11, 1}), "hit NoAction()");
  EXPECT_EQ(lookup("acl", {0x0a000001, 6, 11, 1}).visited, 3u);
  EXPECT_EQ(looked_up("acl", {0x0a000001, 6, 7, 0}), "miss NoAction()");
  EXPECT_TRUE(lookup("v6", {(Integer(0xfe80) << 112) + 1}).hit);
  EXPECT_TRUE(lookup("ingress.macs", {0x020000000001}).hit);
  EXPECT_EQ(report(), "");
}

TEST_F(YamlReaderTest, Generate) {
  ASSERT_TRUE(read(with(R"yaml(
  ingress.macs:
    generate: {entries: 50, seed: 7, action: set_next(4), matching: any}
  acl:
    generate:
      - {entries: 10, seed: 1, action: NoAction, matching: none, priority: 5}
      - {entries: 20, action: set_next(1)}
)yaml")))
      << report();
  ASSERT_TRUE(finish());
  EXPECT_EQ(tables.entry_count(id("ingress.macs")), 50u);
  EXPECT_TRUE(tables.has_pending());
  EXPECT_FALSE(lookup("acl", {1, 2, 3, 1}).hit);
  ASSERT_TRUE(tables.materialize(diagnostics));
  EXPECT_FALSE(lookup("acl", {1, 2, 3, 1}).hit);
  EXPECT_EQ(tables.entry_count(id("acl")), 30u);
}

TEST_F(YamlReaderTest, ImpossibleGenerateNamesItsPlace) {
  ASSERT_TRUE(
      read("schema: perfpact.tables/1\n"
           "tables:\n"
           "  acl: {generate: {entries: 5, action: NoAction}}\n"
           "  ingress.macs: {}\n"));
  auto schemas = example_schemas();
  schemas[1].keys = {key("hdr.ipv4.isValid()", 1, MatchKind::Exact)};
  tables = TableSet(schemas);
  ASSERT_TRUE(read_tables(directory.path("input"), tables, diagnostics));
  ASSERT_TRUE(finish());
  EXPECT_FALSE(tables.materialize(diagnostics));
  EXPECT_EQ(
      report(),
      "input:3:19: error: cannot generate 5 entries for table 'ingress.acl': at most 2 are possible that are "
      "distinct and match no packet of the workload [impossible-generate]\n"
      "  acl: {generate: {entries: 5, action: NoAction}}\n"
      "                  ^\n");
}

TEST_F(YamlReaderTest, IncludesAreRelativeToTheFile) {
  std::filesystem::create_directories(directory.path("sub"));
  directory.write("sub/commands.txt", "table_add ingress.macs set_next 1 => 5\n");
  directory.write(
      "sub/runtime.json",
      R"json({"table_entries": [{"table": "egress.macs", "match": {"src": 2}, "action_name": "NoAction"}]})json");
  directory.write("sub/inner.yaml", "schema: perfpact.tables/1\ninclude: commands.txt\n");
  ASSERT_TRUE(read("schema: perfpact.tables/1\ninclude: [sub/inner.yaml, sub/runtime.json]\ntables: {}\n"))
      << report();
  ASSERT_TRUE(finish());
  EXPECT_EQ(looked_up("ingress.macs", {1}), "hit ingress.set_next(5)");
  EXPECT_TRUE(lookup("egress.macs", {2}).hit);
}

TEST_F(YamlReaderTest, TheSameFileTwiceIsNoCycle) {
  directory.write("a.yaml", "schema: perfpact.tables/1\ntables: {fib: {default: set_next(3)}}\n");
  ASSERT_TRUE(read("schema: perfpact.tables/1\ninclude: [a.yaml, a.yaml]\n")) << report();
}

TEST_F(YamlReaderTest, CyclicInclude) {
  directory.write("b.yaml", "schema: perfpact.tables/1\ninclude: [a.yaml]\n");
  EXPECT_FALSE(read("schema: perfpact.tables/1\ninclude: [b.yaml]\n", "a.yaml"));
  EXPECT_EQ(report(),
            "b.yaml:2:11: error: 'a.yaml' includes itself: a.yaml -> b.yaml -> a.yaml [cyclic-include]\n"
            "include: [a.yaml]\n"
            "          ^~~~~~\n");
}

TEST_F(YamlReaderTest, MissingInclude) {
  EXPECT_FALSE(read("schema: perfpact.tables/1\ninclude: [gone.txt]\n"));
  EXPECT_EQ(report(),
            "perfpact: error: cannot read 'gone.txt': No such file or directory [cannot-read]\n"
            "input:2:11: note: included here\n"
            "include: [gone.txt]\n"
            "          ^~~~~~~~\n");
}

TEST_F(YamlReaderTest, ClearsBitsOutsideTheMaskWithAWarning) {
  ASSERT_TRUE(
      read("schema: perfpact.tables/1\n"
           "tables:\n"
           "  fib:\n"
           "    entries:\n"
           "      - {match: {vrf: 1, dst: 10.1.2.3/8}, action: NoAction}\n"
           "  acl: {entries: [{match: {src: 0x1f &&& 0xf, isValid(): 1}, action: NoAction}]}\n"));
  ASSERT_TRUE(finish());
  EXPECT_TRUE(lookup("fib", {1, 0x0a7f0000}).hit);
  EXPECT_TRUE(lookup("acl", {0xff, 1, 2, 1}).hit);
  EXPECT_EQ(
      report(),
      "input:5:31: warning: '10.1.2.3' has bits outside its prefix for key 'hdr.ipv4.dst'; they are cleared, "
      "the value is 0xa000000 [table-bits-outside-mask]\n"
      "      - {match: {vrf: 1, dst: 10.1.2.3/8}, action: NoAction}\n"
      "                              ^~~~~~~~\n"
      "input:6:33: warning: '0x1f' has bits outside its mask for key 'hdr.ipv4.src'; they are cleared, the "
      "value is 0xf [table-bits-outside-mask]\n"
      "  acl: {entries: [{match: {src: 0x1f &&& 0xf, isValid(): 1}, action: NoAction}]}\n"
      "                                ^~~~\n");
}

TEST_F(YamlReaderTest, SeveralErrorsInOneRun) {
  EXPECT_FALSE(
      read(with("  fbi: {}\n"
                "  fib:\n"
                "    entries:\n"
                "      - {match: {vfr: 1}, action: set_nex(1)}\n"
                "      - {match: {vrf: 0x1000}, action: NoAction}\n")));
  EXPECT_EQ(
      report(),
      "input:3:3: error: there is no table 'fbi'; did you mean 'ingress.fib'? [unknown-table]\n"
      "  fbi: {}\n"
      "  ^~~\n"
      "input:6:18: error: table 'ingress.fib' has no key 'vfr'; did you mean 'hdr.meta.vrf'? "
      "[table-unknown-key]\n"
      "      - {match: {vfr: 1}, action: set_nex(1)}\n"
      "                 ^~~\n"
      "input:6:35: error: table 'ingress.fib' has no action 'set_nex'; did you mean 'ingress.set_next'? "
      "[table-unknown-action]\n"
      "      - {match: {vfr: 1}, action: set_nex(1)}\n"
      "                                  ^~~~~~~\n"
      "input:7:23: error: '0x1000' does not fit key 'hdr.meta.vrf' of 12 bits [table-value-too-wide]\n"
      "      - {match: {vrf: 0x1000}, action: NoAction}\n"
      "                      ^~~~~~\n");
}

TEST_F(YamlReaderTest, Structure) {
  expect_error("tables: {}\n", "bad:1:1: error: tables file needs a key 'schema' [yaml-missing-key]");
  expect_error("schema: perfpact.tables/2\n",
               "bad:1:9: error: schema is 'perfpact.tables/2'; expected 'perfpact.tables/1' [yaml-schema]");
  expect_error(
      "schema: perfpact.tables/1\ntable: {}\n",
      "bad:2:1: error: unknown key 'table' in tables file; did you mean 'tables'? [yaml-unknown-key]");
  expect_error("schema: perfpact.tables/1\ntables: [fib]\n",
               "bad:2:9: error: tables must be a mapping, not a list [yaml-expected]");
  expect_error("schema: perfpact.tables/1\ninclude: [{a: b}]\n",
               "bad:2:11: error: include must be a text, not a mapping [yaml-expected]");
  expect_error(with("  fib: {entries: 5}\n"),
               "bad:3:18: error: entries must be a list, not '5' [yaml-expected]");
  expect_error(with("  fib: 5\n"),
               "bad:3:8: error: table 'ingress.fib' must be a mapping, not '5' [yaml-expected]");
  expect_error(with("  fib: {entries: [7]}\n"),
               "bad:3:19: error: an entry must be a mapping, not '7' [yaml-expected]");
  expect_error(with("  fib: {entries: [{match: 1, action: NoAction}]}\n"),
               "bad:3:27: error: match must be a mapping, not '1' [yaml-expected]");
  expect_error(with("  fib: {entries: [{match: {vrf: [1]}, action: NoAction}]}\n"),
               "bad:3:33: error: vrf must be a text, not a list [yaml-expected]");
  expect_error(with("  fib: {entries: [{match: {vrf: 1}}]}\n"),
               "bad:3:19: error: an entry needs a key 'action' [yaml-missing-key]");
  expect_error(
      with("  fib: {entries: [{match: {vrf: 1}, action: NoAction, priorty: 1}]}\n"),
      "bad:3:55: error: unknown key 'priorty' in an entry; did you mean 'priority'? [yaml-unknown-key]");
}

TEST_F(YamlReaderTest, Matches) {
  const auto fib = [&](const std::string& match) {
    return with("  fib: {entries: [{match: {" + match + "}, action: NoAction}]}\n");
  };
  const auto acl = [&](const std::string& match) {
    return with("  acl: {entries: [{match: {isValid(): 1, " + match + "}, action: NoAction}]}\n");
  };
  expect_error(
      fib("dst: 10.0.0.0/8"),
      "bad:3:19: error: the entry gives no value for the exact key 'hdr.meta.vrf' of table 'ingress.fib' "
      "[table-missing-match]");
  expect_error(
      fib("vrf: 1, meta.vrf: 2"),
      "bad:3:36: error: the entry gives key 'hdr.meta.vrf' of table 'ingress.fib' twice [table-key-twice]");
  expect_error(
      fib("vrf: one"),
      "bad:3:33: error: 'one' is no value for key 'hdr.meta.vrf'; expected a number (decimal, 0x, 0b), a "
      "MAC, IPv4 or IPv6 address [table-bad-value]");
  expect_error(fib("vrf: 10.0.0.1"),
               "bad:3:33: error: '10.0.0.1' is an address of 32 bits, but key 'hdr.meta.vrf' has 12 bits "
               "[table-address-width]");
  expect_error(fib("vrf: 1 &&& 3"),
               "bad:3:33: error: '1 &&& 3' cannot match the exact key 'hdr.meta.vrf'; expected a value "
               "[table-bad-match]");
  expect_error(
      fib("vrf: '*'"),
      "bad:3:34: error: '*' cannot match the exact key 'hdr.meta.vrf'; expected a value [table-bad-match]");
  expect_error(fib("vrf: 1, dst: 10.0.0.0/33"),
               "bad:3:50: error: prefix length 33 is no number up to the 32 bits of key 'hdr.ipv4.dst' "
               "[table-prefix-too-long]");
  expect_error(
      fib("vrf: 1, dst: 1..2"),
      "bad:3:41: error: '1..2' cannot match the lpm key 'hdr.ipv4.dst'; expected 'value/length', a value or "
      "'*' [table-bad-match]");
  expect_error(
      acl("src: 10.0.0.0/8"),
      "bad:3:47: error: '10.0.0.0/8' cannot match the ternary key 'hdr.ipv4.src'; expected 'value &&& mask', "
      "a value or '*' [table-bad-match]");
  expect_error(acl("proto: 6 &&& 7"),
               "bad:3:55: error: '7' cannot match the optional key 'hdr.ipv4.proto'; expected a value or '*' "
               "[table-bad-match]");
  expect_error(
      acl("port: 10..5"),
      "bad:3:48: error: the range of key 'hdr.udp.port' is empty: 10 is above 5 [table-empty-range]");
  expect_error(
      acl("port: 5 &&& 1"),
      "bad:3:48: error: '5 &&& 1' cannot match the range key 'hdr.udp.port'; expected 'low..high', a value "
      "or '*' [table-bad-match]");
}

TEST_F(YamlReaderTest, Actions) {
  const auto action = [&](const std::string& text) {
    return with("  fib: {entries: [{match: {vrf: 1}, action: \"" + text + "\"}]}\n");
  };
  expect_error(action("forward(1)"),
               "bad:3:46: error: action 'ingress.forward' takes 2 arguments (port, mac), not 1 "
               "[table-argument-count]");
  expect_error(action("NoAction(1)"),
               "bad:3:46: error: action 'NoAction' takes 0 arguments (none), not 1 [table-argument-count]");
  expect_error(
      action("set_next(0x100000000)"),
      "bad:3:55: error: '0x100000000' does not fit parameter 'next' of 32 bits [table-value-too-wide]");
  expect_error(
      action("set_next(1"),
      "bad:3:46: error: 'set_next(1' is no action; expected 'name' or 'name(values)'; the ')' is missing (a "
      "text with a comma or ': ' needs quotes in YAML) [table-bad-action-text]");
  expect_error(
      action("forward(1,,2)"),
      "bad:3:46: error: 'forward(1,,2)' is no action; expected 'name' or 'name(values)'; an argument is "
      "empty [table-bad-action-text]");
  expect_error(action("forward(port: 1, mca: 2)"),
               "bad:3:63: error: action 'ingress.forward' has no parameter 'mca'; did you mean 'mac'? "
               "[table-unknown-parameter]");
  expect_error(
      action("forward(port: 1)"),
      "bad:3:46: error: parameter 'mac' of action 'ingress.forward' is not given [table-missing-argument]");
  expect_error(action("forward(port: 1, port: 2)"),
               "bad:3:63: error: parameter 'port' of action 'ingress.forward' is given twice "
               "[table-argument-twice]");
  expect_error(
      action("forward(port: 1, 2)"),
      "bad:3:63: error: either all arguments of action 'ingress.forward' are named or none; this one has no "
      "name [table-mixed-arguments]");
  expect_error(
      action("forward(1, mac: 2)"),
      "bad:3:54: error: either all arguments of action 'ingress.forward' are named or none; this one has no "
      "name [table-mixed-arguments]");
  expect_error(
      action("on_miss()"),
      "bad:3:46: error: action 'ingress.on_miss' is @defaultonly in table 'ingress.fib': no entry can have "
      "it [table-default-only]");
  expect_error(
      with("  fib: {default: only_entry}\n"),
      "bad:3:18: error: action 'ingress.only_entry' is @tableonly in table 'ingress.fib': it cannot be the "
      "default [table-table-only]");
  expect_error(with("  acl: {default: set_next(1)}\n"),
               "bad:3:18: error: the default action of table 'ingress.acl' is const [table-const-default]");
}

TEST_F(YamlReaderTest, AConstDefaultMayBeSaidAgain) {
  EXPECT_TRUE(read(with("  acl: {default: NoAction}\n"))) << report();
}

TEST_F(YamlReaderTest, Priorities) {
  expect_error(with("  fib: {entries: [{match: {vrf: 1}, action: NoAction, priority: 1}]}\n"),
               "bad:3:65: error: entries of table 'ingress.fib' have no priority: it has no ternary, range "
               "or optional "
               "key [unexpected-priority]");
  expect_error(
      with("  acl: {entries: [{match: {isValid(): 1}, action: NoAction, priority: -1}]}\n"),
      "bad:3:71: error: priority '-1' is no whole number from 0 to 9223372036854775807 [bad-priority]");
}

TEST_F(YamlReaderTest, GenerateMistakes) {
  expect_error(with("  fib: {generate: {action: NoAction}}\n"),
               "bad:3:19: error: generate needs a key 'entries' [yaml-missing-key]");
  expect_error(with("  fib: {generate: {entries: 1}}\n"),
               "bad:3:19: error: generate needs a key 'action' [yaml-missing-key]");
  expect_error(with("  fib: {generate: {entries: 1, action: NoAction, matching: some}}\n"),
               "bad:3:60: error: matching must be 'none' or 'any', not 'some' [generate-bad-matching]");
  expect_error(with("  fib: {generate: {entries: 1000000000, action: NoAction}}\n"),
               "bad:3:29: error: entries must be at most 100000000, not '1000000000' [yaml-expected]");
  expect_error(with("  fib: {generate: {entries: 1, action: NoAction, priority: 3}}\n"),
               "bad:3:60: error: entries of table 'ingress.fib' have no priority: it has no ternary, range "
               "or optional "
               "key [unexpected-priority]");
  expect_error(with("  fib: {generate: 5}\n"),
               "bad:3:19: error: generate must be a mapping, not '5' [yaml-expected]");
}

}  // namespace
}  // namespace perfpact::tables
