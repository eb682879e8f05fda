// The metric of packs that is for one processor: the latencies of a call's instructions added up.
#pragma once
#include <string_view>

namespace perfpact::library {

inline constexpr std::string_view kLatency = "latency";
/// The key of Pack::binary that names the processor.
inline constexpr std::string_view kLatencyCpu = "latency_cpu";

}  // namespace perfpact::library
