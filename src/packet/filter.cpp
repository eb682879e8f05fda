#include "packet/filter.h"

#include <pcap/pcap.h>

#include <memory>

#include "packet/diagnostics.h"

namespace perfpact::packet {
namespace {

constexpr int kLongestPacket = 65535;  // bytes

struct Closing {
  void operator()(pcap_t* handle) const { pcap_close(handle); }
};

}  // namespace

Result<Filter> compile_filter(const std::string& text, const Span& at, Diagnostics& diagnostics) {
  const std::unique_ptr<pcap_t, Closing> handle(pcap_open_dead(DLT_EN10MB, kLongestPacket));
  bpf_program program{};
  if (pcap_compile(handle.get(), &program, text.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0)
    return std::unexpected(diagnostics.report(diag::kFilterSyntax, at, text, pcap_geterr(handle.get())));
  Filter filter;
  for (const bpf_insn& one : std::span(program.bf_insns, program.bf_len))
    filter.push_back({one.code, one.jt, one.jf, one.k});
  pcap_freecode(&program);
  return filter;
}

bool passes(const Filter& filter, std::span<const std::uint8_t> packet) {
  std::vector<bpf_insn> code;
  for (const FilterInstruction& one : filter) code.push_back({one.code, one.if_true, one.if_false, one.k});
  const auto length = static_cast<unsigned>(packet.size());
  return bpf_filter(code.data(), packet.data(), length, length) != 0;
}

}  // namespace perfpact::packet
