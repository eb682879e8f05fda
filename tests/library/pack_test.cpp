#include "library/pack.h"

#include "../packet/reported.h"

namespace perfpact::library {
namespace {

using perfpact::test::Folder;

class PackTest : public ::testing::Test {
 protected:
  std::optional<Pack> load(const std::string& text) {
    Result<Pack> pack = Pack::load(folder.write("pack.yaml", text), diagnostics);
    return pack ? std::optional(std::move(*pack)) : std::nullopt;
  }
  /// What is reported of a pack with one method, without its place.
  std::string report_of(const std::string& lines, const std::string& outcome = "{name: done}") {
    Diagnostics fresh(sources);
    std::string text = "schema: perfpact.contract-pack/1\nlibrary: l\nmethods:\n";
    text += "  - function: table_get\n    method: get\n    structure: argument 0\n";
    text += "    fields: {capacity: {offset: 4, bytes: 4}}\n" + lines;
    if (!outcome.empty()) text += "    outcomes:\n      - " + outcome + "\n";
    EXPECT_FALSE(Pack::load(folder.write("pack.yaml", text), fresh)) << text;
    std::string report;
    for (const Diagnostic& d : fresh.all()) report += fmt::format("{} [{}]\n", d.message, d.kind->id);
    return report;
  }

  Folder folder;
  SourceManager sources;
  Diagnostics diagnostics{sources};
};

TEST_F(PackTest, AllOfIt) {
  const auto pack = load(R"(schema: perfpact.contract-pack/1
library: nflib
binary: {build_id: 12ab, compiler: gcc 12}
methods:
  - function: hash_map_get
    method: get
    structure: argument 0
    reads: {argument 1: 16}
    fields: {capacity: {offset: 8, bytes: 4}}
    outcomes:
      - name: hit
        requires: contains(argument 1)
        returns: 1
        writes: {argument 2: {bytes: 4, assume: value < capacity}}
        pcvs: [t, c]
        instructions: {formula: 18*t + 28*c + 65, quality: exact}
        loads: {formula: 5*t + 9*c + 20, quality: bounded, over_at_most: 3, over_mean: 1/2}
      - name: miss
        requires: not contains(argument 1)
        returns: 0
        pcvs: {t: 1.., c: 0..5, n: argument 2}
  - function: vector_borrow
    method: borrow
    structure: argument 0
    outcomes:
      - {name: ok, returns: {object: cell, bytes: 24, same_for: argument 1}}
      - {name: some, returns: {bytes: 4, assume: value < 8}}
      - {name: one, writes: {argument 2: {object: cell, bytes: 8, same_for: argument 1}}}
      - {name: nothing, returns: unknown, leaves: [full(0), value(argument 1) == argument 2], forgets: [contains]}
)");
  ASSERT_TRUE(pack) << diagnostics.render();
  EXPECT_EQ(pack->library, "nflib");
  EXPECT_EQ(pack->binary.at("compiler"), "gcc 12");
  ASSERT_EQ(pack->methods.size(), 2U);
  const Method& get = pack->methods[0];
  EXPECT_EQ(get.structure, 0U);
  EXPECT_EQ(get.reads.at(1), 16U);
  EXPECT_EQ(get.fields.at("capacity").offset, 8U);
  const Outcome& hit = get.outcomes[0];
  EXPECT_EQ(to_string(hit.requires_state), "contains(argument 1)");
  EXPECT_EQ(to_string(hit.returned.term), "1");
  EXPECT_EQ(to_string(hit.writes[0].assume), "value < capacity");
  EXPECT_EQ(hit.costs.find("instructions")->second.formula.to_string(), "28*c + 18*t + 65");
  const Cost& loads = hit.costs.find("loads")->second;
  EXPECT_EQ(loads.quality, Cost::Quality::Bounded);
  EXPECT_EQ(loads.over_at_most, Rational(3));
  EXPECT_EQ(loads.over_mean, Rational(1, 2));
  EXPECT_FALSE(hit.costs.contains("stores"));
  const Outcome& miss = get.outcomes[1];
  EXPECT_EQ(miss.pcvs[0].low, 1U);
  EXPECT_FALSE(miss.pcvs[0].high);
  EXPECT_EQ(miss.pcvs[1].high, 5U);
  EXPECT_EQ(to_string(*miss.pcvs[2].value), "argument 2");
  const std::vector<Outcome>& borrow = pack->methods[1].outcomes;
  EXPECT_EQ(borrow[0].returned.kind, Returned::Kind::Object);
  EXPECT_EQ(borrow[0].object->name, "cell");
  EXPECT_EQ(to_string(borrow[0].object->size), "24");
  EXPECT_EQ(to_string(borrow[0].object->same_for[0]), "argument 1");
  EXPECT_EQ(borrow[1].returned.kind, Returned::Kind::Number);
  EXPECT_EQ(borrow[1].returned.bytes, 4U);
  EXPECT_EQ(borrow[2].object->name, "cell");
  EXPECT_TRUE(borrow[2].writes[0].is_object);
  EXPECT_EQ(borrow[2].writes[0].bytes, 8U);
  EXPECT_EQ(borrow[3].returned.kind, Returned::Kind::Unknown);
  EXPECT_EQ(to_string(borrow[3].leaves), "full(0) and value(argument 1) == argument 2");
  EXPECT_EQ(borrow[3].forgets, std::vector<std::string>{"contains"});
}

TEST_F(PackTest, SaysWhatIsWrong) {
  EXPECT_EQ(report_of("    reads: {key: 8}\n"),
            "'key' is no argument; expected `argument N`, N from 0 to 5 (those that registers pass) "
            "[pack-argument]\n");
  EXPECT_EQ(report_of("    reads: {argument 1: 0}\n"),
            "what a method reads cannot be 0 bytes; expected 1 to 65536 [pack-bytes]\n");
  EXPECT_EQ(report_of("", "{name: hit, returns: {object: cell, bytes: contains(argument 1)}}"),
            "an object cannot be contains(argument 1) bytes; expected 1 to 65536, an argument or a field "
            "[pack-bytes]\n");
  EXPECT_EQ(
      report_of("",
                "{name: hit, returns: {object: a, bytes: 4}, writes: {argument 1: {object: b, bytes: 4}}}"),
      "outcome 'hit' gives pointers to two objects; expected one [pack-second-object]\n");
  EXPECT_EQ(report_of("", ""), "a method needs a key 'outcomes' [yaml-missing-key]\n");
  EXPECT_EQ(report_of("    outcomes: []\n", ""), "method 'table_get' has no outcome [pack-no-outcomes]\n");
  EXPECT_EQ(
      report_of("", "{name: hit, requires: value < capacty}"),
      "'capacty' is nothing that a condition can speak of here: it is no field of the structure; did you "
      "mean 'capacity'? [pack-unknown-term]\n");
  EXPECT_EQ(report_of("", "{name: hit, returns: [1]}"),
            "expected a number, a term, `unknown`, or a mapping with `object` and `bytes`, or `bytes` and "
            "`assume` [pack-returns]\n");
  EXPECT_EQ(report_of("", "{name: hit}\n      - {name: hit}"), "outcome 'hit' is there twice [pack-twice]\n");
  EXPECT_EQ(report_of("", "{name: hit}\n  - {function: table_get, method: x, outcomes: [{name: y}]}"),
            "function 'table_get' is there twice [pack-twice]\n");
  EXPECT_EQ(report_of("", "{name: hit, pcvs: [t], loads: {formula: 3*s, quality: exact}}"),
            "the formula uses 's', which is no PCV of outcome 'hit'; did you mean 't'? [pack-unknown-pcv]\n");
  EXPECT_EQ(report_of("", "{name: hit, loads: {formula: 3, quality: good}}"),
            "there is no quality 'good'; expected exact or bounded [pack-quality]\n");
  EXPECT_EQ(report_of("", "{name: hit, pcvs: {t: 5..2}}"),
            "'5..2' is no range of a PCV; expected LOW..HIGH, LOW.. or a term [pack-range]\n");
  EXPECT_EQ(report_of("", "{name: hit, leaves: [value < 3]}"),
            "expected a function, `not` and one, or one `==` a term in the condition, not value < 3 "
            "[pack-condition]\n");
}

TEST_F(PackTest, WhatIsDoneToMemory) {
  const auto pack = load(R"(schema: perfpact.contract-pack/1
library: C
methods:
  - {function: memcpy, method: memcpy, memory: copy}
  - {function: strnlen, method: strnlen, memory: {length: bounded}}
  - function: memcmp
    method: memcmp
    memory: compare
    outcomes: [{name: done, pcvs: [n], instructions: {formula: n + 12, quality: bounded}}]
)");
  ASSERT_TRUE(pack) << diagnostics.render();
  EXPECT_EQ(pack->methods[0].memory, MemoryFunction::Copy);
  EXPECT_FALSE(pack->methods[0].is_bounded);
  EXPECT_EQ(pack->methods[0].outcomes.front().pcvs.front().name, "n");
  EXPECT_EQ(pack->methods[1].memory, MemoryFunction::Length);
  EXPECT_TRUE(pack->methods[1].is_bounded);
  EXPECT_EQ(pack->methods[2].outcomes.front().costs.size(), 1U);
}

TEST_F(PackTest, WhatCannotBeDoneToMemory) {
  const std::string kinds =
      "; expected copy, fill, compare, compare_strings, length, or one of the last two with `: bounded` "
      "[pack-memory]\n";
  const std::string memory = "    memory: ";
  EXPECT_EQ(report_of(memory + "move\n").substr(0, 8), "'move' i");
  for (const char* wrong : {"move", "{copy: bounded}", "{length: often}", "[copy]"})
    EXPECT_TRUE(report_of(memory + wrong + "\n").ends_with(kinds)) << wrong;
  const std::string more =
      "what 'table_get' returns and writes follows from `memory`; expected no `structure`, and one outcome "
      "at most, "
      "with `pcvs: [n]` and costs [pack-memory-outcome]\n";
  EXPECT_EQ(report_of(memory + "copy\n"), more) << "a structure, and no n";
  EXPECT_EQ(report_of(memory + "copy\n", ""), more) << "a structure";
}

TEST_F(PackTest, TheCLibrary) {
  const Pack pack = Pack::c_library(diagnostics);
  EXPECT_TRUE(pack.is_shipped);
  EXPECT_EQ(pack.methods.front().function, "memcpy");
  EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.render();
}

}  // namespace
}  // namespace perfpact::library
