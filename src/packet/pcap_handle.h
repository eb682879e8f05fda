// What libpcap opens, closed with its owner.
#pragma once
#include <pcap/pcap.h>

#include <memory>

namespace perfpact::packet {

inline constexpr int kLongestPacket =
    262144;  // bytes; libpcap's own bound for the captured part of an Ethernet packet

struct ClosePcap {
  void operator()(pcap_t* handle) const { pcap_close(handle); }
  void operator()(pcap_dumper_t* dumper) const { pcap_dump_close(dumper); }
};
using PcapHandle = std::unique_ptr<pcap_t, ClosePcap>;
using PcapDumper = std::unique_ptr<pcap_dumper_t, ClosePcap>;

}  // namespace perfpact::packet
