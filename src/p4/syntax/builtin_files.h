// The P4 files that are part of perfpact, embedded at build time from src/p4/include.
#pragma once
#include <span>
#include <string_view>

namespace perfpact::p4 {

struct BuiltinFile {
  std::string_view name;  // `core.p4`
  std::string_view text;
};
[[nodiscard]] std::span<const BuiltinFile> builtin_files();

}  // namespace perfpact::p4
