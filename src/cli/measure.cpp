#include "cli/measure.h"

#include <fmt/format.h>

#include "cli/exit_status.h"
#include "cli/path_files.h"
#include "timing/cpu.h"
#include "timing/measure.h"

namespace perfpact::cli {

Result<int> measure_memory(const Options& options, Diagnostics& diagnostics) {
  const auto measured = timing::measure_memory(diagnostics);
  if (!measured) return std::unexpected(measured.error());
  if (!options.output.empty())
    if (auto written =
            write_text(timing::to_yaml(*measured, timing::host_cpu()), options.output, diagnostics);
        !written)
      return std::unexpected(written.error());
  fmt::print("{}", timing::to_text(*measured));
  return kExitOk;
}

}  // namespace perfpact::cli
