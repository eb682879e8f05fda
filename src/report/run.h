// The views of one packet that ran through a program, as `perfpact run` prints them.
//
//   packet 1: port 0, 14 bytes: sent(1), path 88e39d532b9a2cdf
//     port 1: 0200000000010200000000020800
//   path of packet 1:
//     start(normal)  t.p4:27:1
//     parser.state(P.start)  t.p4:7:9
//
// As JSON (`perfpact.run/1`, docs/formats.md, section 10) a packet is one line. Tested by
// tests/report/run_test.cpp.
#pragma once
#include <string>

#include "base/source.h"
#include "packet/capture.h"
#include "program/trace.h"

namespace perfpact::report {

/// `packet 1: port 0, ...` and a line for each packet that left. `name` is what stands before the first
/// colon.
[[nodiscard]] std::string outcome_text(const std::string& name, const program::InputPacket& packet,
                                       const program::Trace& trace);
/// `path of packet 1:` and a line for each event.
[[nodiscard]] std::string path_text(const std::string& name, const program::Trace& trace,
                                    const SourceManager& sources);

struct RunLine {
  std::size_t number;  // of the packet in its capture, from 1
  packet::TimeStamp time;
  const program::InputPacket& packet;
  const program::Trace& trace;
};
/// One line, with its end. `with_steps`: all events, not only their counts.
[[nodiscard]] std::string to_json_line(const RunLine& line, const SourceManager& sources, bool with_steps);

}  // namespace perfpact::report
