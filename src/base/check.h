// Our own bugs: a violated PERFPACT_CHECK says where and how to report, and ends the program with exit
// status 70. On in release builds too. Never used for wrong input (a diagnostic) nor for what cannot be
// decided (a gap).
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace perfpact {

inline constexpr int kExitInternalError = 70;

/// Prints the report of an internal error to stderr and exits with status 70.
[[noreturn]] void internal_error(std::string_view file, int line, std::string_view condition,
                                 const std::string& message);

}  // namespace perfpact

/// PERFPACT_CHECK(condition, "format {}", arguments...)
#define PERFPACT_CHECK(condition, ...)                                                      \
  do {                                                                                      \
    if (!(condition)) [[unlikely]]                                                          \
      ::perfpact::internal_error(__FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__)); \
  } while (false)
