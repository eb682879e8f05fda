#include "count/convention.h"

#include "explore/native/mbuf.h"

namespace perfpact::count {
namespace {

using Preset = explore::Entry::Preset;
namespace mbuf = explore::mbuf;

constexpr std::uint64_t kLongestPacket = 65535;

template <class Number>
std::optional<Number> read_number(std::uint64_t address, const ReadMemory& read) {
  std::array<std::uint8_t, sizeof(Number)> bytes{};
  if (!read(address, bytes)) return std::nullopt;
  return std::bit_cast<Number>(bytes);
}

template <class Number>
bool write_number(std::uint64_t address, Number number, const WriteMemory& write) {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Number)>>(number);
  return write(address, bytes);
}

std::optional<std::uint64_t> packet_length(const explore::Entry& entry, const Arguments& arguments,
                                           const ReadMemory& read) {
  if (entry.preset == Preset::Mbuf)
    return read_number<std::uint16_t>(arguments.at(entry.packet) + mbuf::kDataLength, read);
  if (!entry.length) return std::nullopt;
  return static_cast<std::uint32_t>(arguments.at(*entry.length));
}

}  // namespace

std::optional<std::uint64_t> packet_address(const explore::Entry& entry, const Arguments& arguments,
                                            const ReadMemory& read) {
  const std::uint64_t packet = arguments.at(entry.packet);
  if (entry.preset == Preset::Raw) return packet;
  const auto buffer = read_number<std::uint64_t>(packet + mbuf::kBuffer, read);
  const auto offset = read_number<std::uint16_t>(packet + mbuf::kDataOffset, read);
  if (!buffer || !offset) return std::nullopt;
  return *buffer + *offset;
}

std::optional<packet::Bytes> packet_of(const explore::Entry& entry, const Arguments& arguments,
                                       const ReadMemory& read) {
  const auto address = packet_address(entry, arguments, read);
  const auto length = packet_length(entry, arguments, read);
  if (!address || !length || *length > kLongestPacket) return std::nullopt;
  packet::Bytes bytes(*length);
  if (!read(*address, bytes)) return std::nullopt;
  return bytes;
}

bool give_packet(const explore::Entry& entry, const packet::CapturedPacket& packet, Arguments& arguments,
                 const ReadMemory& read, const WriteMemory& write) {
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  const auto address = packet_address(entry, arguments, read);
  if (!address || !write(*address, packet.bytes)) return false;
  const std::size_t length = packet.bytes.size();
  if (entry.now_ns)
    arguments.at(*entry.now_ns) = static_cast<std::uint64_t>(packet.time.seconds) * kNanoseconds +
                                  static_cast<std::uint64_t>(packet.time.nanoseconds);
  if (entry.preset == Preset::Raw) {
    if (entry.length) arguments.at(*entry.length) = length;
    return true;
  }
  const std::uint64_t held = arguments.at(entry.packet);
  return write_number(held + mbuf::kPacketLength, static_cast<std::uint32_t>(length), write) &&
         write_number(held + mbuf::kDataLength, static_cast<std::uint16_t>(length), write);
}

}  // namespace perfpact::count
