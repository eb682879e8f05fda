#include "tables/table_set.h"

#include "fixture.h"

namespace perfpact::tables {
namespace {

class TableSetTest : public TablesFixture {
 protected:
  Entry fib_entry(int vrf, std::uint32_t dst, unsigned length, int next = 0) {
    const Integer mask = all_ones(32) - all_ones(32 - length);
    return {{{vrf, all_ones(12), 0}, {Integer(dst) & mask, mask, length}}, 0, {2, {next}}, {}};
  }
};

TEST_F(TableSetTest, FindsByFullNameAndUniqueSuffix) {
  EXPECT_EQ(tables.find("ingress.fib", {}, diagnostics).value(), TableId{0});
  EXPECT_EQ(tables.find("fib", {}, diagnostics).value(), TableId{0});
  EXPECT_FALSE(tables.find("ib", {}, diagnostics));
  EXPECT_FALSE(tables.find("macs", {}, diagnostics));
  EXPECT_FALSE(tables.find("", {}, diagnostics));
  EXPECT_EQ(
      report(),
      "perfpact: error: there is no table 'ib'; did you mean 'ingress.fib'? [unknown-table]\n"
      "perfpact: error: 'macs' is ambiguous: it can be 'ingress.macs' or 'egress.macs' [ambiguous-name]\n"
      "perfpact: error: there is no table '' [unknown-table]\n");
}

TEST_F(TableSetTest, KeylessTableRunsItsDefault) {
  tables.set_default(id("plain"), {2, {9}});
  ASSERT_TRUE(finish());
  const LookupResult result = lookup("plain", {});
  EXPECT_FALSE(result.hit);
  EXPECT_EQ(result.entries, 0u);
  EXPECT_EQ(result.visited, 0u);
  EXPECT_EQ(action_of("plain", result), "ingress.set_next(9)");
}

TEST_F(TableSetTest, LongestPrefixWinsWhateverTheInsertion) {
  tables.add_entry(id("fib"), fib_entry(1, 0x0a000000, 8, 8));
  tables.add_entry(id("fib"), fib_entry(1, 0, 0, 1));
  tables.add_entry(id("fib"), fib_entry(1, 0x0a010000, 16, 16));
  tables.add_entry(id("fib"), fib_entry(2, 0x0a000000, 8, 28));
  ASSERT_TRUE(finish());
  EXPECT_EQ(looked_up("fib", {1, 0x0a010203}), "hit ingress.set_next(16)");
  EXPECT_EQ(looked_up("fib", {1, 0x0a020203}), "hit ingress.set_next(8)");
  EXPECT_EQ(looked_up("fib", {1, 0x0b000000}), "hit ingress.set_next(1)");
  EXPECT_EQ(looked_up("fib", {2, 0x0b000000}), "miss NoAction()");
  const LookupResult second = lookup("fib", {2, 0x0a000001});
  EXPECT_EQ(second.visited, 3u);  // /16, then the /8 in insertion order
  EXPECT_EQ(second.prefix_length, 8u);
  EXPECT_EQ(lookup("fib", {1, 0}).prefix_length, 0u);
  EXPECT_EQ(lookup("fib", {3, 0}).visited, 4u);
}

TEST_F(TableSetTest, EntriesAreGivenInCanonicalOrder) {
  const Integer wide = all_ones(128) - 5;
  tables.add_entry(id("fib"), fib_entry(1, 0x0a000000, 8, 8));
  tables.add_entry(id("fib"), fib_entry(2, 0x0a010000, 16, 16));
  tables.add_entry(id("acl"),
                   {{{0x0a000000, 0xff000000, 0}, {0, 0, 0}, {10, 20, 0}, {1, 1, 0}}, 5, {0, {}}, {}});
  tables.add_entry(id("ingress.macs"), {{{0x0102, all_ones(48), 0}}, 0, {2, {3}}, {}});
  tables.add_entry(id("v6"), {{{wide, all_ones(128), 0}}, 0, {0, {}}, {}});
  ASSERT_TRUE(finish());
  const InstalledEntry first = tables.entry(id("fib"), 1);
  EXPECT_EQ(first.matches[0].value, 2);
  EXPECT_EQ(first.matches[1].value, 0x0a010000);
  EXPECT_EQ(first.matches[1].mask, 0xffff0000);
  EXPECT_EQ(first.matches[1].prefix_length, 16u);
  EXPECT_EQ(first.prefix_length, 16u);
  EXPECT_EQ(first.number, 1u);
  ASSERT_EQ(first.actions.size(), 1u);
  EXPECT_EQ(first.actions[0], (ActionCall{2, {16}}));
  const InstalledEntry acl = tables.entry(id("acl"), 1);
  EXPECT_EQ(acl.matches[0].mask, 0xff000000);
  EXPECT_EQ(acl.matches[1].mask, 0);
  EXPECT_EQ(acl.matches[2].value, 10);
  EXPECT_EQ(acl.matches[2].mask, 20);
  EXPECT_EQ(acl.matches[3].value, 1);
  EXPECT_EQ(tables.entry(id("ingress.macs"), 1).matches[0].mask, all_ones(48));
  EXPECT_EQ(tables.entry(id("v6"), 1).matches[0].value, wide);
  EXPECT_EQ(tables.default_actions(id("fib")).size(), 1u);
}

TEST_F(TableSetTest, ReportsDuplicates) {
  ASSERT_TRUE(
      read("table_add fib NoAction 1 10.0.0.0/8 =>\n"
           "table_add fib NoAction 1 10.0.0.0/9 =>\n"
           "table_add fib set_next 1 10.0.0.0/8 => 1\n",
           "a.txt"));
  EXPECT_FALSE(finish());
  EXPECT_EQ(
      report(),
      "a.txt:3:1: error: table 'ingress.fib' already has an entry that matches the same [duplicate-entry]\n"
      "table_add fib set_next 1 10.0.0.0/8 => 1\n"
      "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "a.txt:1:1: note: the earlier entry\n"
      "table_add fib NoAction 1 10.0.0.0/8 =>\n"
      "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

TEST_F(TableSetTest, SameMatchWithAnotherPriorityIsNoDuplicate) {
  ASSERT_TRUE(
      read("table_add acl NoAction 1&&&1 6 0->9 1 => 5\n"
           "table_add acl set_next 1&&&1 6 0->9 1 => 77 4\n"));
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(looked_up("acl", {3, 6, 9, 1}), "hit ingress.set_next(77)");
  EXPECT_EQ(lookup("acl", {3, 6, 9, 1}).visited, 1u);
}

TEST_F(TableSetTest, DuplicateInATableWithPriorities) {
  ASSERT_TRUE(
      read("table_add acl NoAction 1&&&1 6 0->9 1 => 5\ntable_add acl NoAction 1&&&1 6 0->9 1 => 5\n"));
  EXPECT_FALSE(finish());
  EXPECT_NE(report().find("matches the same with priority -5 [duplicate-entry]"), std::string::npos)
      << report();
}

TEST_F(TableSetTest, EntriesKeepTheirNumbers) {
  ASSERT_TRUE(
      read("table_add fib NoAction 1 10.0.0.0/8 =>\n"
           "table_add fib NoAction 1 10.1.0.0/16 =>\n"
           "table_add fib NoAction 1 0.0.0.0/0 =>\n"
           "table_add ingress.macs NoAction 5 =>\n"));
  GenerateRequest request;
  request.table = id("fib");
  request.entries = 3;
  tables.request(request);
  ASSERT_TRUE(finish());
  const auto check = [&] {
    EXPECT_EQ(lookup("fib", {1, 0x0a000000}).entry, 0U);
    EXPECT_EQ(lookup("fib", {1, 0x0a010000}).entry, 1U);
    EXPECT_EQ(lookup("fib", {1, 0x0b000000}).entry, 2U);
    EXPECT_EQ(lookup("fib", {2, 0x0b000000}).entry, kNoEntry);
    EXPECT_EQ(lookup("ingress.macs", {5}).entry, 0U);
    EXPECT_EQ(lookup("fixed", {7}).entry, 0U);
  };
  check();
  EXPECT_EQ(lookup("fib", {1, 0x0a010000}).visited, 1U);
  // Generated full prefixes come first in rank, and yet last in number.
  ASSERT_TRUE(tables.materialize(diagnostics));
  check();
  EXPECT_EQ(lookup("fib", {1, 0x0a010000}).visited, 4U);
}

TEST_F(TableSetTest, WarnsOfCapacity) {
  auto schemas = example_schemas();
  schemas[2].size = 2;
  tables = TableSet(schemas);
  ASSERT_TRUE(
      read("table_add ingress.macs NoAction 1 =>\ntable_add ingress.macs NoAction 2 =>\n"
           "table_add ingress.macs NoAction 3 =>\n"));
  EXPECT_TRUE(finish());
  EXPECT_EQ(
      report(),
      "input:3:1: warning: table 'ingress.macs' has size 2, but 3 entries are installed [table-capacity]\n"
      "table_add ingress.macs NoAction 3 =>\n"
      "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "  note: the table\n");
}

TEST_F(TableSetTest, GeneratedEntriesCountForTheCapacity) {
  auto schemas = example_schemas();
  schemas[2].size = 2;
  tables = TableSet(schemas);
  GenerateRequest request;
  request.table = id("ingress.macs");
  request.entries = 5;
  tables.request(request);
  EXPECT_TRUE(finish());
  EXPECT_NE(report().find("has size 2, but 5 entries are installed"), std::string::npos) << report();
}

TEST_F(TableSetTest, ConstEntriesAndKeylessTables) {
  ASSERT_TRUE(read("table_add fixed NoAction 8 =>\ntable_add plain NoAction =>\n"));
  EXPECT_FALSE(finish());
  EXPECT_NE(
      report().find("input:1:1: error: the entries of table 'ingress.fixed' are const: none can be added "
                    "[table-const-entries]"),
      std::string::npos)
      << report();
  EXPECT_NE(report().find("input:2:1: error: table 'ingress.plain' has no key: it can have no entry "
                          "[table-keyless-entry]"),
            std::string::npos)
      << report();
}

TEST_F(TableSetTest, GenerateInConstAndKeylessTables) {
  for (std::string_view name : {"fixed", "plain"}) {
    GenerateRequest request;
    request.table = id(name);
    request.entries = 5;
    tables.request(request);
  }
  EXPECT_FALSE(finish());
  EXPECT_FALSE(tables.has_pending());
  EXPECT_EQ(diagnostics.error_count(), 2u) << report();
}

TEST_F(TableSetTest, EntriesOfTheProgramAreInstalled) {
  ASSERT_TRUE(finish());
  EXPECT_TRUE(lookup("fixed", {7}).hit);
  EXPECT_FALSE(lookup("fixed", {8}).hit);
  EXPECT_EQ(tables.entry_count(id("fixed")), 1u);
}

TEST_F(TableSetTest, SeveralLpmKeysAreNotSupportedYet) {
  auto schemas = example_schemas();
  schemas[0].keys.push_back(key("hdr.ipv4.src", 32, MatchKind::Lpm));
  tables = TableSet(schemas);
  EXPECT_FALSE(finish());
  EXPECT_EQ(report(),
            "perfpact: error: not supported yet: table 'ingress.fib' with more than one lpm key "
            "[table-several-lpm-keys]\n");
}

TEST_F(TableSetTest, SelectorKeysDoNotMatch) {
  auto schemas = example_schemas();
  schemas[2].keys.push_back(key("hash", 16, MatchKind::Selector));
  tables = TableSet(schemas);
  tables.add_entry(id("ingress.macs"), {{{5, all_ones(48), 0}, {}}, 0, {2, {1}}, {}});
  ASSERT_TRUE(finish());
  EXPECT_TRUE(lookup("ingress.macs", {5, 0xabcd}).hit);
  EXPECT_FALSE(lookup("ingress.macs", {6, 0xabcd}).hit);
}

TEST_F(TableSetTest, FilesThatAreNone) {
  EXPECT_FALSE(read_tables(directory.path("missing"), tables, diagnostics));
  EXPECT_FALSE(read_tables(directory.path(""), tables, diagnostics));
  EXPECT_FALSE(read("", "empty"));
  EXPECT_FALSE(read(" \n\n", "blank"));
  EXPECT_FALSE(read(std::string("table_add\0\1\2", 12), "binary"));
  const std::string text = report();
  EXPECT_NE(text.find("error: cannot read 'missing': No such file or directory [cannot-read]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("it is a directory, not a file [cannot-read]"), std::string::npos) << text;
  EXPECT_NE(text.find("empty: error: 'empty' is empty; expected a tables YAML, simple_switch_CLI commands or "
                      "P4Runtime JSON [tables-empty-file]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("blank: error: 'blank' is empty"), std::string::npos) << text;
  EXPECT_NE(
      text.find("binary: error: 'binary' is no text; expected a tables YAML, simple_switch_CLI commands or "
                "P4Runtime JSON [tables-not-text]"),
      std::string::npos)
      << text;
}

}  // namespace
}  // namespace perfpact::tables
