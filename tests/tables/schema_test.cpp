#include "tables/schema.h"

#include "fixture.h"

namespace perfpact::tables {
namespace {

TableSchema with(std::vector<MatchKind> kinds) {
  TableSchema schema;
  for (MatchKind kind : kinds) schema.keys.push_back(key("k", 8, kind));
  return schema;
}

TEST(Schema, KindIsTheStrongestKey) {
  EXPECT_EQ(with({}).kind(), "none");
  EXPECT_EQ(with({MatchKind::Exact, MatchKind::Selector}).kind(), "exact");
  EXPECT_EQ(with({MatchKind::Selector}).kind(), "selector");
  EXPECT_EQ(with({MatchKind::Exact, MatchKind::Lpm}).kind(), "lpm");
  EXPECT_EQ(with({MatchKind::Lpm, MatchKind::Optional}).kind(), "optional");
  EXPECT_EQ(with({MatchKind::Ternary, MatchKind::Lpm}).kind(), "ternary");
  EXPECT_EQ(with({MatchKind::Ternary, MatchKind::Range}).kind(), "range");
}

TEST(Schema, PrioritiesFollowFromTheKeys) {
  EXPECT_FALSE(with({}).has_priorities());
  EXPECT_FALSE(with({MatchKind::Exact, MatchKind::Lpm, MatchKind::Selector}).has_priorities());
  for (MatchKind kind : {MatchKind::Range, MatchKind::Ternary, MatchKind::Optional})
    EXPECT_TRUE(with({MatchKind::Exact, kind}).has_priorities());
}

TEST(Schema, KindNames) {
  for (auto kind : {MatchKind::Range, MatchKind::Ternary, MatchKind::Optional, MatchKind::Lpm,
                    MatchKind::Exact, MatchKind::Selector})
    EXPECT_EQ(find_match_kind(to_string(kind)), kind);
  EXPECT_EQ(find_match_kind("fuzzy"), std::nullopt);
  EXPECT_EQ(with({MatchKind::Exact, MatchKind::Lpm}).key_bits(), 16u);
}

}  // namespace
}  // namespace perfpact::tables
