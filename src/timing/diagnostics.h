// What can be wrong with the processor and the memory that cycles are told for.
#pragma once
#include "base/diagnostics.h"

namespace perfpact::timing::diag {

inline constexpr DiagnosticKind kUnknownCpu{
    "unknown-cpu", Severity::Error,
    "there is no processor '{}'; expected a name that LLVM has for x86-64, as znver4, skylake, x86-64-v3{}"};
inline constexpr DiagnosticKind kCpuWithoutModel{
    "cpu-without-model", Severity::Error,
    "LLVM has no scheduling model of the processor '{}'; name one that it has, of the same make: --cpu"};
inline constexpr DiagnosticKind kMemoryLevels{
    "memory-levels", Severity::Error,
    "the levels of memory are {}; expected l1, l2, llc, dram, in this order"};
inline constexpr DiagnosticKind kMemoryGeometry{
    "memory-geometry", Severity::Error,
    "a cache of {} bytes in {} ways and lines of {} bytes has no whole number of sets, two or more"};
inline constexpr DiagnosticKind kMemoryOrder{"memory-order", Severity::Error,
                                             "level '{}' takes {} cycles, less than '{}', which is nearer"};
inline constexpr DiagnosticKind kUnknownInstruction{
    "unknown-instruction-of-cpu", Severity::Warning,
    "the model of {} does not know '{}' at {}: packets that execute it have no cycles.expected"};
inline constexpr DiagnosticKind kMeasureMemory{"measure-memory", Severity::Error,
                                               "there are no {} bytes of memory to measure with"};

}  // namespace perfpact::timing::diag
