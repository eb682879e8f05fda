// The hash and checksum algorithms of v1model, with the values that behavioral-model 1.15
// (src/bm_sim/calculations.cpp) gives:
//   crc32     zlib's; of "123456789" 0xcbf43926
//   crc16     CRC-16/ARC: 0x8005, reflected, from 0; of "123456789" 0xbb3d
//   custom    the parameters of the above, which are the defaults until a control plane sets others
//   csum16    Internet checksum (RFC 1071): complement of the ones' complement sum of 16-bit words
//   xor16     exclusive or of 16-bit words; both pad an odd byte with a zero byte behind it
//   identity  the first 8 bytes as a number, most significant first
// Tested by tests/packet/hash_test.cpp.
#pragma once
#include <cstdint>
#include <span>

namespace perfpact::packet {

enum class HashAlgorithm : std::uint8_t {
  Crc32,
  Crc32Custom,
  Crc16,
  Crc16Custom,
  Random,
  Identity,
  Csum16,
  Xor16
};

/// The algorithm's value; not for Random, which is no function of the data.
[[nodiscard]] std::uint64_t hash_value(HashAlgorithm algorithm, std::span<const std::uint8_t> data);

}  // namespace perfpact::packet
