// The machine that cycles are told for.
#pragma once
#include "timing/cpu.h"
#include "timing/latencies.h"

namespace perfpact::timing {

inline constexpr std::string_view kCyclesBound = "cycles.bound", kCyclesExpected = "cycles.expected";

struct Machine {
  Cpu cpu;
  Latencies memory;
  Level miss = Level::Llc;  // where cycles.bound takes lines to be that L1 may not hold
};

}  // namespace perfpact::timing
