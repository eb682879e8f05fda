#include "fixture.h"

namespace perfpact::tables {
namespace {

/// parser.tpids  exact (16); parser.flows  exact src (16), ternary dst (16); both empty value sets;
/// ingress.tpids a table of the same short name
std::vector<TableSchema> set_schemas() {
  std::vector<TableSchema> schemas(3);
  schemas[0].name = "parser.tpids";
  schemas[0].role = TableRole::ValueSet;
  schemas[0].keys = {key("tpids", 16, MatchKind::Exact)};
  schemas[0].actions = {{"", {}, false, false, {}}};
  schemas[1] = schemas[0];
  schemas[1].name = "parser.flows";
  schemas[1].keys = {key("src", 16, MatchKind::Exact), key("dst", 16, MatchKind::Ternary)};
  schemas[2].name = "ingress.tpids";
  schemas[2].keys = {key("x", 16, MatchKind::Exact)};
  schemas[2].actions = {{"NoAction", {}, false, false, {}}};
  return schemas;
}

class ValueSetsTest : public TablesFixture {
 protected:
  ValueSetsTest() : TablesFixture(set_schemas()) {}
  bool has(std::string_view name, std::vector<Integer> fields) {
    return tables.lookup(tables.find_value_set(name, {}, diagnostics).value(), fields).hit;
  }
};

TEST_F(ValueSetsTest, TablesFile) {
  ASSERT_TRUE(
      read("schema: perfpact.tables/1\n"
           "tables: {tpids: {entries: [{match: {x: 1}, action: NoAction}]}}\n"
           "value_sets:\n"
           "  tpids: [0x8100, 0x88a8, 0x8100]\n"
           "  flows:\n"
           "    - {src: 1, dst: 2}\n"
           "    - {src: 3, dst: 0x40 &&& 0xf0}\n"
           "    - {src: 4}\n"))
      << report();
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(report(), "");
  EXPECT_TRUE(has("tpids", {0x8100}));
  EXPECT_TRUE(has("tpids", {0x88a8}));
  EXPECT_FALSE(has("tpids", {1}));
  EXPECT_TRUE(has("flows", {1, 2}));
  EXPECT_FALSE(has("flows", {1, 3}));
  EXPECT_TRUE(has("flows", {3, 0x1347}));
  EXPECT_TRUE(has("flows", {4, 99}));
  EXPECT_TRUE(lookup("tpids", {1}).hit) << "the table of that name";
}

TEST_F(ValueSetsTest, Commands) {
  ASSERT_TRUE(read("pvs_add parser.tpids 0x8100\npvs_add flows 0x00010002\n")) << report();
  ASSERT_TRUE(finish());
  EXPECT_TRUE(has("tpids", {0x8100}));
  EXPECT_TRUE(has("flows", {1, 2}));
  EXPECT_FALSE(has("flows", {2, 1}));
}

TEST_F(ValueSetsTest, RuntimeJson) {
  ASSERT_TRUE(read(R"({"value_set_entries": [
    {"value_set": "tpids", "members": [{"match": {"tpids": "0x8100"}}]},
    {"value_set": "flows", "members": [{"match": {"src": 1, "dst": [2, 15]}}]}]})"))
      << report();
  ASSERT_TRUE(finish());
  EXPECT_TRUE(has("tpids", {0x8100}));
  EXPECT_TRUE(has("flows", {1, 0xff2}));
}

TEST_F(ValueSetsTest, EmptyIsSaid) {
  ASSERT_TRUE(read("pvs_add flows 1\n"));
  ASSERT_TRUE(finish());
  EXPECT_EQ(
      report(),
      "perfpact: warning: value set 'parser.tpids' has no values: no case of a select that names it is ever "
      "taken [empty-value-set]\n");
  EXPECT_FALSE(has("tpids", {0}));
}

TEST_F(ValueSetsTest, Mistakes) {
  expect_error(
      "pvs_add tpid 1\n",
      "bad:1:9: error: there is no value set 'tpid'; did you mean 'parser.tpids'? [unknown-value-set]");
  expect_error("pvs_add tpids 0x10000\n",
               "bad:1:15: error: '0x10000' does not fit value set 'parser.tpids' of 16 bits "
               "[table-value-too-wide]");
  expect_error("schema: perfpact.tables/1\nvalue_sets: {flows: [{dst: 1}]}\n",
               "bad:2:22: error: the entry gives no value for the exact key 'src' of table 'parser.flows' "
               "[table-missing-match]");
  expect_error("table_add flows x 1 1 =>\n", "bad:1:11: error: there is no table 'flows' [unknown-table]");
}

}  // namespace
}  // namespace perfpact::tables
