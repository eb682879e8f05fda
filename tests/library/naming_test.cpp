#include "library/naming.h"

#include "../packet/reported.h"

namespace perfpact::library {
namespace {

class NamingTest : public ::testing::Test {
 protected:
  /// The name of the outcome that a call of a method with these outcomes has.
  std::string outcome(const std::string& outcomes, std::uint64_t rax) {
    std::string text = "schema: perfpact.contract-pack/1\nlibrary: l\nmethods:\n  - function: table_get\n";
    text += "    method: get\n    outcomes: [" + outcomes + "]\n";
    const Result<Pack> pack = Pack::load(folder.write("pack.yaml", text), diagnostics);
    if (!pack) return diagnostics.render();
    const Outcome* found = outcome_returning(pack->methods.front(), rax);
    return found == nullptr ? "" : found->name;
  }

  perfpact::test::Folder folder;
  SourceManager sources;
  Diagnostics diagnostics{sources};
};

constexpr std::uint64_t kNoise = 0xabcd'0000'0000'0000;

TEST_F(NamingTest, TruthValuesAreInTheLowestByte) {
  const std::string outcomes = "{name: hit, returns: 1}, {name: miss, returns: 0}";
  EXPECT_EQ(outcome(outcomes, kNoise | 0x1200), "miss");
  EXPECT_EQ(outcome(outcomes, kNoise | 0x1201), "hit");
  EXPECT_EQ(outcome(outcomes, 2), "");
}

TEST_F(NamingTest, NumbersAreIn32Bits) {
  const std::string outcomes = "{name: many, returns: 256}, {name: none, returns: 0}";
  EXPECT_EQ(outcome(outcomes, kNoise | 256), "many");
  EXPECT_EQ(outcome(outcomes, kNoise), "none");
  EXPECT_EQ(outcome(outcomes, 512), "");
}

TEST_F(NamingTest, PointersAreInAll) {
  const std::string outcomes = "{name: ok, returns: {object: cell, bytes: 8}}, {name: outside, returns: 0}";
  EXPECT_EQ(outcome(outcomes, kNoise), "ok");
  EXPECT_EQ(outcome(outcomes, 0), "outside");
}

TEST_F(NamingTest, NothingTells) {
  EXPECT_EQ(outcome("{name: one, returns: {bytes: 4}}, {name: none, returns: 0}", 0), "");
  EXPECT_EQ(outcome("{name: one, returns: {bytes: 4}}, {name: none, returns: 0}", 5), "one");
  EXPECT_EQ(outcome("{name: a}, {name: b}", 0), "");
  EXPECT_EQ(outcome("{name: only}", 7), "only");
}

TEST(PcvNames, ByMethods) {
  Pack pack;
  pack.methods.resize(2);
  pack.methods[0].function = "hash_map_erase";
  pack.methods[0].name = "erase";
  pack.methods[1].function = "flow_table_expire";
  pack.methods[1].name = "expire";
  EXPECT_EQ(pcv_by_methods(pack, "t"), "t");
  EXPECT_EQ(pcv_by_methods(pack, "hash_map_erase.t"), "erase.t");
  EXPECT_EQ(pcv_by_methods(pack, "flow_table_expire.hash_map_erase.t"), "expire.erase.t");
  EXPECT_EQ(pcv_by_methods(pack, "ring_push.t"), "ring_push.t");
}

}  // namespace
}  // namespace perfpact::library
