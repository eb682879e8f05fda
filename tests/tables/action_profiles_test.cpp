#include "tables/action_profiles.h"

#include "fixture.h"

namespace perfpact::tables {
namespace {

/// ingress.routes, ingress.more   exact meta.route (8), selector meta.a (40) and meta.b (32), both with the
///                                action_selector ingress.paths (crc16); `more` has its actions in another
///                                order
/// ingress.tunnels                ternary meta.tunnel (8), action_profile ingress.ends
/// ingress.direct                 exact meta.x (8), no profile
std::vector<TableSchema> profile_schemas() {
  const ActionSchema nothing{"NoAction", {}, false, false, {}};
  const ActionSchema send{"ingress.send", {{"port", 9}}, false, false, {}};
  const ActionSchema drop{"ingress.drop", {}, false, false, {}};
  const std::vector<KeySchema> selected{key("meta.route", 8, MatchKind::Exact),
                                        key("meta.a", 40, MatchKind::Selector),
                                        key("meta.b", 32, MatchKind::Selector)};
  std::vector<TableSchema> schemas(4);
  schemas[0].name = "ingress.routes";
  schemas[0].keys = selected;
  schemas[0].actions = {nothing, send, drop};
  schemas[0].implementation = {"ingress.paths", packet::HashAlgorithm::Crc16, {}};
  schemas[1] = schemas[0];
  schemas[1].name = "ingress.more";
  schemas[1].actions = {drop, send, nothing};
  schemas[1].default_action = {2, {}};
  schemas[1].default_is_const = true;
  schemas[2].name = "ingress.tunnels";
  schemas[2].keys = {key("meta.tunnel", 8, MatchKind::Ternary)};
  schemas[2].actions = {nothing, send};
  schemas[2].implementation = {"ingress.ends", std::nullopt, {}};
  schemas[3].name = "ingress.direct";
  schemas[3].keys = {key("meta.x", 8, MatchKind::Exact)};
  schemas[3].actions = {nothing, send};
  return schemas;
}

class ActionProfilesTest : public TablesFixture {
 protected:
  ActionProfilesTest() : TablesFixture(profile_schemas()) {}

  /// The look-up of the route with "123456789" as the selector's data, whose crc16 is 0xbb3d.
  std::string route(std::string_view table, unsigned number) {
    return looked_up(table, {number, Integer(0x3132333435), 0x36373839});
  }
};

TEST_F(ActionProfilesTest, MemberIsHashModuloSizeInTheOrderOfIds) {
  ASSERT_TRUE(
      read("act_prof_create_member paths send 10\n"
           "act_prof_create_member paths send 11\n"
           "act_prof_create_member paths drop\n"
           "act_prof_create_member paths send 13\n"
           "act_prof_create_group paths\n"
           "act_prof_create_group paths\n"
           "act_prof_add_member_to_group paths 3 0\n"
           "act_prof_add_member_to_group paths 0 0\n"
           "act_prof_add_member_to_group paths 1 0\n"
           "act_prof_add_member_to_group paths 3 1\n"
           "act_prof_add_member_to_group paths 2 1\n"
           "table_indirect_add_with_group routes 1 0 0 => 0\n"
           "table_indirect_add_with_group more 1 0 0 => 1\n"
           "table_indirect_add routes 2 0 0 => 2\n"
           "table_indirect_set_default routes 1\n"))
      << report();
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(report(), "");
  static_assert(0xbb3d % 3 == 2);
  EXPECT_EQ(route("routes", 1), "hit ingress.send(13)");
  EXPECT_EQ(route("routes", 2), "hit ingress.drop()");
  EXPECT_EQ(route("routes", 3), "miss ingress.send(11)");
  static_assert(0xbb3d % 2 == 1);
  EXPECT_EQ(route("more", 1), "hit ingress.send(13)");
  // The hash is over the selector keys alone, and every member is chosen by some of them.
  EXPECT_EQ(lookup("routes", {1, 0, 0}).visited, lookup("routes", {1, Integer(0x3132333435), 0}).visited);
  std::vector<std::string> seen;
  for (int flow = 0; flow < 64; ++flow) seen.push_back(looked_up("routes", {1, 0, flow}));
  for (const char* member : {"hit ingress.send(10)", "hit ingress.send(11)", "hit ingress.send(13)"})
    EXPECT_GT(std::ranges::count(seen, member), 8) << member;
}

TEST_F(ActionProfilesTest, SharedMembersAreFoundByName) {
  ASSERT_TRUE(
      read("act_prof_create_member paths drop\n"
           "table_indirect_add more 5 0 0 => 0\n"));
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(route("more", 5), "hit ingress.drop()");
}

TEST_F(ActionProfilesTest, DefaultGroupAndReset) {
  ASSERT_TRUE(
      read("act_prof_create_member paths send 1\n"
           "act_prof_create_group paths\n"
           "act_prof_add_member_to_group paths 0 0\n"
           "table_indirect_set_default_with_group routes 0\n"
           "act_prof_create_member ends send 2\n"
           "table_indirect_set_default tunnels 0\n"
           "table_indirect_reset_default tunnels\n"
           "table_indirect_add tunnels 5&&&0xf => 0 20\n"
           "table_indirect_add tunnels 6&&&0xf => 0 30\n"
           "table_indirect_delete tunnels 1\n"));
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(route("routes", 9), "miss ingress.send(1)");
  EXPECT_EQ(looked_up("tunnels", {5}), "hit ingress.send(2)");
  EXPECT_EQ(looked_up("tunnels", {6}), "miss NoAction()");
}

TEST_F(ActionProfilesTest, OlderCommandsAndClear) {
  ASSERT_TRUE(
      read("table_indirect_create_member routes send 1\n"
           "table_indirect_create_member routes send 2\n"
           "table_indirect_create_group routes\n"
           "table_indirect_add_member_to_group routes 1 0\n"
           "table_indirect_add routes 1 0 0 => 0\n"
           "table_indirect_add more 1 0 0 => 0\n"
           "table_clear routes\n"
           "table_indirect_add_with_group routes 2 0 0 => 0\n"
           "act_prof_dump paths\n"))
      << report();
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(route("routes", 1), "miss NoAction()");
  EXPECT_EQ(route("routes", 2), "hit ingress.send(2)");
  EXPECT_EQ(route("more", 1), "hit ingress.send(1)");
  expect_error("table_indirect_create_group direct\n",
               "bad:1:29: error: table 'ingress.direct' has no action profile: its entries have actions "
               "[direct-table]");
}

TEST_F(ActionProfilesTest, TablesFile) {
  ASSERT_TRUE(
      read("schema: perfpact.tables/1\n"
           "action_profiles:\n"
           "  paths:\n"
           "    members: {7: send(7), 3: send(3), 5: drop()}\n"
           "    groups: {1: [7, 3, 5], 2: [5]}\n"
           "  ends: {members: {1: send(4)}}\n"
           "tables:\n"
           "  routes:\n"
           "    default: {member: 3}\n"
           "    entries:\n"
           "      - {match: {route: 1}, group: 1}\n"
           "      - {match: {route: 2}, group: 2}\n"
           "      - {match: {route: 3}, member: 7}\n"
           "      - {match: {route: 4}, actions: [send(1), drop(), send(2)]}\n"
           "      - {match: {route: 5}, action: send(9)}\n"
           "  tunnels:\n"
           "    entries:\n"
           "      - {match: {tunnel: 1}, member: 1, priority: 2}\n"
           "  direct: {default: {action: send(1)}}\n"))
      << report();
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(route("routes", 1), "hit ingress.send(7)") << "rank 2 of 3, 5, 7";
  EXPECT_EQ(route("routes", 2), "hit ingress.drop()");
  EXPECT_EQ(route("routes", 3), "hit ingress.send(7)");
  EXPECT_EQ(route("routes", 4), "hit ingress.send(2)") << "an entry's own actions stand in its order";
  EXPECT_EQ(route("routes", 5), "hit ingress.send(9)");
  EXPECT_EQ(route("routes", 6), "miss ingress.send(3)");
  EXPECT_EQ(looked_up("tunnels", {1}), "hit ingress.send(4)");
  EXPECT_EQ(looked_up("direct", {1}), "miss ingress.send(1)");
}

TEST_F(ActionProfilesTest, RuntimeJson) {
  ASSERT_TRUE(read(R"({
    "action_profile_members": [
      {"action_profile": "paths", "member_id": 4, "action_name": "send", "action_params": {"port": 4}},
      {"action_profile": "paths", "member_id": 2, "action_name": "drop"}],
    "action_profile_groups": [
      {"action_profile": "paths", "group_id": 1, "members": [{"member_id": 4}, {"member_id": 2, "weight": 1}]}],
    "table_entries": [
      {"table": "routes", "match": {"route": 1}, "action_profile_group_id": 1},
      {"table": "routes", "match": {"route": 2}, "action_profile_member_id": 2},
      {"table": "routes", "match": {"route": 3}, "action_profile_action_set": {"action_profile_actions": [
        {"action_name": "send", "action_params": {"port": 8}, "weight": 2},
        {"action_name": "drop", "weight": 1}]}},
      {"table": "routes", "default_action": true, "action_profile_member_id": 4}]})"))
      << report();
  ASSERT_TRUE(finish()) << report();
  EXPECT_EQ(route("routes", 1), "hit ingress.send(4)") << "rank 1 of 2, 4";
  EXPECT_EQ(route("routes", 2), "hit ingress.drop()");
  EXPECT_EQ(route("routes", 3), "hit ingress.drop()") << "rank 2 of send, send, drop";
  EXPECT_EQ(route("routes", 4), "miss ingress.send(4)");
}

TEST_F(ActionProfilesTest, MistakesInCommands) {
  expect_error("act_prof_create_member path send 1\n",
               "bad:1:24: error: there is no action profile 'path' that a table has; did you mean "
               "'ingress.paths'? [unknown-action-profile]");
  expect_error("table_indirect_add direct 1 => 0\n",
               "bad:1:20: error: table 'ingress.direct' has no action profile: its entries have actions "
               "[direct-table]");
  expect_error(
      "table_add routes send 1 0 0 => 1\n",
      "bad:1:11: error: the entries of table 'ingress.routes' have members or groups of action profile "
      "'ingress.paths', no actions; expected 'table_indirect_add' [indirect-table]");
  expect_error("table_indirect_add routes 1 0 0 => 0\n",
               "bad:1:1: error: action profile 'ingress.paths' has no member 0 [not-in-action-profile]");
  expect_error("table_indirect_set_default_with_group routes 2\n",
               "bad:1:46: error: action profile 'ingress.paths' has no group 2 [not-in-action-profile]");
  expect_error(
      "act_prof_create_group paths\ntable_indirect_add_with_group routes 1 0 0 => 0\n",
      "bad:2:1: error: in action profile 'ingress.paths' group 0 has no member: nothing can be chosen "
      "[empty-action-group]");
  expect_error(
      "act_prof_create_group ends\n",
      "bad:1:23: error: 'ingress.ends' is an action_profile, not an action_selector: it has no groups "
      "[no-selector]");
  expect_error("act_prof_create_group paths\nact_prof_add_member_to_group paths 1 0\n",
               "bad:2:36: error: action profile 'ingress.paths' has no member 1 [not-in-action-profile]");
  expect_error(
      "act_prof_create_member paths drop\nact_prof_create_group paths\n"
      "act_prof_add_member_to_group paths 0 0\nact_prof_add_member_to_group paths 0 0\n",
      "bad:4:36: error: action profile 'ingress.paths' has a group 0 with member 0 already "
      "[action-profile-twice]");
  expect_error("act_prof_create_member paths drop\ntable_indirect_set_default more 0\n",
               "bad:2:33: error: the default action of table 'ingress.more' is const [table-const-default]");
  expect_error("table_indirect_add tunnels 1&&&1 => 0\n",
               "bad:1:1: error: the entry needs a priority: table 'ingress.tunnels' has a ternary, range or "
               "optional key [missing-priority]");
}

TEST_F(ActionProfilesTest, MistakesInTheOtherFormats) {
  const std::string yaml = "schema: perfpact.tables/1\n";
  expect_error(yaml + "action_profiles: {paths: {members: {1: drop(), 1: drop()}}}\n",
               "bad:2:48: error: key '1' stands twice [yaml-duplicate-key]");
  expect_error(yaml + "tables: {routes: {entries: [{match: {route: 1}, member: 1, group: 2}]}}\n",
               "bad:2:29: error: an entry of table 'ingress.routes' has 2 of action, member, group, actions; "
               "expected one [one-of-indirect]");
  expect_error(
      yaml + "tables: {routes: {entries: [{match: {route: 1}, actions: []}]}}\n",
      "bad:2:58: error: a set of actions for action profile 'ingress.paths' is empty [empty-action-set]");
  expect_error(yaml + "tables: {direct: {entries: [{match: {x: 1}, member: 1}]}}\n",
               "bad:2:29: error: table 'ingress.direct' has no action profile: its entries have actions "
               "[direct-table]");
  expect_error(
      R"({"table_entries": [{"table": "routes", "match": {"route": 1}, "action_name": "drop"}]})",
      "bad:1:30: error: the entries of table 'ingress.routes' have members or groups of action profile "
      "'ingress.paths', no actions; expected 'action_profile_member_id, action_profile_group_id or "
      "action_profile_action_set' [indirect-table]");
  expect_error(R"({"action_profile_groups": [{"action_profile": "paths", "group_id": 1,
"members": [{"member_id": 1, "weight": 2}]}]})",
               "bad:2:13: error: not supported yet: weight (other than 1, in a group) [unsupported-command]");
  expect_error(R"({"table_entries": [{"table": "routes", "match": {"route": 1}}]})",
               "bad:1:30: error: an entry of table 'ingress.routes' has 0 of action_profile_member_id, "
               "action_profile_group_id, action_profile_action_set; expected one [one-of-indirect]");
}

}  // namespace
}  // namespace perfpact::tables
