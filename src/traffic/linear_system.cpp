#include "traffic/linear_system.h"

#include <bit>

#include "base/check.h"

namespace perfpact::traffic {
namespace {

constexpr std::size_t kMost = 128;

bool bit(Wide value, std::size_t index) {
  return (value >> index & 1) != 0;
}

bool parity(Wide value) {
  return std::popcount(static_cast<std::uint64_t>(value >> 64) ^ static_cast<std::uint64_t>(value)) % 2 != 0;
}

}  // namespace

// Gauss-Jordan elimination: afterwards a pivot stands in its row only.
LinearSystem::LinearSystem(std::span<const Wide> columns, unsigned equations) : rows_(equations) {
  PERFPACT_CHECK(columns.size() <= kMost && equations <= kMost, "a system of {} equations in {} unknowns",
                 equations, columns.size());
  for (unsigned e = 0; e < equations; ++e) {
    rows_[e].equations = Wide{1} << e;
    for (std::size_t u = 0; u < columns.size(); ++u) rows_[e].unknowns |= Wide{bit(columns[u], e)} << u;
  }
  std::vector<bool> is_pivot(columns.size());
  for (unsigned u = 0; u < columns.size(); ++u) {
    const auto free_row = [&](const Row& row) { return !row.pivot && bit(row.unknowns, u); };
    const auto found = std::ranges::find_if(rows_, free_row);
    if (found == rows_.end()) continue;
    found->pivot = u;
    is_pivot[u] = true;
    for (Row& row : rows_) {
      if (&row == &*found || !bit(row.unknowns, u)) continue;
      row.unknowns ^= found->unknowns;
      row.equations ^= found->equations;
    }
  }
  for (std::size_t u = 0; u < columns.size(); ++u) {
    if (is_pivot[u]) continue;
    Wide vector = Wide{1} << u;
    for (const Row& row : rows_)
      if (row.pivot && bit(row.unknowns, u)) vector |= Wide{1} << *row.pivot;
    kernel_.push_back(vector);
  }
}

std::optional<Wide> LinearSystem::solve(Wide right_sides, Random& random) const {
  Wide solution = 0;
  for (const Row& row : rows_) {
    if (!parity(row.equations & right_sides)) continue;
    if (!row.pivot) return std::nullopt;
    solution |= Wide{1} << *row.pivot;
  }
  const Wide high = random();
  const Wide chosen = high << 64 | random();
  for (std::size_t k = 0; k < kernel_.size(); ++k)
    if (bit(chosen, k)) solution ^= kernel_[k];
  return solution;
}

}  // namespace perfpact::traffic
