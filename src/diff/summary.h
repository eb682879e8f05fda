// A contract as `perfpact contract --json` prints it (perfpact.contract/1), read back.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formula/formula.h"

namespace perfpact::diff {

struct Line {
  std::string at;  // `nat.c:120`, or a function where debug information does not tell
  std::string function;
  std::string text;                                         // of the source; empty where it is not known
  std::map<std::string, std::uint64_t, std::less<>> costs;  // by metric
  std::vector<std::string> calls;                           // `flows.get hit`
};

struct Cost {
  std::vector<formula::Formula> formulas;  // the cost is at most their maximum
  std::string text;                        // as it was printed
  std::optional<Rational> most;            // nothing: no limit
  std::string path;                        // id of the dearest path
};

struct Class {
  std::string name;
  bool is_empty = false;
  std::map<std::string, Cost, std::less<>> costs;  // by metric
  std::vector<Line> lines;                         // of the path that is the dearest by instructions
};

struct Summary {
  std::string program;
  std::vector<Class> classes;
  bool is_complete = true;  // no gap, and of each path it is known in which classes it is
};

/// `name` is what is reported of it where it is none: diff-not-a-contract.
[[nodiscard]] Result<Summary> read_summary(std::string_view json, const std::string& name,
                                           Diagnostics& diagnostics);

}  // namespace perfpact::diff
