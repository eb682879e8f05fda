// Look-up against a linear scan in canonical order, on random tables of every mix of kinds.
#include "tables/lookup.h"

#include <random>
#include <set>

#include "fixture.h"
#include "tables/action_words.h"

namespace perfpact::tables {
namespace {

bool matches(const KeySchema& key, const Match& match, const Integer& value) {
  switch (key.kind) {
    case MatchKind::Exact:
      return value == match.value;
    case MatchKind::Range:
      return match.value <= value && value <= match.mask;
    case MatchKind::Selector:
      return true;
    case MatchKind::Ternary:
    case MatchKind::Optional:
    case MatchKind::Lpm:
      return (value & match.mask) == match.value;
  }
  return false;
}

class Example {
 public:
  explicit Example(unsigned seed) : random_(seed) {
    schema_.name = "ingress.t";
    schema_.actions.push_back({"NoAction", {}, false, false, {}});
    schema_.actions.push_back({"a", {{"n", 32}}, false, false, {}});
    bool has_lpm = false;
    for (unsigned i = 0, count = 1 + below(4); i < count; ++i) {
      constexpr unsigned kWidths[] = {1, 2, 3, 5, 8, 9, 16, 31, 33, 64, 65, 128, 200};
      auto kind = static_cast<MatchKind>(below(6));
      if (kind == MatchKind::Lpm && std::exchange(has_lpm, true)) kind = MatchKind::Exact;
      schema_.keys.push_back(key("k" + std::to_string(i), kWidths[below(std::size(kWidths))], kind));
    }
    std::set<std::string> seen;
    for (unsigned i = 0, count = below(300); i < count; ++i) {
      Entry entry = make_entry(i);
      std::string text = std::to_string(entry.priority);
      for (std::size_t k = 0; k < schema_.keys.size(); ++k)
        if (schema_.keys[k].kind != MatchKind::Selector)
          text += " " + entry.matches[k].value.str() + "/" + entry.matches[k].mask.str();
      if (seen.insert(text).second) entries_.push_back(std::move(entry));
    }
  }

  void check() {
    SourceManager sources;
    Diagnostics diagnostics(sources);
    TableSet tables({schema_});
    for (const Entry& entry : entries_) tables.add_entry(TableId{0}, entry);
    ASSERT_TRUE(tables.finish(diagnostics)) << diagnostics.render();
    sort_canonically();
    for (int i = 0; i < 200; ++i) check_key(tables, make_key());
  }

  [[nodiscard]] std::size_t hits() const { return hits_; }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  // From few values, so that entries and keys meet.
  Integer value(unsigned width) {
    Integer result = below(6);
    if (below(3) == 0) result = (Integer(random_()) << 130) + (Integer(random_()) << 64) + random_();
    if (below(4) == 0) result = all_ones(width) - below(3);
    return result & all_ones(width);
  }

  Match make_match(const KeySchema& key) {
    const Integer ones = all_ones(key.width);
    Integer first = value(key.width);
    Integer second = value(key.width);
    switch (key.kind) {
      case MatchKind::Exact:
      case MatchKind::Selector:
        return {first, ones};
      case MatchKind::Optional:
        return below(3) == 0 ? Match{} : Match{first, ones};
      case MatchKind::Ternary:
        return {first & second, second};
      case MatchKind::Range:
        if (first > second) std::swap(first, second);
        return {first, second};
      case MatchKind::Lpm: {
        const unsigned length =
            below(2) == 0 ? below(key.width + 1) : key.width - below(std::min(key.width, 3u));
        const Integer mask = ones - all_ones(key.width - length);
        return {first & mask, mask, length};
      }
    }
    return {};
  }

  Entry make_entry(unsigned number) {
    Entry entry;
    for (const KeySchema& key : schema_.keys) entry.matches.push_back(make_match(key));
    if (schema_.has_priorities()) entry.priority = static_cast<std::int64_t>(below(8)) - 4;
    entry.action = {1, {number}};
    return entry;
  }

  std::vector<Integer> make_key() {
    std::vector<Integer> result;
    const Entry* near = entries_.empty() ? nullptr : &entries_[below(static_cast<unsigned>(entries_.size()))];
    for (std::size_t i = 0; i < schema_.keys.size(); ++i) {
      Integer field = value(schema_.keys[i].width);
      if (near != nullptr && below(8) != 0) {
        const Match& match = near->matches[i];
        if (schema_.keys[i].kind == MatchKind::Range)
          field = below(2) == 0 ? match.value : match.mask;
        else
          field = match.value | (field & (all_ones(schema_.keys[i].width) - match.mask));
      }
      result.push_back(field);
    }
    return result;
  }

  void sort_canonically() {
    const bool by_prefix = schema_.kind() == "lpm";
    std::ranges::stable_sort(entries_, [&](const Entry& a, const Entry& b) {
      if (!by_prefix) return a.priority > b.priority;
      for (std::size_t i = 0; i < schema_.keys.size(); ++i)
        if (schema_.keys[i].kind == MatchKind::Lpm)
          return a.matches[i].prefix_length > b.matches[i].prefix_length;
      return false;
    });
  }

  // The same in words.
  void check_packed(const TableSet& tables, const std::vector<Integer>& fields,
                    const LookupResult& expected) {
    const KeyLayout layout(schema_.keys);
    std::vector<std::uint64_t> key(layout.words());
    layout.pack_key(fields, key);
    PackedResult packed;
    const std::uint64_t* data = tables.lookup_packed(TableId{0}, key.data(), packed);
    ASSERT_EQ(packed.hit, expected.hit ? 1u : 0u);
    ASSERT_EQ(packed.entries, expected.entries);
    ASSERT_EQ(packed.visited, expected.visited);
    ASSERT_EQ(packed.prefix_length, expected.prefix_length);
    ASSERT_EQ(packed.entry, expected.entry);
    ASSERT_EQ(packed.action, expected.action->action);
    if (!expected.action->arguments.empty()) {
      ASSERT_EQ(data[0], expected.action->arguments[0]);
    }
  }

  void check_key(const TableSet& tables, const std::vector<Integer>& fields) {
    const LookupResult result = tables.lookup(TableId{0}, fields);
    check_packed(tables, fields, result);
    ASSERT_EQ(result.entries, entries_.size());
    for (std::size_t rank = 0; rank < entries_.size(); ++rank) {
      const Entry& entry = entries_[rank];
      bool all = true;
      for (std::size_t i = 0; i < fields.size(); ++i)
        all = all && matches(schema_.keys[i], entry.matches[i], fields[i]);
      if (!all) continue;
      ++hits_;
      ASSERT_TRUE(result.hit);
      ASSERT_EQ(result.visited, rank + 1);
      ASSERT_EQ(*result.action, entry.action);
      unsigned prefix_length = 0;
      for (std::size_t i = 0; i < fields.size(); ++i)
        if (schema_.keys[i].kind == MatchKind::Lpm) prefix_length = entry.matches[i].prefix_length;
      ASSERT_EQ(result.prefix_length, prefix_length);
      return;
    }
    ASSERT_FALSE(result.hit);
    ASSERT_EQ(result.visited, entries_.size());
    ASSERT_EQ(result.prefix_length, 0u);
    ASSERT_EQ(*result.action, schema_.default_action);
  }

  std::mt19937_64 random_;
  TableSchema schema_;
  std::vector<Entry> entries_;
  std::size_t hits_ = 0;
};

TEST(Lookup, AgreesWithALinearScan) {
  std::size_t hits = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Example example(seed);
    example.check();
    if (HasFatalFailure()) return;
    hits += example.hits();
  }
  EXPECT_GT(hits, 20000u);  // of 80,000 look-ups: both outcomes are well covered, whatever the order of draws
  EXPECT_LT(hits, 77000u);
}

TEST(Lookup, EmptyRangesMatchNothing) {
  TableSchema schema;
  schema.name = "t";
  schema.actions.push_back({"NoAction", {}, false, false, {}});
  schema.keys = {key("k", 8, MatchKind::Range)};
  schema.initial_entries.push_back({{{5, 3, 0}}, 2, {0, {}}, {}});
  schema.initial_entries.push_back({{{0, 9, 0}}, 1, {0, {}}, {}});
  SourceManager sources;
  Diagnostics diagnostics(sources);
  TableSet tables({schema});
  ASSERT_TRUE(tables.finish(diagnostics));
  for (int value : {3, 4, 5}) EXPECT_EQ(tables.lookup(TableId{0}, std::vector<Integer>{value}).visited, 2u);
  EXPECT_FALSE(tables.lookup(TableId{0}, std::vector<Integer>{10}).hit);
}

TEST(Lookup, HashSlotsGrowAndKeepWhatCollides) {
  HashSlots slots;
  for (std::uint32_t id = 0; id < 1000; ++id) {
    // Two hashes only: everything collides, the rows decide.
    const auto same = [&](std::uint32_t other) { return other == id; };
    EXPECT_EQ(slots.find_or_insert(std::uint64_t{id % 2} << 32, id, same), HashSlots::kNone);
  }
  for (std::uint32_t id = 0; id < 1000; ++id)
    EXPECT_EQ(slots.find(std::uint64_t{id % 2} << 32, [&](std::uint32_t other) { return other == id; }), id);
  EXPECT_EQ(slots.find(0, [](std::uint32_t) { return false; }), HashSlots::kNone);
}

TEST(Lookup, RowSlotsKeepWhatCollides) {
  // Many tuples and rows of which each is there in one tuple, in a table that is as full as it gets.
  constexpr std::uint32_t kRows = 1000;
  RowSlots<2> slots(kRows);
  const auto row = [](std::uint32_t id) { return RowSlots<2>::Row{id / 10, std::uint64_t{id % 10} << 60}; };
  for (std::uint32_t id = 0; id < kRows; ++id) slots.insert(row(id), id % 7, Found(id, 2 * id));
  for (std::uint32_t id = 0; id < kRows; ++id)
    for (std::uint32_t tuple = 0; tuple < 7; ++tuple)
      EXPECT_EQ(slots.find(row(id), tuple), tuple == id % 7 ? Found(id, 2 * id) : Found());
}

TEST(Lookup, WordsOfAnAction) {
  TableSchema schema;
  schema.name = "t";
  schema.actions.push_back({"NoAction", {}, false, false, {}});
  schema.actions.push_back(
      {"a", {{"wide", 70}, {"none", 0}, {"narrow", 9}, {"large", 128}}, false, false, {}});
  const Integer wide = (Integer(0x2a) << 64) + 7;
  EXPECT_EQ(action_words(schema, {1, {wide, 0, 300, Integer(5) << 64}}),
            (std::vector<std::uint64_t>{1, 7, 0x2a, 300, 0, 5}));
  EXPECT_EQ(action_words(schema, {0, {}}), std::vector<std::uint64_t>{0});
}

}  // namespace
}  // namespace perfpact::tables
