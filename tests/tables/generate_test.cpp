#include "tables/generate.h"

#include <map>
#include <random>
#include <set>

#include "fixture.h"

namespace perfpact::tables {
namespace {

using Row = std::vector<std::uint64_t>;
using MatchSet = std::pair<Row, Row>;

TableSchema schema_of(std::vector<KeySchema> keys) {
  TableSchema schema;
  schema.name = "ingress.t";
  schema.actions.push_back({"NoAction", {}, false, false, {}});
  schema.keys = std::move(keys);
  return schema;
}

// Every way in which one field can match, by the definitions of the kinds.
std::vector<Match> all_matches(const KeySchema& key) {
  std::vector<Match> result;
  const unsigned end = 1u << key.width;
  for (unsigned first = 0; first < end; ++first)
    for (unsigned second = 0; second < end; ++second) {
      const unsigned inverse = end - 1 - second;
      const bool is_prefix = (inverse & (inverse + 1)) == 0;
      const bool is_valid = key.kind == MatchKind::Range     ? first <= second
                            : key.kind == MatchKind::Ternary ? (first & inverse) == 0
                            : key.kind == MatchKind::Lpm     ? is_prefix && (first & inverse) == 0
                            : key.kind == MatchKind::Optional
                                ? second == end - 1 || (second == 0 && first == 0)
                                : second == end - 1;
      if (is_valid) result.push_back({first, second});
    }
  return result;
}

bool is_matched(const KeySchema& key, const Match& match, const Integer& value) {
  if (key.kind == MatchKind::Range) return match.value <= value && value <= match.mask;
  return (value & match.mask) == match.value;
}

// All match sets of a table that match none of the keys, by brute force.
std::set<MatchSet> possible_sets(const TableSchema& schema, const std::vector<std::vector<Integer>>& keys) {
  const KeyLayout layout(schema.keys);
  std::set<MatchSet> result;
  std::vector<Match> chosen;
  const auto choose = [&](const auto& self) -> void {
    const std::size_t at = chosen.size();
    if (at < schema.keys.size()) {
      for (const Match& match : all_matches(schema.keys[at])) {
        chosen.push_back(match);
        self(self);
        chosen.pop_back();
      }
      return;
    }
    for (const auto& key : keys) {
      bool all = true;
      for (std::size_t i = 0; i < key.size(); ++i) all = all && is_matched(schema.keys[i], chosen[i], key[i]);
      if (all) return;
    }
    MatchSet set{Row(layout.words()), Row(layout.words())};
    layout.pack_matches(chosen, set.first, set.second);
    result.insert(set);
  };
  choose(choose);
  return result;
}

std::set<MatchSet> sets_of(const EntryStore& store, std::size_t from) {
  std::set<MatchSet> result;
  for (std::size_t i = from; i < store.size(); ++i) {
    const auto first = store.first(i);
    const auto second = store.second(i);
    result.insert({Row(first.begin(), first.end()), Row(second.begin(), second.end())});
  }
  return result;
}

TEST(Generate, CountsAndMeetsExactlyWhatIsPossible) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<KeySchema> keys;
    unsigned bits = 0;
    while (true) {
      const auto width = static_cast<unsigned>(1 + random() % 4);
      if (bits + width > 6) break;
      bits += width;
      keys.push_back(key("k" + std::to_string(keys.size()), width, static_cast<MatchKind>(random() % 5)));
    }
    const TableSchema schema = schema_of(keys);
    EntryStore store(schema);
    WordSet avoid(store.layout().words());
    std::vector<std::vector<Integer>> avoided;
    for (std::uint64_t i = 0, count = random() % 4; i < count; ++i) {
      std::vector<Integer> fields;
      for (const KeySchema& field : keys) fields.emplace_back(random() % (1u << field.width));
      Row row(store.layout().words());
      store.layout().pack_key(fields, row);
      avoid.insert(row);
      avoided.push_back(fields);
    }
    std::set<MatchSet> possible = possible_sets(schema, avoided);
    for (std::uint64_t i = 0, count = random() % 4; i < count; ++i) {
      Entry entry;
      for (const KeySchema& field : keys) {
        const auto all = all_matches(field);
        entry.matches.push_back(all[random() % all.size()]);
      }
      store.add(entry);
    }
    const std::size_t installed = store.size();
    for (const MatchSet& set : sets_of(store, 0)) possible.erase(set);

    GenerateRequest request;
    request.seed = random();
    request.entries = possible.size() + 1;
    const auto refused = generate_entries(request, avoid, store);
    ASSERT_FALSE(refused) << "round " << round;
    ASSERT_EQ(refused.error(), possible.size()) << "round " << round;
    ASSERT_EQ(store.size(), installed);

    // All that is possible, or a part of it.
    request.entries = possible.empty() || round % 2 == 0 ? possible.size() : random() % possible.size();
    ASSERT_TRUE(generate_entries(request, avoid, store)) << "round " << round;
    ASSERT_EQ(store.size(), installed + request.entries);
    const std::set<MatchSet> made = sets_of(store, installed);
    ASSERT_EQ(made.size(), request.entries) << "round " << round;
    ASSERT_TRUE(std::ranges::includes(possible, made)) << "round " << round;
  }
}

TEST(Generate, WideKeysOfEveryKind) {
  for (int kind = 0; kind < 5; ++kind) {
    for (unsigned width : {31u, 64u, 100u, 128u}) {
      const TableSchema schema =
          schema_of({key("a", width, static_cast<MatchKind>(kind)), key("b", 20, MatchKind::Exact)});
      EntryStore store(schema);
      GenerateRequest request;
      request.entries = 2000;
      request.seed = 3;
      ASSERT_TRUE(generate_entries(request, WordSet(0), store));
      const auto made = sets_of(store, 0);
      ASSERT_EQ(made.size(), 2000u);
      // Single values: full masks, ranges of one, all within the width.
      const std::size_t a = 0;
      for (const auto& [first, second] : made) {
        for (std::size_t i = 0; i < store.layout().mask_words(); ++i)
          ASSERT_EQ(second[i], store.layout().full_mask()[i]);
        if (schema.keys[a].kind != MatchKind::Range) continue;
        const KeyLayout::Field& range = store.layout().range_fields()[0];
        ASSERT_TRUE(std::equal(first.begin() + 1, first.end(), second.begin() + 1));
        if (width % 64 != 0) {
          ASSERT_EQ(first[range.offset] >> (width % 64), 0u);
        }
      }
    }
  }
}

TEST(Generate, IsDeterminedByTheSeed) {
  const TableSchema schema = schema_of({key("a", 32, MatchKind::Ternary)});
  const auto made = [&](std::uint64_t seed) {
    EntryStore store(schema);
    GenerateRequest request;
    request.entries = 100;
    request.seed = seed;
    EXPECT_TRUE(generate_entries(request, WordSet(0), store));
    return sets_of(store, 0);
  };
  EXPECT_EQ(made(1), made(1));
  EXPECT_NE(made(1), made(2));
}

TEST(Generate, FirstValueOfASeedNeverChanges) {
  const TableSchema schema = schema_of({key("a", 64, MatchKind::Exact)});
  EntryStore store(schema);
  GenerateRequest request;
  request.entries = 1;
  request.seed = 0;
  ASSERT_TRUE(generate_entries(request, WordSet(0), store));
  EXPECT_EQ(store.first(0)[0], 0xe220a8397b1dcdafu);  // the published first output of SplitMix64 for seed 0
}

class GenerateInTables : public TablesFixture {
 protected:
  void use(std::vector<KeySchema> keys) {
    TableSchema schema = schema_of(std::move(keys));
    tables = TableSet({schema});
  }
  void ask(std::uint64_t entries, bool match_none = true) {
    GenerateRequest request;
    request.entries = entries;
    request.seed = 1;
    request.priority = 1;
    request.match_none = match_none;
    tables.request(request);
  }
  LookupResult at(std::vector<Integer> fields) { return tables.lookup(TableId{0}, fields); }
};

TEST_F(GenerateInTables, TenThousandTernaryEntriesOnNineBits) {
  use({key("port", 9, MatchKind::Ternary)});
  ask(10000);
  ASSERT_TRUE(finish());
  EXPECT_TRUE(tables.has_pending());
  EXPECT_FALSE(at({3}).hit);
  EXPECT_FALSE(at({200}).hit);
  ASSERT_TRUE(tables.materialize(diagnostics)) << report();
  EXPECT_FALSE(tables.has_pending());
  EXPECT_EQ(tables.entry_count(TableId{0}), 10000u);
  for (int looked_up : {3, 200}) {
    EXPECT_FALSE(at({looked_up}).hit);
    EXPECT_EQ(at({looked_up}).visited, 10000u);
  }
  EXPECT_TRUE(at({4}).hit);
}

TEST_F(GenerateInTables, TenThousandExactEntriesOnNineBitsAreImpossible) {
  use({key("port", 9, MatchKind::Exact)});
  ask(10000);
  ASSERT_TRUE(finish());
  EXPECT_FALSE(at({3}).hit);
  EXPECT_FALSE(tables.materialize(diagnostics));
  EXPECT_EQ(
      report(),
      "perfpact: error: cannot generate 10000 entries for table 'ingress.t': at most 511 are possible that "
      "are distinct and match no packet of the workload [impossible-generate]\n");
  EXPECT_EQ(tables.entry_count(TableId{0}), 0u);
}

TEST_F(GenerateInTables, ExplicitEntriesComeBeforeAndStayDistinct) {
  use({key("port", 2, MatchKind::Exact)});
  tables.add_entry(TableId{0}, {{{2, 3, 0}}, 0, {0, {}}, {}});
  ask(4, false);
  EXPECT_FALSE(finish());
  EXPECT_EQ(
      report(),
      "perfpact: error: cannot generate 4 entries for table 'ingress.t': at most 3 are possible that are "
      "distinct from each other and from the 1 installed before [impossible-generate]\n");
}

TEST_F(GenerateInTables, MatchingAnyNeedsNoLookUps) {
  use({key("port", 2, MatchKind::Exact)});
  ask(4, false);
  ASSERT_TRUE(finish());
  EXPECT_FALSE(tables.has_pending());
  std::set<std::uint64_t> ranks;
  for (int value = 0; value < 4; ++value) ranks.insert(at({value}).visited);
  EXPECT_EQ(ranks, (std::set<std::uint64_t>{1, 2, 3, 4}));
}

TEST_F(GenerateInTables, OneLpmEntry) {
  use({key("vrf", 12, MatchKind::Exact), key("dst", 32, MatchKind::Lpm)});
  ask(1);
  ASSERT_TRUE(finish());
  EXPECT_FALSE(at({0, 0x0a000001}).hit);
  ASSERT_TRUE(tables.materialize(diagnostics));
  EXPECT_EQ(at({0, 0x0a000001}).visited, 1u);
  EXPECT_FALSE(at({0, 0x0a000001}).hit);
}

TEST_F(GenerateInTables, ZeroEntriesAreNone) {
  use({key("port", 9, MatchKind::Exact)});
  ask(0);
  ASSERT_TRUE(finish());
  ASSERT_TRUE(tables.materialize(diagnostics));
  EXPECT_EQ(tables.entry_count(TableId{0}), 0u);
}

TEST_F(GenerateInTables, SeveralRequestsOfOneTable) {
  use({key("a", 3, MatchKind::Lpm)});
  ask(5);
  ask(6, false);
  ask(4);
  ASSERT_TRUE(finish());
  ASSERT_TRUE(tables.materialize(diagnostics)) << report();
  EXPECT_EQ(tables.entry_count(TableId{0}), 15u);  // 8 + 4 + 2 + 1: all prefixes there are
  EXPECT_EQ(at({6}).prefix_length, 3u);
}

}  // namespace
}  // namespace perfpact::tables
