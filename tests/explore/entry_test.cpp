#include "explore/native/entry.h"

#include "../packet/reported.h"

namespace perfpact::explore {
namespace {

using perfpact::test::Folder;
using perfpact::test::reported;

class EntryTest : public ::testing::Test {
 protected:
  std::optional<Entry> load(std::string_view lines) {
    const std::string path =
        folder.write("entry.yaml", "schema: perfpact.entry/1\nfunction: nf_process\n" + std::string(lines));
    Result<Entry> entry = Entry::load(path, diagnostics);
    return entry ? std::optional(std::move(*entry)) : std::nullopt;
  }
  // What is reported, without its place; places are tested once.
  std::string report_of(std::string_view lines) {
    Diagnostics fresh(sources);
    const std::string path =
        folder.write("entry.yaml", "schema: perfpact.entry/1\nfunction: nf_process\n" + std::string(lines));
    EXPECT_FALSE(Entry::load(path, fresh)) << lines;
    std::string text;
    for (const Diagnostic& d : fresh.all()) text += fmt::format("{} [{}]\n", d.message, d.kind->id);
    return text;
  }

  Folder folder;
  SourceManager sources;
  Diagnostics diagnostics{sources};
};

TEST_F(EntryTest, NamesOfStructures) {
  const auto entry = load("structures: {flows: \"&table\", macs: \"*(state+0x10)\"}\n");
  ASSERT_TRUE(entry) << diagnostics.render();
  ASSERT_EQ(entry->structures.size(), 2U);
  EXPECT_EQ(entry->structures[1].name, "macs");
  EXPECT_EQ(entry->structures[1].place, "*(state+0x10)");
}

TEST_F(EntryTest, Raw) {
  const auto entry = load("");
  ASSERT_TRUE(entry) << diagnostics.render();
  EXPECT_EQ(entry->function, "nf_process");
  EXPECT_EQ(entry->preset, Entry::Preset::Raw);
  EXPECT_EQ(entry->packet, 1U);
  EXPECT_EQ(entry->length, 2U);
  EXPECT_EQ(entry->port, 0U);
  EXPECT_EQ(entry->now_ns, 3U);
  EXPECT_EQ(entry->shortest, 14U);
  EXPECT_EQ(entry->longest, 1514U);
  ASSERT_EQ(entry->results.size(), 2U);
  EXPECT_EQ(entry->other, Entry::Meaning::Sent);
  EXPECT_TRUE(load("preset: raw\n"));
}

TEST_F(EntryTest, Mbuf) {
  const auto entry = load("preset: mbuf\n");
  ASSERT_TRUE(entry) << diagnostics.render();
  EXPECT_EQ(entry->preset, Entry::Preset::Mbuf);
  EXPECT_EQ(entry->packet, 0U);
  EXPECT_FALSE(entry->length || entry->port || entry->now_ns);
}

TEST_F(EntryTest, ArgumentsAreThoseThatStandThere) {
  const auto entry = load("arguments: {packet: 0, length: 5}\nlength: 20..0x40\n");
  ASSERT_TRUE(entry) << diagnostics.render();
  EXPECT_EQ(entry->packet, 0U);
  EXPECT_EQ(entry->length, 5U);
  EXPECT_FALSE(entry->port || entry->now_ns);
  EXPECT_EQ(entry->shortest, 20U);
  EXPECT_EQ(entry->longest, 64U);
}

TEST_F(EntryTest, OneLength) {
  const auto entry = load("length: 60\n");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->shortest, 60U);
  EXPECT_EQ(entry->longest, 60U);
}

TEST_F(EntryTest, Verdicts) {
  const auto entry = load("verdict: {return: {0: dropped, -2: flood, 0xffffffff: sent, other: dropped}}\n");
  ASSERT_TRUE(entry) << diagnostics.render();
  ASSERT_EQ(entry->results.size(), 3U);
  EXPECT_EQ(entry->results[0].value, 0);
  EXPECT_EQ(entry->results[0].meaning, Entry::Meaning::Dropped);
  EXPECT_EQ(entry->results[1].value, -2);
  EXPECT_EQ(entry->results[1].meaning, Entry::Meaning::Flood);
  EXPECT_EQ(entry->results[2].value, -1);
  EXPECT_EQ(entry->results[2].meaning, Entry::Meaning::Sent);
  EXPECT_EQ(entry->other, Entry::Meaning::Dropped);
}

TEST_F(EntryTest, Assumptions) {
  const auto entry = load(
      "assume: [port < 2, 'length>=60', now_ns != 0x10, 'table+0x8:4 == 7', a <= 1, b > "
      "18446744073709551615]\n");
  ASSERT_TRUE(entry) << diagnostics.render();
  std::string text;
  for (const Assumption& one : entry->assumptions)
    text += fmt::format("{} {} {}, ", one.name, static_cast<int>(one.comparison), one.bound);
  EXPECT_EQ(text, "port 2 2, length 5 60, now_ns 1 16, table+0x8:4 0 7, a 3 1, b 4 18446744073709551615, ");
}

TEST_F(EntryTest, OutputIsForChains) {
  EXPECT_TRUE(load("output: {packet: 1, length: 2}\n")) << diagnostics.render();
}

TEST_F(EntryTest, FaultsHavePlaces) {
  EXPECT_FALSE(load("preset: mbuff\nassume:\n  - port < 2\n  - port\n"));
  EXPECT_EQ(
      reported(diagnostics),
      "3:9: there is no preset 'mbuff'; expected raw or mbuf [entry-preset]\n"
      "6:5: 'port' is no assumption; expected NAME, one of == != < <= > >=, and a number without a sign "
      "[entry-assumption]\n");
}

TEST_F(EntryTest, WrongArguments) {
  EXPECT_EQ(report_of("arguments: {packet: 1, lenght: 2}\n"),
            "there is no argument 'lenght' that a packet's function takes; did you mean 'length'? "
            "[entry-argument]\n");
  EXPECT_EQ(report_of("arguments: {packet: 1, length: 1}\n"),
            "'packet' and 'length' are both argument 1 [entry-same-position]\n");
  EXPECT_NE(report_of("arguments: {packet: 6}\n"), "");
  EXPECT_EQ(report_of("arguments: 3\n"), "arguments must be a mapping, not '3' [yaml-expected]\n");
}

TEST_F(EntryTest, WrongLengths) {
  for (const char* length : {"20..", "..20", "60..20", "x", "-1..3", "14..65536", "[1, 2]"}) {
    const std::string report = report_of(fmt::format("length: {}\n", length));
    EXPECT_TRUE(report.ends_with(
        "' is no packet length; expected LOW..HIGH or a number, up to 65535 bytes [entry-length]\n"))
        << length << ": " << report;
  }
}

TEST_F(EntryTest, WrongVerdicts) {
  EXPECT_EQ(report_of("verdict: {return: {0: drop}}\n"),
            "'drop' is no verdict; expected dropped, flood or sent [entry-meaning]\n");
  for (const char* result : {"x", "1x", "4294967296", "-2147483649", "9223372036854775808"})
    EXPECT_EQ(report_of(fmt::format("verdict: {{return: {{{}: dropped}}}}\n", result)),
              fmt::format("'{}' is no result of the entry function; expected a number of 32 bits, each only "
                          "once, or other [entry-result]\n",
                          result));
  EXPECT_TRUE(
      report_of("verdict: {return: {-1: dropped, 0xffffffff: sent}}\n").ends_with("[entry-result]\n"));
  EXPECT_EQ(report_of("verdict: {return: dropped}\n"),
            "return must be a mapping, not 'dropped' [yaml-expected]\n");
  EXPECT_EQ(report_of("verdict: {}\n"), "a verdict needs a key 'return' [yaml-missing-key]\n");
}

TEST_F(EntryTest, WrongAssumptions) {
  for (const char* assumption :
       {"port", "< 3", "port <", "port < x", "port = 3", "port < -1", "port < 2 < 3"})
    EXPECT_TRUE(report_of(fmt::format("assume: ['{}']\n", assumption)).ends_with("[entry-assumption]\n"))
        << assumption;
  EXPECT_EQ(report_of("assume: port < 2\n"), "assume must be a list, not 'port < 2' [yaml-expected]\n");
}

TEST_F(EntryTest, NotYet) {
  EXPECT_EQ(report_of("window: {from: a, to: b}\n"),
            "not supported yet: 'window' in an entry file [entry-not-yet]\n");
}

TEST_F(EntryTest, OtherFiles) {
  EXPECT_FALSE(Entry::load(folder.write("a.yaml", "schema: perfpact.entry/2\nfunction: f\n"), diagnostics));
  EXPECT_FALSE(Entry::load(folder.write("b.yaml", "schema: perfpact.entry/1\n"), diagnostics));
  EXPECT_FALSE(Entry::load(folder.write("c.yaml", "schema: perfpact.entry/1\nfunction: f\nassumes: []\n"),
                           diagnostics));
  EXPECT_EQ(reported(diagnostics),
            "1:9: schema is 'perfpact.entry/2'; expected 'perfpact.entry/1' [yaml-schema]\n"
            "1:1: an entry needs a key 'function' [yaml-missing-key]\n"
            "3:1: unknown key 'assumes' in an entry; did you mean 'assume'? [yaml-unknown-key]\n");
}

}  // namespace
}  // namespace perfpact::explore
