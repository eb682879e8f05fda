#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace perfpact {

void internal_error(std::string_view file, int line, std::string_view condition, const std::string& message) {
  fmt::print(stderr,
             "perfpact: internal error: {} ({}:{}: {})\n"
             "This is a bug of perfpact, not of your input. Please report it with the command line and the "
             "input files.\n",
             message, file, line, condition);
  std::fflush(nullptr);
  std::_Exit(kExitInternalError);
}

}  // namespace perfpact
