// `perfpact contract`.
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"

namespace perfpact::cli {

struct Made {
  std::string text;       // the contract, as the options want it printed
  bool has_gaps = false;  // in the exploration, or in the classes
};
[[nodiscard]] Result<Made> contract_of(const Options& options, Diagnostics& diagnostics);

[[nodiscard]] Result<int> make_contract(const Options& options, Diagnostics& diagnostics);

}  // namespace perfpact::cli
