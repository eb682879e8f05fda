#include "cli/diff.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "cli/contract.h"
#include "cli/exit_status.h"
#include "cli/native_paths.h"
#include "report/diff.h"

namespace perfpact::cli {
namespace {

// The contract of a program, or one that was written before.
Result<diff::Summary> summary_of(const std::string& file, const Options& options, Diagnostics& diagnostics) {
  if (is_elf(file)) {
    Options one = options;
    one.program = file;
    one.json = true;
    const auto made = contract_of(one, diagnostics);
    if (!made) return std::unexpected(made.error());
    return diff::read_summary(made->text, file, diagnostics);
  }
  const auto id = read_source(file, diagnostics);
  if (!id) return std::unexpected(id.error());
  return diff::read_summary(diagnostics.sources().text(*id), file, diagnostics);
}

std::string print(const report::DiffView& view, DiffFormat format) {
  switch (format) {
    case DiffFormat::Text:
      return report::to_text(view);
    case DiffFormat::Markdown:
      return report::to_markdown(view);
    case DiffFormat::Json:
      return report::to_json(view);
    case DiffFormat::Sarif:
      return report::to_sarif(view);
  }
  return {};
}

}  // namespace

Result<int> find_differences(const Options& options, Diagnostics& diagnostics) {
  const auto before = summary_of(options.old_program, options, diagnostics);
  const auto after = summary_of(options.program, options, diagnostics);
  if (!before || !after) return std::unexpected(diagnostics.already_reported());
  const auto diff = diff::compare(*before, *after, diagnostics);
  if (!diff) return std::unexpected(diff.error());
  fmt::print("{}", print({before->program, after->program, *diff, options.allowed}, options.diff_format));
  for (const diff::Change& change : diff->changes)
    if (change.is_beyond(options.allowed)) return kExitNo;
  return before->is_complete && after->is_complete ? kExitOk : kExitGaps;
}

}  // namespace perfpact::cli
