// Where DPDK keeps what a packet buffer says of its packet: offsets in struct rte_mbuf (DPDK 22.11,
// rte_mbuf_core.h), which are part of its ABI.
#pragma once
#include <cstdint>

namespace perfpact::explore::mbuf {

inline constexpr std::uint64_t kBuffer = 0;         // void *buf_addr
inline constexpr std::uint64_t kDataOffset = 16;    // uint16_t data_off
inline constexpr std::uint64_t kPort = 22;          // uint16_t port
inline constexpr std::uint64_t kPacketLength = 36;  // uint32_t pkt_len
inline constexpr std::uint64_t kDataLength = 40;    // uint16_t data_len

}  // namespace perfpact::explore::mbuf
