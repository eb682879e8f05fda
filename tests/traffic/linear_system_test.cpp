#include "traffic/linear_system.h"

#include <gtest/gtest.h>

#include <set>

namespace perfpact::traffic {
namespace {

// What the equations give for these unknowns.
Wide sides(std::span<const Wide> columns, Wide unknowns) {
  Wide result = 0;
  for (std::size_t u = 0; u < columns.size(); ++u)
    if ((unknowns >> u & 1) != 0) result ^= columns[u];
  return result;
}

TEST(LinearSystemTest, SolutionsSolve) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const auto equations = 1 + static_cast<unsigned>(scale(random(), 128));
    std::vector<Wide> columns(1 + scale(random(), 128));
    const Wide mask = equations == 128 ? ~Wide{0} : (Wide{1} << equations) - 1;
    for (Wide& column : columns) column = (Wide{random()} << 64 | random()) & mask;
    const LinearSystem system(columns, equations);
    const Wide wanted = sides(columns, Wide{random()} << 64 | random());
    const auto solution = system.solve(wanted, random);
    ASSERT_TRUE(solution);
    EXPECT_TRUE(sides(columns, *solution) == wanted);
  }
}

// All small systems of 3 equations in 4 unknowns against all 16 assignments.
TEST(LinearSystemTest, FindsAllSolutionsAndNoOther) {
  Random random(2);
  for (unsigned code = 0; code < 1U << 12; code += 3) {
    std::vector<Wide> columns;
    for (unsigned u = 0; u < 4; ++u) columns.push_back(code >> (3 * u) & 7);
    const LinearSystem system(columns, 3);
    for (unsigned right = 0; right < 8; ++right) {
      std::set<unsigned> expected;
      for (unsigned x = 0; x < 16; ++x)
        if (sides(columns, x) == right) expected.insert(x);
      std::set<unsigned> found;
      for (int i = 0; i < 200; ++i)
        if (const auto solution = system.solve(right, random)) found.insert(static_cast<unsigned>(*solution));
      ASSERT_EQ(found, expected) << code << " " << right;
      if (!expected.empty()) {
        ASSERT_EQ(expected.size(), std::size_t{1} << system.dimension());
      }
    }
  }
}

}  // namespace
}  // namespace perfpact::traffic
