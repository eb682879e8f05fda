#include <gtest/gtest.h>

#include "packet/packet.h"
#include "reported.h"

namespace perfpact::packet {
namespace {

void expect_value(std::string_view text, const Integer& value, std::optional<unsigned> width) {
  const auto parsed = parse_value(text);
  ASSERT_TRUE(parsed) << text;
  EXPECT_EQ(parsed->value, value) << text;
  EXPECT_EQ(parsed->natural_width, width) << text;
}

TEST(Values, NumbersAndAddresses) {
  expect_value("0", 0, std::nullopt);
  expect_value("1234", 1234, std::nullopt);
  expect_value("0x0806", 0x806, std::nullopt);
  expect_value("0b101", 5, std::nullopt);
  expect_value("02:00:00:00:00:01", Integer("0x020000000001"), 48);
  expect_value("2:0:0:0:a:Ff", Integer("0x020000000aff"), 48);
  expect_value("10.0.0.1", 0x0a000001, 32);
  expect_value("255.255.255.255", 0xffffffff, 32);
  expect_value("::", 0, 128);
  expect_value("2001:db8::1", Integer("0x20010db8000000000000000000000001"), 128);
  expect_value("::ffff:1.2.3.4", Integer("0x0000ffff01020304"), 128);
}

TEST(Values, WhatIsNone) {
  for (std::string_view text :
       {"", "x", "1.2.3", "1.2.3.4.5", "256.0.0.1", "02:00:00:00:00", "02:00:00:00:00:00:00",
        "002:00:00:00:00:01", "02::00:00:00:00:01:", "0x", "0xg", "-1", "1 2", "2001:db8:::1"})
    EXPECT_FALSE(parse_value(text)) << text;
  EXPECT_FALSE(parse_value(std::string_view("1.2.3.4\0", 8)));
}

TEST(Hex, BothWays) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const auto bytes = parse_hex(" 00:ff aB\n0 1", {}, diagnostics);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, (Bytes{0x00, 0xff, 0xab, 0x01}));
  EXPECT_EQ(to_hex(*bytes), "00ffab01");
  EXPECT_TRUE(parse_hex("", {}, diagnostics)->empty());
}

TEST(Hex, Faults) {
  SourceManager sources;
  Diagnostics diagnostics(sources);
  const FileId file = sources.add("w.yaml", "");
  EXPECT_FALSE(parse_hex("00 0", Span{file, {1, 1}, {1, 5}}, diagnostics));
  EXPECT_FALSE(parse_hex("0x00", Span{file, {2, 1}, {2, 5}}, diagnostics));
  EXPECT_FALSE(parse_hex("0\x01", Span{file, {3, 1}, {3, 3}}, diagnostics));
  EXPECT_EQ(test::reported(diagnostics),
            "1:1: not a packet in hex: the number of digits is odd [packet-bad-hex]\n"
            "2:1: not a packet in hex: 'x' is no hex digit [packet-bad-hex]\n"
            "3:1: not a packet in hex: byte 0x01 is no hex digit [packet-bad-hex]\n");
}

}  // namespace
}  // namespace perfpact::packet
