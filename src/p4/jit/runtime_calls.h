// The functions of the runtime that compiled code calls. The first argument is always the frame.
#pragma once
#include <array>
#include <string_view>

namespace perfpact::p4::jit {

struct RuntimeCall {
  std::string_view name;
  void* function;
};
[[nodiscard]] std::array<RuntimeCall, 18> runtime_calls();

}  // namespace perfpact::p4::jit
