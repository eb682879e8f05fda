// Differences of contracts as text, Markdown, JSON (perfpact.diff/1) and SARIF 2.1.0.
#pragma once
#include "diff/diff.h"

namespace perfpact::report {

struct DiffView {
  std::string before, after;  // what was compared
  const diff::Diff& diff;
  Rational allowed;  // 1/50: 2 % dearer is no violation
};

[[nodiscard]] std::string to_text(const DiffView& view);
[[nodiscard]] std::string to_markdown(const DiffView& view);
[[nodiscard]] std::string to_json(const DiffView& view);
[[nodiscard]] std::string to_sarif(const DiffView& view);

}  // namespace perfpact::report
