#include "report/layout.h"

#include <gtest/gtest.h>

namespace perfpact::report {
namespace {

TEST(TextTable, AlignsColumnsAndDropsTrailingSpaces) {
  TextTable table({TextTable::Align::Left, TextTable::Align::Right}, 1);
  table.add({"a", "1", ""});
  table.add({"bcd", "1000", "x"});
  EXPECT_EQ(table.render(), " a       1\n bcd  1000  x\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({TextTable::Align::Left});
  table.add({"ü", "1"});
  table.add({"u", "2"});
  EXPECT_EQ(table.render(), "ü  1\nu  2\n");
}

TEST(CountOf, IsSingularForOne) {
  EXPECT_EQ(count_of(1, "packet"), "1 packet");
  EXPECT_EQ(count_of(0, "packet"), "0 packets");
}

}  // namespace
}  // namespace perfpact::report
