// `perfpact contract`.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

[[nodiscard]] Result<int> make_contract(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
