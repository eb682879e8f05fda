// The model of L1 that is certain of its hits, and the caches of the warm model, against a cache that is
// simulated in the most obvious way.
#include <gtest/gtest.h>

#include <list>
#include <map>
#include <random>

#include "timing/hierarchy.h"
#include "timing/must_cache.h"

namespace perfpact::timing {
namespace {

constexpr Cache kL1{32 << 10, 8};
constexpr Cache kSmall{4 * 2 * 64, 2};  // 4 sets of 2 ways

// LRU by definition: a list of lines a set, the newest first.
class Reference {
 public:
  explicit Reference(const Cache& cache) : cache_(cache) {}
  bool access(std::uint64_t line) {
    std::list<std::uint64_t>& set = sets_[line % cache_.sets()];
    const bool hits = std::ranges::find(set, line) != set.end();
    set.remove(line);
    set.push_front(line);
    if (set.size() > cache_.ways) set.pop_back();
    return hits;
  }

 private:
  Cache cache_;
  std::map<std::uint64_t, std::list<std::uint64_t>> sets_;
};

TEST(Caches, ACacheOf32KiBIn8WaysHas64Sets) {
  EXPECT_EQ(kL1.sets(), 64);
}

TEST(Caches, KnownLinesHitAsInAnLruCache) {
  for (const Cache& cache : {kL1, kSmall})
    for (unsigned seed = 0; seed < 50; ++seed) {
      std::mt19937_64 random(seed);
      MustCache must(cache);
      LruCache lru(cache);
      Reference reference(cache);
      const std::uint64_t lines = 1 + random() % (2 * cache.bytes / cache.line);
      std::size_t hits = 0;
      for (int i = 0; i < 5000; ++i) {
        const std::uint64_t line = 1'000'000 + random() % lines;
        const bool expected = reference.access(line);
        hits += expected ? 1 : 0;
        ASSERT_EQ(must.access({0, line}), expected) << "seed " << seed << ", access " << i;
        ASSERT_EQ(lru.access(line), expected) << "seed " << seed << ", access " << i;
      }
      EXPECT_GT(hits, 0);
    }
}

// Names of unknown lines mean some line, which other names and known lines may mean too; whatever they mean,
// a hit that is said to be certain is one.
TEST(Caches, NoHitIsClaimedThatSomeMeaningOfUnknownLinesMisses) {
  std::size_t claimed = 0, unknown_claimed = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const Cache& cache = seed % 2 == 0 ? kSmall : kL1;
    const std::uint64_t lines = 1 + random() % 24;
    std::vector<Line> trace;
    for (int i = 0; i < 300; ++i)
      trace.push_back(random() % 3 == 0 ? Line{1 + random() % 4, random() % 3}
                                        : Line{0, random() % lines * (random() % 2 == 0 ? 64 : 1)});
    MustCache must(cache);
    std::vector<bool> certain;
    for (const Line& line : trace) {
      certain.push_back(must.access(line));
      claimed += certain.back() ? 1 : 0;
      unknown_claimed += certain.back() && line.origin != 0 ? 1 : 0;
    }
    for (int meaning = 0; meaning < 20; ++meaning) {
      std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> means;
      Reference reference(cache);
      // What was there before is anything.
      for (int i = 0; i < 1000; ++i) reference.access(1'000'000 + random() % 4096);
      for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto& [origin, number] = trace[i];
        const std::uint64_t line =
            origin == 0 ? number : means.try_emplace({origin, number}, random() % lines * 64).first->second;
        const bool hits = reference.access(line);
        if (certain[i]) {
          ASSERT_TRUE(hits) << "seed " << seed << ", access " << i;
        }
      }
    }
  }
  EXPECT_GT(claimed, 10'000);
  EXPECT_GT(unknown_claimed, 100);
}

TEST(Caches, NothingIsCertainAfterACall) {
  MustCache must(kL1);
  EXPECT_FALSE(must.access({0, 1}));
  EXPECT_FALSE(must.access({7, 1}));
  must.clear();
  EXPECT_FALSE(must.access({0, 1}));
  EXPECT_FALSE(must.access({7, 1}));
  EXPECT_TRUE(must.access({0, 1}));
}

TEST(Caches, AHierarchyFindsALineWhereItStillFits) {
  Latencies latencies = Latencies::defaults();
  Hierarchy caches(latencies);
  std::mt19937_64 random(1);
  // In random order, so that nothing is fetched ahead often.
  const auto share = [&](std::uint64_t bytes, Level level) {
    std::size_t at_level = 0, all = 0;
    for (std::uint64_t address = 0; address < bytes; address += 64) (void)caches.access(address);
    for (std::uint64_t i = 0; i < 4 * bytes / 64; ++i) {
      const Level found = caches.access(random() % bytes);
      ++all;
      at_level += found == level ? 1 : 0;
    }
    return static_cast<double>(at_level) / static_cast<double>(all);
  };
  EXPECT_EQ(share(16 << 10, Level::L1), 1);
  EXPECT_GT(share(512 << 10, Level::L2), 0.8);
  EXPECT_GT(share(8 << 20, Level::Llc), 0.7);
}

TEST(Caches, SequencesOfLinesAreFetchedAhead) {
  for (const bool is_rising : {true, false}) {
    Hierarchy caches(Latencies::defaults());
    std::size_t waits = 0;
    for (std::uint64_t i = 1; i <= 1000; ++i)
      waits += caches.access((is_rising ? i : 2000 - i) * 64) == Level::L1 ? 0 : 1;
    EXPECT_EQ(waits, 2);
  }
  Hierarchy caches(Latencies::defaults());
  for (std::uint64_t i = 1; i <= 1000; ++i) EXPECT_EQ(caches.access(i * 4096), Level::Dram);
}

}  // namespace
}  // namespace perfpact::timing
