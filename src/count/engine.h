// Which engine counts.
#pragma once
#include <cstdint>

namespace perfpact::count {

enum class Engine : std::uint8_t { Step, Valgrind };

}  // namespace perfpact::count
