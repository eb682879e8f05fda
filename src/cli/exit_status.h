// Exit statuses (README). 70, our own bug, is given by PERFPACT_CHECK.
#pragma once

namespace perfpact::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitBadInput = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitNo = 3;    // the answer is no
inline constexpr int kExitGaps = 4;  // the answer is incomplete

}  // namespace perfpact::cli
