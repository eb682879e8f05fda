#include "packet/hash.h"

#include <algorithm>
#include <boost/crc.hpp>

#include "base/check.h"

namespace perfpact::packet {
namespace {

using Data = std::span<const std::uint8_t>;

template <class Crc>
std::uint64_t crc(Data data) {
  Crc sum;
  sum.process_bytes(data.data(), data.size());
  return sum.checksum();
}

// The i-th 16-bit word, a missing last byte taken as zero.
std::uint64_t word(Data data, std::size_t i) {
  const std::uint64_t low = 2 * i + 1 < data.size() ? data[2 * i + 1] : 0;
  return static_cast<std::uint64_t>(data[2 * i]) << 8 | low;
}

std::uint64_t internet_checksum(Data data) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; 2 * i < data.size(); ++i) sum += word(data, i);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum ^ 0xffff;
}

std::uint64_t exclusive_or(Data data) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; 2 * i < data.size(); ++i) sum ^= word(data, i);
  return sum;
}

std::uint64_t identity(Data data) {
  std::uint64_t value = 0;
  for (std::uint8_t byte : data.first(std::min<std::size_t>(8, data.size()))) value = value << 8 | byte;
  return value;
}

std::uint64_t not_a_function(Data) {
  PERFPACT_CHECK(false, "hash_value of the random algorithm");
  return 0;
}

// In the order of HashAlgorithm.
constexpr std::array<std::uint64_t (*)(Data), 8> kAlgorithms{
    crc<boost::crc_32_type>, crc<boost::crc_32_type>,
    crc<boost::crc_16_type>, crc<boost::crc_16_type>,
    not_a_function,          identity,
    internet_checksum,       exclusive_or,
};
static_assert(kAlgorithms.size() == static_cast<std::size_t>(HashAlgorithm::Xor16) + 1);

}  // namespace

std::uint64_t hash_value(HashAlgorithm algorithm, std::span<const std::uint8_t> data) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)](data);
}

}  // namespace perfpact::packet
