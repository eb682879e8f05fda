#include "p4/interpreter/packet_buffer.h"

#include <algorithm>

namespace perfpact::p4::interpreter {

Integer PacketBuffer::peek(std::uint32_t bits, std::uint64_t offset) const {
  constexpr std::uint32_t kWordBits = 64;
  std::uint64_t position = cursor_ + offset;
  if (bits <= kWordBits) return packet::read_bits(*input_, position, bits);
  Integer value = 0;
  while (bits > 0) {
    const std::uint32_t taken = std::min(bits, kWordBits);
    value <<= taken;
    value |= packet::read_bits(*input_, position, taken);
    position += taken;
    bits -= taken;
  }
  return value;
}

void PacketBuffer::advance(std::uint64_t bits) {
  cursor_ += std::min(bits, remaining());
}

PacketBuffer::Bytes PacketBuffer::payload() const {
  packet::BitWriter rest;
  rest.append(*input_, cursor_);
  return rest.take();
}

void PacketBuffer::commit() {
  output_.append(*input_, cursor_);
  input_ = std::make_shared<const Bytes>(output_.take());
  cursor_ = 0;
}

}  // namespace perfpact::p4::interpreter
