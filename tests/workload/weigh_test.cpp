#include "workload/weigh.h"

#include <gtest/gtest.h>

#include "../packet/reported.h"

namespace perfpact::workload {
namespace {

using program::EventKind;
using program::EventSite;
using program::InputPacket;
using program::Trace;

// A program of one table with the packet's first byte as its key; its second byte stays unread. What it does
// depends on how often it ran since the last reset, so that a missing reset shows.
class OneTable : public program::Executor {
 public:
  explicit OneTable(const tables::TableSet& tables) : tables_(tables) {}

  Trace run(const InputPacket& packet) override {
    ++runs;
    const std::array<Integer, 1> key{Integer(packet.bytes.at(0))};
    const tables::LookupResult found = tables_.lookup(tables::TableId{0}, key);
    Trace trace;
    program::PathHasher path;
    path.decide(0, found.hit ? 1 : 0);
    trace.path = path.id();
    trace.events.push_back({&apply_,
                            {static_cast<std::int64_t>(found.entries), 8, found.hit ? 1 : 0,
                             static_cast<std::int64_t>(found.visited), 0}});
    trace.verdict = program::Sent{packet.port + since_reset_};
    ++since_reset_;
    return trace;
  }
  void reset() override { since_reset_ = 0; }

  std::size_t runs = 0;

 private:
  const tables::TableSet& tables_;
  const EventSite apply_{EventKind::TableApply, {}, {"ingress.t", "exact"}};
  std::uint64_t since_reset_ = 0;
};

class WeighTest : public ::testing::Test {
 protected:
  WeighTest() : diagnostics(sources), tables(schemas()), executor(tables) {}

  static std::vector<tables::TableSchema> schemas() {
    tables::TableSchema schema;
    schema.name = "ingress.t";
    schema.keys = {{"hdr.h.first", 8, tables::MatchKind::Exact, {}}};
    schema.actions = {{"NoAction", {}, false, false, {}}};
    return {schema};
  }
  void add_entry(unsigned key) {
    tables.add_entry(tables::TableId{0}, {{{Integer(key), Integer(0xff), 0}}, 0, {0, {}}, {}});
  }
  void add_row(std::optional<Rational> probability, std::vector<std::pair<InputPacket, Rational>> packets) {
    Row row{fmt::format("row {}", workload.rows.size()), std::move(probability), {}, {}};
    for (auto& [packet, share] : packets) row.packets.push_back({std::move(packet), share});
    workload.rows.push_back(std::move(row));
  }
  WeightedCases weighed() {
    auto result = weigh(workload, executor, tables, diagnostics);
    EXPECT_TRUE(result) << diagnostics.render();
    return std::move(*result);
  }

  SourceManager sources;
  Diagnostics diagnostics;
  tables::TableSet tables;
  OneTable executor;
  Workload workload;
};

TEST_F(WeighTest, DistinctPacketsRunOnceAndCasesMerge) {
  add_entry(1);
  ASSERT_TRUE(tables.finish(diagnostics));
  add_row(Rational(1, 2),
          {{{0, {1, 0}}, Rational(1, 4)}, {{0, {1, 1}}, Rational(1, 4)}, {{0, {2, 0}}, Rational(1, 2)}});
  add_row(Rational(1, 3), {{{0, {1, 0}}, 1}});
  add_row(Rational(1, 6), {{{5, {1, 0}}, 1}});
  const WeightedCases result = weighed();
  EXPECT_EQ(result.packets, 5U);
  EXPECT_EQ(result.executed, 4U);
  EXPECT_EQ(executor.runs, 4U);
  ASSERT_EQ(result.cases.size(), 3U);
  EXPECT_EQ(result.cases[0].known, Rational(1, 2) * Rational(1, 2) + Rational(1, 3));
  EXPECT_EQ(result.cases[0].rows, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(result.cases[0].example, (InputPacket{0, {1, 0}}));
  EXPECT_EQ(result.cases[0].trace.verdict, program::Verdict(program::Sent{0}));
  EXPECT_EQ(result.cases[1].known, Rational(1, 4));
  EXPECT_EQ(result.cases[1].trace.events[0].number("hit"), 0);
  EXPECT_EQ(result.cases[2].known, Rational(1, 6));
  EXPECT_EQ(result.cases[2].trace.verdict, program::Verdict(program::Sent{5}));
  EXPECT_EQ(result.cases[0].probability(workload), Interval(Rational(7, 12)));
}

TEST_F(WeighTest, SameVerdictAndPathWithOtherNumbersIsAnotherCase) {
  ASSERT_TRUE(tables.finish(diagnostics));
  add_row(Rational(1), {{{0, {1}}, Rational(1, 2)}, {{0, {2}}, Rational(1, 2)}});
  EXPECT_EQ(weighed().cases.size(), 1U);

  tables::TableSet two(schemas());
  for (unsigned key : {1U, 2U})
    two.add_entry(tables::TableId{0}, {{{Integer(key), Integer(0xff), 0}}, 0, {0, {}}, {}});
  ASSERT_TRUE(two.finish(diagnostics));
  OneTable own(two);
  const auto result = weigh(workload, own, two, diagnostics);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->cases.size(), 2U);
  EXPECT_EQ(result->cases[0].trace.path, result->cases[1].trace.path);
  EXPECT_EQ(result->cases[0].trace.events[0].number("visited"), 1);
  EXPECT_EQ(result->cases[1].trace.events[0].number("visited"), 2);
}

TEST_F(WeighTest, UnknownRowsGiveIntervals) {
  add_entry(1);
  ASSERT_TRUE(tables.finish(diagnostics));
  add_row(Rational(1, 4), {{{0, {1}}, 1}});
  add_row(std::nullopt, {{{0, {1}}, Rational(1, 3)}, {{0, {2}}, Rational(2, 3)}});
  add_row(std::nullopt, {{{0, {2}}, 1}});
  workload.rest = Rational(3, 4);
  const WeightedCases result = weighed();
  ASSERT_EQ(result.cases.size(), 2U);
  EXPECT_EQ(result.cases[0].known, Rational(1, 4));
  EXPECT_EQ(result.cases[0].unknown, (std::map<std::size_t, Rational>{{1, Rational(1, 3)}}));
  EXPECT_EQ(result.cases[1].unknown,
            (std::map<std::size_t, Rational>{{1, Rational(2, 3)}, {2, Rational(1)}}));
  EXPECT_EQ(result.cases[0].probability(workload), Interval(Rational(1, 4), Rational(1, 2)));
  EXPECT_EQ(result.cases[1].probability(workload), Interval(Rational(1, 2), Rational(3, 4)));
}

// The second byte: whether the pass is a copy's; the third: how the packet ends.
class CopiesAndGaps final : public program::Executor {
 public:
  Trace run(const InputPacket& packet) override {
    Trace trace;
    trace.passes = {{0, false}, {0, packet.bytes.at(1) != 0}};
    trace.verdict = Dropped{};
    if (packet.bytes.at(2) != 0) trace.verdict = gap(packet.bytes.at(2));
    program::PathHasher path;
    path.decide(0, packet.bytes.at(0));
    trace.path = path.id();
    return trace;
  }
  void reset() override {}
  static program::Gap gap(std::uint32_t line) { return {"too much", {FileId{1}, {line, 1}, {line, 2}}}; }

 private:
  using Dropped = program::Dropped;
};

TEST_F(WeighTest, WhoseAPassIsTellsCasesApart) {
  add_row(Rational(1), {{{0, {1, 0, 0}}, Rational(1, 2)}, {{0, {1, 1, 0}}, Rational(1, 2)}});
  CopiesAndGaps own;
  const auto result = weigh(workload, own, tables, diagnostics);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cases.size(), 2U);
  EXPECT_TRUE(result->gaps(workload).empty());
}

TEST_F(WeighTest, GapsOfOnePlaceAddUp) {
  add_row(Rational(1, 4), {{{0, {1, 0, 7}}, Rational(1, 2)}, {{0, {1, 0, 0}}, Rational(1, 2)}});
  add_row(Rational(1, 4), {{{0, {2, 0, 7}}, Rational(1, 4)}, {{0, {1, 0, 9}}, Rational(3, 4)}});
  add_row(std::nullopt, {{{0, {3, 0, 7}}, Rational(1, 3)}, {{0, {1, 0, 7}}, Rational(2, 3)}});
  add_row(std::nullopt, {{{0, {1, 0, 0}}, Rational(1)}});
  workload.rest = Rational(1, 2);
  CopiesAndGaps own;
  const auto result = weigh(workload, own, tables, diagnostics);
  ASSERT_TRUE(result);
  const auto gaps = result->gaps(workload);
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0].gap, CopiesAndGaps::gap(7));
  EXPECT_EQ(gaps[0].cases, (std::vector<std::size_t>{0, 2, 4}));
  // 1/8 and 1/16 are known; of the rest all or none, though each of its two cases alone has a part of it.
  EXPECT_EQ(gaps[0].probability, Interval(Rational(3, 16), Rational(11, 16)));
  EXPECT_EQ(gaps[1].gap, CopiesAndGaps::gap(9));
  EXPECT_EQ(gaps[1].probability, Interval(Rational(3, 16)));
  EXPECT_TRUE(gaps[0].matters());
  workload.rest = 0;
  EXPECT_FALSE((workload::WeightedGap{gaps[0].gap, {}, Interval(Rational(0))}).matters());
}

TEST_F(WeighTest, GeneratedEntriesKeepClearOfTheWorkload) {
  tables.request({tables::TableId{0}, 250, 1, {0, {}}, 0, true, {}});
  ASSERT_TRUE(tables.finish(diagnostics));
  std::vector<std::pair<InputPacket, Rational>> packets;
  for (std::uint8_t key : {3, 77, 200}) packets.push_back({{0, {key}}, Rational(1, 3)});
  add_row(Rational(1), packets);
  const WeightedCases result = weighed();
  EXPECT_EQ(result.packets, 3U);
  EXPECT_EQ(result.executed, 3U);
  ASSERT_EQ(result.cases.size(), 1U);
  EXPECT_EQ(result.cases[0].trace.events[0].number("hit"), 0);
  EXPECT_EQ(result.cases[0].trace.events[0].number("entries"), 250);
  EXPECT_EQ(result.cases[0].trace.events[0].number("visited"), 250);
}

TEST_F(WeighTest, ImpossibleGenerateIsReported) {
  tables.request({tables::TableId{0}, 255, 1, {0, {}}, 0, true, {}});
  ASSERT_TRUE(tables.finish(diagnostics));
  add_row(Rational(1), {{{0, {3}}, Rational(1, 2)}, {{0, {4}}, Rational(1, 2)}});
  EXPECT_FALSE(weigh(workload, executor, tables, diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace perfpact::workload
