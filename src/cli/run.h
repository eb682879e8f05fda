// `perfpact run`: packets one at a time through a program, their outputs held to what an STF file expects.
//
//   packet 1 (t.stf:3): port 0, 14 bytes: sent(1), path 88e39d532b9a2cdf
//     port 1: 020000000001...
//   ...
//   failed: t.stf:6:1: port 1: 14 bytes, expected 15
//     expected: 02000000 0001...
//     sent:     02000000 0001...
//   path of packet 1 (t.stf:3):
//     start(normal)                     t.p4:27
//   2 packets, 1 of 2 expectations failed
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"
#include "p4/core/core.h"

namespace perfpact::cli {

/// Runs the statements of Options::stf in order; output goes to stdout. Gives the exit status: kExitNo when
/// an expectation fails, else kExitGaps when a packet was not followed to its end.
[[nodiscard]] Result<int> run_stf(const p4::core::Program& program, const Options& options,
                                  Diagnostics& diagnostics);

}  // namespace perfpact::cli
