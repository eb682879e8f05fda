#pragma once
#include <cstdint>

namespace perfpact::explore {

inline constexpr std::uint32_t kByte = 8;  // bits

}  // namespace perfpact::explore
