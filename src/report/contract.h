// Contracts as text and JSON (perfpact.contract/1).
#pragma once
#include <string>

#include "contract/contract.h"
#include "timing/machine.h"

namespace perfpact::report {

struct ContractView {
  std::string program;
  std::string entry;
  const contract::Contract& contract;
  const std::vector<explore::NativePath>& paths;
  const explore::NativeExplorer& explorer;   // that found them
  const timing::Machine* machine = nullptr;  // that cycles are told for
};

[[nodiscard]] std::string to_text(const ContractView& view);
[[nodiscard]] std::string to_json(const ContractView& view);

}  // namespace perfpact::report
