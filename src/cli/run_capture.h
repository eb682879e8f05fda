// `perfpact run --pcap`: the packets of a capture through a program, one at a time; its registers and
// counters persist from packet to packet.
//
//   packet 1: port 0, 60 bytes: sent(1), path 88e39d532b9a2cdf
//     port 1: 020000000001...
//   ...
//   2 packets in, 3 packets out, 0 gaps
#pragma once
#include "base/diagnostics.h"
#include "cli/options.h"
#include "p4/core/core.h"

namespace perfpact::cli {

/// Runs the packets of Options::pcap; output goes to stdout and, as a capture, to Options::pcap_out. Gives
/// the exit status: kExitGaps when a packet was not followed to its end.
[[nodiscard]] Result<int> run_capture(const p4::core::Program& program, const Options& options,
                                      Diagnostics& diagnostics);

}  // namespace perfpact::cli
