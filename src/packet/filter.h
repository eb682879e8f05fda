// Filters of packets in the language of pcap-filter(7), compiled by libpcap to classic BPF for Ethernet.
// Tested by tests/packet/filter_test.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace perfpact::packet {

/// An instruction of classic BPF (the kernel's Documentation/networking/filter.rst; <linux/filter.h>).
struct FilterInstruction {
  std::uint16_t code = 0;
  std::uint8_t if_true = 0, if_false = 0;  // how many instructions a jump skips
  std::uint32_t k = 0;
};
using Filter = std::vector<FilterInstruction>;

/// Jumps lead forward, and the last instruction of each way returns. Reports filter-syntax.
[[nodiscard]] Result<Filter> compile_filter(const std::string& text, const Span& at,
                                            Diagnostics& diagnostics);

/// Whether the packet passes: libpcap's own interpreter, the reference.
[[nodiscard]] bool passes(const Filter& filter, std::span<const std::uint8_t> packet);

}  // namespace perfpact::packet
