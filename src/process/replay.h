// Runs copies of a kept process.
#pragma once
#include "process/start.h"
#include "process/stepper.h"

namespace perfpact::process {

/// Used by the thread that traces the process.
class Replayer {
 public:
  Replayer(const Tracee& tracee, const PageCache& memory);

  [[nodiscard]] Run replay(const Input& input, const ReplayOptions& options);

 private:
  const Tracee& tracee_;
  StepCache steps_;
};

}  // namespace perfpact::process
