#include "p4/interpreter/packet_buffer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace perfpact::p4::interpreter {
namespace {

using Bytes = PacketBuffer::Bytes;

PacketBuffer buffer(Bytes bytes) {
  return PacketBuffer(std::make_shared<const Bytes>(std::move(bytes)));
}

std::string bit_text(const Bytes& bytes) {
  std::string text;
  for (std::uint8_t byte : bytes)
    for (int i = 7; i >= 0; --i) text += (byte >> i & 1) != 0 ? '1' : '0';
  return text;
}
Integer value_of(const std::string& text) {
  Integer value = 0;
  for (char c : text) value = value * 2 + (c - '0');
  return value;
}

TEST(PacketBuffer, ReadsAtAnyBit) {
  const Bytes bytes{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98,
                    0x76, 0x54, 0x32, 0x10, 0x5a, 0xa5, 0x3c, 0xc3, 0x0f, 0xf0, 0x99, 0x66};
  const std::string text = bit_text(bytes) + std::string(300, '0');
  for (std::uint32_t begin = 0; begin <= 192; begin += 5)
    for (std::uint32_t bits : {0U, 1U, 3U, 8U, 13U, 63U, 64U, 65U, 128U, 130U, 256U}) {
      PacketBuffer packet = buffer(bytes);
      packet.advance(begin);
      ASSERT_EQ(packet.peek(bits), value_of(text.substr(begin, bits))) << begin << " " << bits;
      ASSERT_EQ(packet.peek(bits, 7), value_of(text.substr(begin + 7, bits))) << begin << " " << bits;
    }
}

TEST(PacketBuffer, CursorStopsAtTheEnd) {
  PacketBuffer packet = buffer({1, 2, 3});
  EXPECT_EQ(packet.remaining(), 24U);
  packet.advance(5);
  EXPECT_EQ(packet.remaining(), 19U);
  packet.advance(0xffffffff);
  EXPECT_EQ(packet.remaining(), 0U);
  EXPECT_EQ(packet.peek(16), 0);
  EXPECT_EQ(packet.length(), 3U);
  EXPECT_TRUE(packet.payload().empty());
}

TEST(PacketBuffer, PayloadIsFilledUpWithZeros) {
  PacketBuffer packet = buffer({0xab, 0xcd});
  EXPECT_EQ(packet.payload(), (Bytes{0xab, 0xcd}));
  packet.advance(4);
  EXPECT_EQ(packet.payload(), (Bytes{0xbc, 0xd0}));
  packet.advance(4);
  EXPECT_EQ(packet.payload(), (Bytes{0xcd}));
}

TEST(PacketBuffer, CommitPutsTheEmittedBeforeTheRest) {
  PacketBuffer packet = buffer({0x11, 0x22, 0x33});
  packet.advance(8);
  packet.emit(0xabc, 12);
  packet.emit(0xd, 4);
  packet.commit();
  EXPECT_EQ(*packet.input(), (Bytes{0xab, 0xcd, 0x22, 0x33}));
  EXPECT_EQ(packet.remaining(), 32U);
  packet.emit(5, 3);
  packet.commit();
  EXPECT_EQ(*packet.input(), (Bytes{0xb5, 0x79, 0xa4, 0x46, 0x60})) << "101 1010 1011 ...";
}

TEST(PacketBuffer, AHundredRandomEmissions) {
  std::mt19937 random(1);
  std::string expected;
  PacketBuffer packet = buffer({0xc5});
  for (int i = 0; i < 100; ++i) {
    std::string piece;
    for (std::uint32_t bits = random() % 200; bits > 0; --bits) piece += random() % 2 != 0 ? '1' : '0';
    packet.emit(value_of("1" + piece), static_cast<std::uint32_t>(piece.size()));  // the bit above is no part
    expected += piece;
  }
  expected += "11000101";
  expected.resize((expected.size() + 7) / 8 * 8, '0');
  packet.commit();
  EXPECT_EQ(bit_text(*packet.input()), expected);
}

}  // namespace
}  // namespace perfpact::p4::interpreter
