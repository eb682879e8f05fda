// For tests: the programs of programs/, each built by several compilers at several levels.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace perfpact::explore::testing {

#ifdef HAS_CLANG
inline constexpr auto kFastBuilds = std::to_array<std::string_view>({"gcc-O2", "clang-O2"});
inline constexpr auto kSlowBuilds =
    std::to_array<std::string_view>({"gcc-O0", "gcc-O3", "clang-O0", "clang-O3"});
#else
inline constexpr auto kFastBuilds = std::to_array<std::string_view>({"gcc-O2"});
inline constexpr auto kSlowBuilds = std::to_array<std::string_view>({"gcc-O0", "gcc-O3"});
#endif

/// The path of a program.
inline std::string program(std::string_view name, std::string_view build) {
  return std::string(NATIVE_PROGRAMS) + std::string(name) + "-" + std::string(build);
}

}  // namespace perfpact::explore::testing
