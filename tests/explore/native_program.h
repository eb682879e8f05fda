// For tests: the programs of programs/, each built by several compilers at several levels.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace perfpact::explore::test {

inline constexpr auto kFastBuilds = std::to_array<std::string_view>({"gcc-O2"});
#ifdef HAS_CLANG
inline constexpr auto kSlowBuilds =
    std::to_array<std::string_view>({"gcc-O0", "gcc-O3", "clang-O0", "clang-O2", "clang-O3"});
inline constexpr auto kFewSlowBuilds = std::to_array<std::string_view>({"gcc-O0", "clang-O2"});
#else
inline constexpr auto kSlowBuilds = std::to_array<std::string_view>({"gcc-O0", "gcc-O3"});
inline constexpr auto kFewSlowBuilds = std::to_array<std::string_view>({"gcc-O0"});
#endif

/// The path of a program.
inline std::string program(std::string_view name, std::string_view build) {
  return std::string(NATIVE_PROGRAMS) + std::string(name) + "-" + std::string(build);
}

/// For tests whose parameter is a build: gcc_O2.
inline std::string build_name(const ::testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  std::ranges::replace(name, '-', '_');
  return name;
}

/// For tests of something in a build: parser_gcc_O2.
inline std::string name_of_build(std::string_view what, std::string_view build) {
  std::string name = std::string(what) + "_" + std::string(build);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace perfpact::explore::test
