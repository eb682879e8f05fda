#include "count/ending.h"

#include "count/diagnostics.h"
#include "process/start.h"

namespace perfpact::count {
namespace {

class Reporter {
 public:
  Reporter(const Options& options, std::size_t calls, Diagnostics& diagnostics)
      : options_(options), calls_(calls), diagnostics_(diagnostics) {}

  // True where that is no fault.
  bool operator()(const process::Reached&) const { return true; }
  bool operator()(const process::TimeUp&) const { return true; }
  bool operator()(const process::Exited& end) const {
    if (end.status == 0) return true;
    return report(diag::kFailed, end.status, calls_, options_.launch.entry);
  }
  bool operator()(const process::Killed& end) const {
    return report(diag::kKilled, process::signal_name(end.signal), calls_, options_.launch.entry);
  }
  bool operator()(const process::Replaced& end) const {
    return report(diag::kReplaced, end.program, calls_, options_.launch.entry);
  }
  bool operator()(const process::ReachedInChild&) const {
    return report(diag::kCalledInChild, options_.launch.entry);
  }

 private:
  template <class... Arguments>
  bool report(const DiagnosticKind& kind, const Arguments&... arguments) const {
    diagnostics_.report(kind, {}, options_.launch.program, arguments...);
    return false;
  }

  const Options& options_;
  std::size_t calls_;
  Diagnostics& diagnostics_;
};

}  // namespace

Result<void> report_end(const Options& options, const process::RunEnd& end, std::size_t calls,
                        const std::string& output, Diagnostics& diagnostics) {
  if (std::visit(Reporter(options, calls, diagnostics), end)) return {};
  process::note_output(output, diagnostics);
  return std::unexpected(diagnostics.already_reported());
}

}  // namespace perfpact::count
