#include "contract/classes.h"

#include "../packet/reported.h"

namespace perfpact::contract {
namespace {

using perfpact::test::Folder;

class ClassesTest : public ::testing::Test {
 protected:
  Result<std::vector<InputClass>> load(const std::string& lines, Diagnostics& reported) {
    return load_classes(folder.write("classes.yaml", "schema: perfpact.classes/1\nclasses:\n" + lines),
                        reported);
  }
  std::string report_of(const std::string& lines) {
    Diagnostics fresh(sources);
    EXPECT_FALSE(load(lines, fresh)) << lines;
    return test::reported(fresh);
  }

  Folder folder;
  SourceManager sources;
  Diagnostics diagnostics{sources};
};

TEST_F(ClassesTest, AllOfIt) {
  const auto classes = load(
      "  - name: established\n    filter: ip and tcp\n    where: port == 1 and flows.get == hit\n"
      "    pcvs: {flows.get.t: 1, e: [0, 5]}\n"
      "  - name: rest\n",
      diagnostics);
  ASSERT_TRUE(classes) << diagnostics.render();
  ASSERT_EQ(classes->size(), 2U);
  const InputClass& first = (*classes)[0];
  EXPECT_EQ(first.name, "established");
  EXPECT_TRUE(first.filter);
  EXPECT_EQ(first.where->to_string(), "port == 1 and flows.get == hit");
  EXPECT_EQ(first.pcvs.find("flows.get.t")->second, (Range{1, 1}));
  EXPECT_EQ(first.pcvs.find("e")->second, (Range{0, 5}));
  EXPECT_FALSE((*classes)[1].filter);
}

TEST_F(ClassesTest, SaysWhatIsWrong) {
  EXPECT_EQ(report_of("  - {name: a}\n  - {name: a}\n"), "4:5: class 'a' is there twice [class-twice]\n");
  EXPECT_EQ(report_of("  - {name: other}\n"),
            "3:5: a class cannot be called 'other': that is what falls in no class [class-reserved]\n");
  EXPECT_EQ(report_of("  []\n"), "3:3: the file has no class [class-none]\n");
  EXPECT_EQ(report_of("  - {name: a, pcvs: {t: [5, 2]}}\n"),
            "3:25: 't' is no value of a PCV; expected a number, or [LOW, HIGH] [class-pcv]\n");
  EXPECT_EQ(
      report_of("  - {name: a, filter: tcp prot 5}\n"),
      "3:23: 'tcp prot 5' is no filter of packets (pcap-filter(7)): can't parse filter expression: syntax "
      "error [filter-syntax]\n");
}

}  // namespace
}  // namespace perfpact::contract
