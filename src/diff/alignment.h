// Which lines of a path are those of another program's path.
#pragma once
#include "diff/diff.h"

namespace perfpact::diff {

/// Lines of `after` that cost more than those of `before` that they stand for, or make calls that nobody made
/// before.
[[nodiscard]] std::vector<Place> dearer_places(const std::vector<Line>& before,
                                               const std::vector<Line>& after, const std::string& metric);

}  // namespace perfpact::diff
