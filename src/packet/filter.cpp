#include "packet/filter.h"

#include "packet/diagnostics.h"
#include "packet/pcap_handle.h"

namespace perfpact::packet {
Result<Filter> compile_filter(const std::string& text, const Span& at, Diagnostics& diagnostics) {
  const PcapHandle handle(pcap_open_dead(DLT_EN10MB, kLongestPacket));
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
